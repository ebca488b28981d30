public import StartSmallCore
import StartSmallEngines
public import StartSmallFoundation

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
    ///   `http` or `https` URL with a host in ASCII.
    public static func baseURL(_ base: URL, others: CrossOriginPolicy = .refused) -> Wrapper {
        let resolver = BaseURLResolver(base)
        return Wrapper("baseURL") { input, next in
            guard let resolver else {
                let refusal = ValidatedRequest.from(Input(url: base)).left
                return .noResponse(refusal ?? .malformed(base, "the base URL is not an absolute http or https URL"))
            }
            switch resolver.resolved(input.url, others) {
            case .left(let error): return .noResponse(error)
            case .right(nil): return await next(input)
            case .right(let url?):
                let input = input.with { $0.url = url }
                let output = await next(input)
                guard case .hasResponse(var response) = output else { return output }
                response.url = response.base(of: input)
                return .hasResponse(response)
            }
        }
    }
}

extension BaseURLResolver {
    /// Returns the URL to call instead of another one; nil if that one is called as it is.
    fileprivate func resolved(_ url: URL, _ others: CrossOriginPolicy) -> Either<ConnectionError, URL?> {
        switch (relation(of: url), others) {
        case (.sameOrigin, _), (.otherOrigin, .allowed): return .right(nil)
        case (.otherOrigin, .refused): return .left(.malformed(url, "the URL has another origin than the base URL"))
        case (.otherOrigin, .moved), (.relative, _):
            guard let joined = joined(with: url) else {
                return .left(.malformed(url, "the URL can't be joined to the base URL"))
            }
            return .right(joined)
        }
    }
}

extension ConnectionError {
    /// Returns the error for a URL, without its credentials.
    fileprivate static func malformed(_ url: URL, _ reason: String) -> ConnectionError {
        .malformedURL(debugInfo: "\(reason): \(Redaction.standard.shown(url: url.absoluteString))")
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
