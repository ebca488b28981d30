import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

/// A base URL, parsed once, to which other URLs are joined.
///
/// Nearly all URLs are joined as texts. A URL that is not plain goes through Foundation, which costs several times as
/// much. Both ways have the same result.
struct BaseURLResolver: Sendable {
    enum OriginRelation: Hashable, Sendable {
        /// The URL is absolute, and of the base's origin.
        case sameOrigin

        /// The URL has another origin, or another scheme.
        case otherOrigin

        /// The URL has no origin.
        case relative
    }

    private let base: URL
    private let origin: Origin
    private let text: FastURLJoiner?

    /// Creates a resolver for an absolute `http` or `https` URL; nil for any other URL.
    init?(_ base: URL) {
        guard let origin = Origin(base) else { return nil }
        (self.base, self.origin, self.text) = (base, origin, FastURLJoiner(base))
    }

    func relation(of url: URL) -> OriginRelation {
        if url.baseURL == nil, let plain = text?.relation(of: url.relativeString) { return plain }
        if Origin(url) == origin { return .sameOrigin }
        return url.scheme != nil || url.host != nil ? .otherOrigin : .relative
    }

    /// Returns the base with the path, the queries and the fragment of a URL; nil if the URL has dot segments.
    func joined(with url: URL) -> URL? {
        joinedAsTexts(with: url) ?? joinedByParts(with: url)
    }

    /// Joins a relative URL of plain characters as text; returns nil for any other URL.
    func joinedAsTexts(with url: URL) -> URL? {
        guard url.baseURL == nil else { return nil }
        return text?.joined(with: url.relativeString).flatMap { URL(string: $0) }
    }

    /// Joins any URL through Foundation; returns nil if the URL has dot segments.
    func joinedByParts(with url: URL) -> URL? {
        guard var components = URLComponents(url: base.absoluteURL, resolvingAgainstBaseURL: true),
            let relative = URLComponents(url: url, resolvingAgainstBaseURL: false),
            !URIEncoding.hasDotSegments(Array(relative.percentEncodedPath.utf8)[...])
        else { return nil }
        let path = relative.percentEncodedPath.drop { $0 == "/" }
        if !relative.percentEncodedPath.isEmpty {
            var base = components.percentEncodedPath
            while base.hasSuffix("/") { base.removeLast() }
            components.percentEncodedPath = base + "/" + path
        }
        let queries = [components.percentEncodedQuery, relative.percentEncodedQuery].compactMap { $0 }
        components.percentEncodedQuery = queries.isEmpty ? nil : queries.joined(separator: "&")
        components.percentEncodedFragment = relative.percentEncodedFragment
        return components.url
    }
}
