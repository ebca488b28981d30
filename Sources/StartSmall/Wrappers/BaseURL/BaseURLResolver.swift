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
        if url.scheme == nil, url.host == nil { return .relative }
        return Origin(url) == origin ? .sameOrigin : .otherOrigin
    }

    /// Returns the base with the path, the queries and the fragment of a URL.
    ///
    /// Nil if the URL has dot segments, or a scheme without a host, as `mailto:x` has.
    func joined(with url: URL) -> URL? {
        let reference = url.relativeString
        let own = url.baseURL == nil ? url : URL(string: reference)
        let start = own?.scheme == nil ? reference.startIndex : nil
        guard let start = URIEncoding.authority(in: reference)?.endIndex ?? start else { return nil }
        let rest = reference.utf8[start...]
        let end = rest.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? rest.endIndex
        let referencePath = rest[..<end]
        if URIEncoding.hasDotSegments(referencePath) { return nil }
        var text = front
        text.reserveCapacity(front.utf8.count + path.utf8.count + (query?.utf8.count ?? 0) + reference.utf8.count + 2)
        text += referencePath.isEmpty ? path : folder + "/"
        text += Substring(referencePath.drop { $0 == UInt8(ascii: "/") })
        guard let query else { return URL(string: text + reference[end...]) }
        text += "?" + query
        let isQuery = rest[end...].first == UInt8(ascii: "?")
        return URL(string: isQuery ? text + "&" + reference[end...].dropFirst() : text + reference[end...])
    }
}
