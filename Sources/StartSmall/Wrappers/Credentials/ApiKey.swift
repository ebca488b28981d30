import Foundation

extension Wrapper {
    /// Adds the API key of an app to each request, in a header field or a query item.
    ///
    /// - Parameters:
    ///   - key: the API key.
    ///   - location: the header field or the query item.
    ///   - scope: the requests that get the key.
    /// - Passes through: requests that already have a field or item of this name, or are not in the scope.
    /// - Order: outside of `.redirect`, a field is dropped at another origin if ``Redaction/standard`` knows its name
    ///   or ``RedirectPolicy/credentials`` contains it. An item is never sent to a redirect target: the `Location` of a
    ///   server has its own query. With a scope, inside of `.baseURL`, since a relative URL has no origin; inside of
    ///   `.redirect`, each redirected request in the scope gets the key.
    /// - Errors: ``ConnectionError/missingCredentials(debugInfo:)`` if the key is empty, or if the URL of the scope has
    ///   no origin.
    public static func apiKey(
        _ key: String,
        in location: APIKeyLocation,
        to scope: CredentialScope = .anyOrigin
    ) -> Wrapper {
        apiKey(in: location, to: scope) { key }
    }

    /// Adds an API key from a function of the app to each request, in a header field or a query item.
    ///
    /// - Parameters:
    ///   - location: the header field or the query item.
    ///   - scope: the requests that get the key.
    ///   - key: returns the API key; nil if there is none.
    /// - Passes through: as with a fixed key; `key` is not called then.
    /// - Order: as with a fixed key.
    /// - Errors: ``ConnectionError/missingCredentials(debugInfo:)`` if there is no key, if it is empty, or if the URL
    ///   of the scope has no origin; no request is sent then. The error that `key` throws, if it is a
    ///   ``ConnectionError``.
    public static func apiKey(
        in location: APIKeyLocation,
        to scope: CredentialScope = .anyOrigin,
        _ key: @escaping @Sendable () async throws -> String?
    ) -> Wrapper {
        Wrapper(scope.name(of: "apiKey")) { input, next in
            switch input.isIn(scope) {
            case .left(let error): return .noResponse(error)
            case .right(true) where !location.isTaken(in: input):
                let key = await Either.credential("API key", from: key)
                return await next(key.map { key in input.with { location.put(key, into: &$0) } })
            case .right: return await next(input)
            }
        }
    }
}

/// The location of an API key in a request.
///
/// Descriptions hide the key if ``Redaction/standard`` knows the name, as it knows `X-API-Key`, `api_key` and similar
/// names.
public enum APIKeyLocation: Hashable, Sendable {
    /// A header field of this name.
    case header(String)

    /// A query item of this name.
    ///
    /// Every server on the way may log the query: prefer a header field where the API has one.
    case query(String)

    fileprivate func isTaken(in input: Input) -> Bool {
        switch self {
        case .header(let name):
            input.headers.contains(name)
        case .query(let name):
            input.queries.contains { $0.name == name }
                || URLComponents(url: input.url, resolvingAgainstBaseURL: true)?.queryItems?
                    .contains { $0.name == name } ?? false
        }
    }

    fileprivate func put(_ key: String, into input: inout Input) {
        switch self {
        case .header(let name): input.headers.append(name, key)
        case .query(let name): input.queries.append(URLQueryItem(name: name, value: key))
        }
    }
}
