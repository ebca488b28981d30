import Foundation

/// A base URL, read once, and how other URLs are joined to it.
///
/// Nearly all URLs are joined as texts. What is not plain goes through Foundation, which costs several times as much; both
/// ways lead to the same.
struct BaseURLResolver: Sendable {
    /// Where a URL leads, seen from the base.
    enum OriginRelation: Hashable, Sendable {
        /// It is absolute, and of the base's origin.
        case home

        /// It names another origin, or another scheme.
        case elsewhere

        /// It names none.
        case relative
    }

    private let base: URL
    private let origin: Origin
    private let text: FastURLJoiner?

    /// The home of an absolute `http` or `https` URL; nil for any other.
    init?(_ base: URL) {
        guard let origin = Origin(base) else { return nil }
        (self.base, self.origin, self.text) = (base, origin, FastURLJoiner(base))
    }

    /// Where a URL leads.
    func whereabouts(of url: URL) -> OriginRelation {
        if url.baseURL == nil, let plain = text?.whereabouts(of: url.relativeString) { return plain }
        if Origin(url) == origin { return .home }
        return url.scheme != nil || url.host != nil ? .elsewhere : .relative
    }

    /// The base with the path, the queries and the fragment of a URL; nil if that has dot segments.
    func joined(with url: URL) -> URL? {
        joinedAsTexts(with: url) ?? joinedByParts(with: url)
    }

    /// The same for a relative URL of plain characters; nil for any other.
    func joinedAsTexts(with url: URL) -> URL? {
        guard url.baseURL == nil else { return nil }
        return text?.joined(with: url.relativeString).flatMap { URL(string: $0) }
    }

    /// The same, whatever the URL is.
    func joinedByParts(with url: URL) -> URL? {
        guard var components = URLComponents(url: base.absoluteURL, resolvingAgainstBaseURL: true),
            let relative = URLComponents(url: url, resolvingAgainstBaseURL: false),
            !URIEncoding.hasDotSegments(relative.percentEncodedPath.utf8)
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
