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
    public static func baseURL(_ base: URL, others: CrossOriginPolicy = .refused) -> Wrapper {
        let home = BaseURLResolver(base)
        return Wrapper { input, next in
            guard let home else {
                let shown = Redaction.standard.shown(url: base.absoluteString)
                return .noResponse(.malformedURL(debugInfo: "the base is no absolute http or https URL: \(shown)"))
            }
            if let url = home.joinedAsTexts(with: input.url) { return await call(input, next, at: url) }
            switch home.whereabouts(of: input.url) {
            case .home: return await next(input)
            case .elsewhere where others == .allowed: return await next(input)
            case .elsewhere where others == .refused:
                let shown = Redaction.standard.shown(url: input.url.absoluteString)
                return .noResponse(.malformedURL(debugInfo: "not of the base URL's origin: \(shown)"))
            case .elsewhere, .relative: break
            }
            guard let url = home.joinedByParts(with: input.url) else {
                let shown = Redaction.standard.shown(url: input.url.absoluteString)
                return .noResponse(.malformedURL(debugInfo: "can't be joined to the base URL: \(shown)"))
            }
            return await call(input, next, at: url)
        }
    }

    private static func call(_ input: Input, _ next: Next, at url: URL) async -> Output {
        await next(input.with { $0.url = url }).called(at: url)
    }
}

/// What ``Wrapper/baseURL(_:others:)`` does with an absolute URL of another origin.
public enum CrossOriginPolicy: Hashable, Sendable {
    /// It is an error, so that nothing meant for one server reaches another.
    case refused

    /// It is called as it is.
    case allowed

    /// Its path and queries are called at the base instead, as where an API is pointed at a test server.
    case moved
}
