import StartSmall

/// The cache directives of a response (RFC 9111 5.2.2), as a private cache has to obey them.
///
/// `s-maxage` and `proxy-revalidate` are for shared caches, and have no effect here (5.2.2.8, 5.2.2.10). Of several
/// values of one directive, the first counts; a malformed number of seconds is 0, which makes a response stale (4.2.1).
/// Where directives conflict, each caller obeys the most restrictive one.
struct ResponseDirectives: Hashable, Sendable {
    /// `no-store` (5.2.2.5).
    let isNoStore: Bool

    /// `no-cache` for the whole response (5.2.2.4).
    let isNoCache: Bool

    /// The fields of a qualified `no-cache`, in lower case: they are not stored, and the rest may be used (5.2.2.4).
    let excludedFields: Set<String>

    /// `must-revalidate` (5.2.2.2).
    let isMustRevalidate: Bool

    /// `public` (5.2.2.9).
    let isPublic: Bool

    /// `private`, with or without fields, which are for shared caches only (5.2.2.7).
    let isPrivate: Bool

    /// `must-understand` (5.2.2.3).
    let isMustUnderstand: Bool

    /// `immutable` (RFC 8246 2).
    let isImmutable: Bool

    /// `max-age` in seconds (5.2.2.1).
    let maxAge: Double?

    /// `stale-while-revalidate` in seconds (RFC 5861 3).
    let staleWhileRevalidate: Double?

    /// `stale-if-error` in seconds (RFC 5861 4).
    let staleIfError: Double?

    /// Reads the directives of header fields.
    init(_ headers: HTTPHeaders) {
        let cacheControl = headers.cacheControl
        // Most responses have one or two directives, so that most lookups by name can be left out.
        let isPresent = { (name: String) in cacheControl.directives.contains { $0.name == name } }
        let contains = { (name: String) in isPresent(name) && cacheControl.contains(name) }
        let seconds = { (name: String) in
            isPresent(name) ? cacheControl.seconds(of: name).map(CacheSeconds.of) : nil
        }
        let noCache = cacheControl.directives.filter { $0.name == "no-cache" }.map { directive in
            CacheControl([directive]).fields(of: "no-cache").compactMap(\.fieldName)
        }
        excludedFields = Set(noCache.joined())
        // A list that names a field on which the rules depend can't be left out without changing them.
        isNoCache = noCache.contains { $0.isEmpty } || !excludedFields.isDisjoint(with: StoredFields.essential)
        isNoStore = contains("no-store")
        isMustRevalidate = contains("must-revalidate")
        isPublic = contains("public")
        isPrivate = contains("private")
        isMustUnderstand = contains("must-understand")
        isImmutable = contains("immutable")
        maxAge = seconds("max-age")
        staleWhileRevalidate = seconds("stale-while-revalidate")
        staleIfError = seconds("stale-if-error")
    }
}
