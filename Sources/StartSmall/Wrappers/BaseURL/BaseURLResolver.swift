import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

/// A base URL, parsed once, to which other URLs are joined.
struct BaseURLResolver: Sendable {
    enum OriginRelation: Hashable, Sendable {
        /// The URL is absolute, and of the base's origin.
        case sameOrigin

        /// The URL has another origin, or another scheme.
        case otherOrigin

        /// The URL has no origin.
        case relative
    }

    private let origin: Origin

    /// The text before the path: `https://api.example.com`.
    private let front: String
    private let path: String
    private let query: String?

    /// The path without trailing slashes.
    private let folder: String

    /// Creates a resolver for an absolute `http` or `https` URL; nil for any other URL.
    init?(_ base: URL) {
        guard let origin = Origin(base),
            var parts = URLComponents(url: base.absoluteURL, resolvingAgainstBaseURL: true)
        else { return nil }
        (self.origin, path, query) = (origin, parts.percentEncodedPath, parts.percentEncodedQuery)
        (parts.percentEncodedPath, parts.percentEncodedQuery, parts.percentEncodedFragment) = ("", nil, nil)
        guard let front = parts.string else { return nil }
        self.front = front
        folder = String(path.reversed().drop { $0 == "/" }.reversed())
    }

    func relation(of url: URL) -> OriginRelation {
        if url.baseURL == nil, Self.isPath(url.relativeString) { return .relative }
        if url.scheme == nil, url.host == nil { return .relative }
        return Origin(url) == origin ? .sameOrigin : .otherOrigin
    }

    /// Returns whether a reference begins with a path from the root, as nearly all do, so that it has no host.
    private static func isPath(_ reference: String) -> Bool {
        let start = reference.utf8.prefix(2)
        return start.first == UInt8(ascii: "/") && start.dropFirst().first != UInt8(ascii: "/")
    }

    /// Returns the base with the path, the queries and the fragment of a URL.
    ///
    /// Nil if the URL has dot segments, or a colon before its path without a host after it, as `mailto:x` has.
    func joined(with url: URL) -> URL? {
        let (slash, colon) = (UInt8(ascii: "/"), UInt8(ascii: ":"))
        let reference = url.relativeString
        let authority = URIEncoding.authority(in: reference)
        let rest = reference.utf8[(authority?.endIndex ?? reference.startIndex)...]
        let referencePath = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard authority != nil || !referencePath.prefix(while: { $0 != slash }).contains(colon),
            !URIEncoding.hasDotSegments(Array(referencePath)[...])
        else { return nil }
        var text = front
        if referencePath.isEmpty {
            text += path
        } else {
            text += folder
            text += "/"
            text += Substring(referencePath.drop { $0 == slash })
        }
        let end = Substring(rest[referencePath.endIndex...])
        guard let query else { return URL(string: text + end) }
        let hasQuery = end.utf8.first == UInt8(ascii: "?")
        return URL(string: "\(text)?\(query)\(hasQuery ? "&" : "")\(hasQuery ? end.dropFirst() : end)")
    }
}
