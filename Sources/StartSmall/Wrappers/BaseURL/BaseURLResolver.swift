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

    /// Creates a resolver for an absolute `http` or `https` URL; nil for any other URL.
    init?(_ base: URL) {
        guard let origin = Origin(base),
            var parts = URLComponents(url: base.absoluteURL, resolvingAgainstBaseURL: true)
        else { return nil }
        (self.origin, path, query) = (origin, parts.percentEncodedPath, parts.percentEncodedQuery)
        (parts.percentEncodedPath, parts.percentEncodedQuery, parts.percentEncodedFragment) = ("", nil, nil)
        guard let front = parts.string else { return nil }
        self.front = front
    }

    func relation(of url: URL) -> OriginRelation {
        if url.scheme == nil, url.host == nil { return .relative }
        return Origin(url) == origin ? .sameOrigin : .otherOrigin
    }

    /// Returns the base with the path, the queries and the fragment of a URL; nil if the URL has dot segments.
    ///
    /// Foundation drops the colon of a reference such as `:x`, which is none (RFC 3986 4.2); nil for that, too.
    func joined(with url: URL) -> URL? {
        let reference = url.baseURL == nil ? url : URL(string: url.relativeString)
        guard let reference, reference.scheme?.isEmpty != true else { return nil }
        let referencePath = reference.path(percentEncoded: true)
        guard !URIEncoding.hasDotSegments(Array(referencePath.utf8)[...]) else { return nil }
        var text = front + path
        if !referencePath.isEmpty {
            while text.utf8.last == UInt8(ascii: "/") { text.removeLast() }
            text += "/"
            text += referencePath.drop { $0 == "/" }
        }
        let queries = [query, reference.query(percentEncoded: true)].compactMap(\.self)
        if !queries.isEmpty { text += "?" + queries.joined(separator: "&") }
        if let fragment = reference.fragment(percentEncoded: true) { text += "#" + fragment }
        return URL(string: text)
    }
}
