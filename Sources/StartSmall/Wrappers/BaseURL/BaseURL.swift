public import Foundation

extension Wrapper {
    /// Resolves relative URLs against a base: `/users/octocat` becomes `https://api.example.com/v3/users/octocat`.
    ///
    /// Paths are joined with exactly one `/`, and the queries of the base come first. The path of the base is always
    /// kept: a URL with dot segments, which servers, proxies and engines resolve, is refused.
    ///
    /// - Parameters:
    ///   - base: the absolute `http` or `https` URL to which relative URLs are joined.
    ///   - others: the handling of absolute URLs of another origin.
    /// - Passes through: absolute URLs of the base's origin and, if `others` is `.allowed`, of other origins.
    /// - Order: outside of every wrapper that inspects the URL.
    /// - Errors: ``ConnectionError/malformedURL(debugInfo:)`` if the URL is absolute and of another origin, unless
    ///   `others` allows or moves it; if the URL has dot segments; and for every URL if the base is not an absolute
    ///   `http` or `https` URL.
    public static func baseURL(_ base: URL, others: CrossOriginPolicy = .refused) -> Wrapper {
        let resolver = BaseURLResolver(base)
        return Wrapper { input, next in
            guard let resolver else {
                let shown = Redaction.standard.shown(url: base.absoluteString)
                return .noResponse(
                    .malformedURL(debugInfo: "the base URL is not an absolute http or https URL: \(shown)")
                )
            }
            if let url = resolver.joinedAsTexts(with: input.url) { return await call(input, next, at: url) }
            switch resolver.relation(of: input.url) {
            case .sameOrigin: return await next(input)
            case .otherOrigin where others == .allowed: return await next(input)
            case .otherOrigin where others == .refused:
                let shown = Redaction.standard.shown(url: input.url.absoluteString)
                return .noResponse(.malformedURL(debugInfo: "the URL has another origin than the base URL: \(shown)"))
            case .otherOrigin, .relative: break
            }
            guard let url = resolver.joinedByParts(with: input.url) else {
                let shown = Redaction.standard.shown(url: input.url.absoluteString)
                return .noResponse(.malformedURL(debugInfo: "the URL can't be joined to the base URL: \(shown)"))
            }
            return await call(input, next, at: url)
        }
    }

    private static func call(_ input: Input, _ next: Next, at url: URL) async -> Output {
        await next(input.with { $0.url = url }).called(at: url)
    }
}

/// The handling of absolute URLs of another origin by ``Wrapper/baseURL(_:others:)``.
public enum CrossOriginPolicy: Hashable, Sendable {
    /// The call fails, so that no request for one server reaches another.
    case refused

    /// The URL is called unchanged.
    case allowed

    /// The path and queries are called at the base instead, for example to point an API at a test server.
    case moved
}
