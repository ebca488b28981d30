import StartSmallCore
import StartSmallHeaders

/// The cache directives of a request (RFC 9111 5.2.1), as a private cache honors them.
///
/// A malformed number of seconds is 0. `min-fresh` has no effect.
struct RequestDirectives: Hashable, Sendable {
    /// Whether no stored response may be used without validation.
    let isNoCache: Bool
    let isNoStore: Bool
    let isOnlyIfCached: Bool

    /// The greatest age, and the greatest time past the freshness lifetime, in seconds.
    let maxAge: Double?
    let maxStale: Double?

    /// The seconds past the freshness lifetime in which an error may be replaced (RFC 5861 4).
    let staleIfError: Double?

    /// The directives of a request without any, as most requests are.
    static let none = RequestDirectives(CacheControl())

    init(_ headers: HTTPHeaders) {
        self = headers.contains("Cache-Control") ? RequestDirectives(headers.cacheControl) : .none
    }

    private init(_ cacheControl: CacheControl) {
        isNoCache = cacheControl.contains("no-cache")
        isNoStore = cacheControl.contains("no-store")
        isOnlyIfCached = cacheControl.contains("only-if-cached")
        maxAge = cacheControl.maxAge.map(CacheSeconds.of)
        maxStale = cacheControl.maxStale.map(CacheSeconds.of)
        staleIfError = cacheControl.seconds(of: "stale-if-error").map(CacheSeconds.of)
    }
}

/// The cache directives of a response (RFC 9111 5.2.2), as a private cache has to obey them.
///
/// `s-maxage` and `proxy-revalidate` are for shared caches, and have no effect here (5.2.2.8, 5.2.2.10). Of several
/// values of one directive, the first counts; a malformed number of seconds is 0, which makes a response stale (4.2.1).
/// Where directives conflict, each caller obeys the most restrictive one. A malformed directive permits nothing.
struct ResponseDirectives: Hashable, Sendable {
    /// Whether the response has `no-cache`, with or without a list of fields (5.2.2.4).
    let isNoCache: Bool
    let isNoStore: Bool
    let isMustRevalidate: Bool

    /// Whether only a cache that understands the status may store the response (5.2.2.3).
    let isMustUnderstand: Bool
    let isPublic: Bool

    /// Whether the response is `private`, with or without fields, which are for shared caches only (5.2.2.7).
    let isPrivate: Bool

    /// Whether the response never changes while it is fresh (RFC 8246 2).
    let isImmutable: Bool

    /// Whether a directive is malformed: then no lifetime is estimated.
    let isMalformed: Bool

    /// Times in seconds (5.2.2.1; RFC 5861 3 and 4).
    let maxAge: Double?
    let staleWhileRevalidate: Double?
    let staleIfError: Double?

    init(_ headers: HTTPHeaders) {
        let cacheControl = headers.cacheControl
        // Most responses have one or two directives, so that most lookups by name can be left out.
        let isPresent = { (name: String) in cacheControl.directives.contains { $0.name == name } }
        let permits = { (name: String) in
            cacheControl.directives.contains { $0.name == name && $0.value?.isEmpty != true }
        }
        let seconds = { (name: String) in
            isPresent(name) ? cacheControl.seconds(of: name).map(CacheSeconds.of) : nil
        }
        isNoCache = isPresent("no-cache")
        isNoStore = isPresent("no-store")
        isMustRevalidate = isPresent("must-revalidate")
        isMustUnderstand = isPresent("must-understand")
        isPublic = permits("public")
        isPrivate = permits("private")
        isImmutable = permits("immutable")
        isMalformed = cacheControl.directives.contains { $0.value?.isEmpty == true }
        maxAge = cacheControl.maxAge.map(CacheSeconds.of)
        staleWhileRevalidate = seconds("stale-while-revalidate")
        staleIfError = seconds("stale-if-error")
    }
}
