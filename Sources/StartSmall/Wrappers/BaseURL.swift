public import Foundation

extension Wrapper {
    /// Wrapper that sends relative URLs to a base: `/users/octocat` to `https://api.example.com/v3/users/octocat`.
    ///
    /// Paths are joined with exactly one `/`, and the queries of the base come first. The base itself stays in front
    /// whatever the URL says: one with dot segments, which servers, proxies and engines resolve, is refused.
    ///
    /// - Unchanged when: the URL is absolute and of the same origin as the base.
    /// - Order: outside of everything that looks at a URL.
    /// - Fails with: ``ConnectionError/malformedURL(debugInfo:)`` if the URL is absolute and of another origin, unless
    ///   `others` says what to do with it; and for every URL if the base is not an absolute `http` or `https` URL.
    public static func baseURL(_ base: URL, others: OtherOrigins = .refused) -> Wrapper {
        let home = Origin(base)
        return Wrapper { input, next in
            var input = input
            guard let home else {
                let shown = Redaction.standard.shown(url: base.absoluteString)
                return .noResponse(.malformedURL(debugInfo: "the base is no absolute http or https URL: \(shown)"))
            }
            if Origin(input.url) == home { return await next(input) }
            if input.url.scheme != nil || input.url.host != nil {
                switch others {
                case .allowed: return await next(input)
                case .moved: break
                case .refused:
                    let shown = Redaction.standard.shown(url: input.url.absoluteString)
                    return .noResponse(.malformedURL(debugInfo: "not of the base URL's origin: \(shown)"))
                }
            }
            guard let url = joined(base, input.url) else {
                let shown = Redaction.standard.shown(url: input.url.absoluteString)
                return .noResponse(.malformedURL(debugInfo: "can't be joined to the base URL: \(shown)"))
            }
            input.url = url
            return await next(input).called(at: url)
        }
    }

    /// What ``baseURL(_:others:)`` does with an absolute URL of another origin.
    public enum OtherOrigins: Hashable, Sendable {
        /// It is an error, so that nothing meant for one server reaches another.
        case refused

        /// It is called as it is.
        case allowed

        /// Its path and queries are called at the base instead, as where an API is pointed at a test server.
        case moved
    }

    private static func joined(_ base: URL, _ url: URL) -> URL? {
        guard var components = URLComponents(url: base.absoluteURL, resolvingAgainstBaseURL: true),
            let relative = URLComponents(url: url, resolvingAgainstBaseURL: false),
            !relative.path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." })
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
