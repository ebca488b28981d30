public import StartSmallCore
import StartSmallFoundation

extension Wrapper {
    /// Adds query items that an API expects with each request, such as `api-version`.
    ///
    /// ```swift
    /// .queries(["api-version": "2026-11-01"], to: .origin(server))
    /// ```
    ///
    /// - Parameters:
    ///   - queries: the items.
    ///   - scope: the requests that get the items.
    /// - Passes through: requests that are not in the scope. An item is left out if the request has one of this name.
    /// - Order: outside of `.cache`, which stores by the URL, and of `.queryEncoding`; outside of `.redirect`, the items
    ///   are not sent to the target, whose URL is the server's. With a scope, inside of `.baseURL`, since a relative URL
    ///   has no origin.
    /// - Errors: ``ConnectionError/malformedURL(debugInfo:)`` if the URL of the scope has no origin.
    public static func queries(_ queries: Queries, to scope: CredentialScope) -> Wrapper {
        Wrapper(scope.name(of: "queries")) { input, next in
            await next(
                input.isIn(scope).mapLeft { _ in
                    .malformedURL(debugInfo: "the scope of the queries is not an absolute http or https URL")
                }.map { isIn in
                    let missing = isIn ? queries.items.filter { !input.hasQuery(named: $0.name) } : []
                    return missing.isEmpty ? input : input.with { $0.queries += missing }
                }
            )
        }
    }
}

extension Request {
    /// Returns whether the request has a query item of this name, among its queries or in its URL.
    func hasQuery(named name: String) -> Bool {
        queries.contains { $0.name == name }
            || URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?.contains { $0.name == name } ?? false
    }
}
