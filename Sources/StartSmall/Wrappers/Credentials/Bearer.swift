extension Wrapper {
    /// Adds `Authorization: Bearer <token>` to each request (RFC 6750).
    ///
    /// - Parameters:
    ///   - token: the bearer token.
    ///   - scope: the requests that get the token.
    /// - Passes through: requests that already have an `Authorization`, or are not in the scope.
    /// - Order: outside of `.redirect`, which then drops the token at another origin. With a scope, inside of
    ///   `.baseURL`, since a relative URL has no origin.
    /// - Errors: ``ConnectionError/missingCredentials(debugInfo:)`` if the token is empty or can't be sent, or if the
    ///   URL of the scope has no origin.
    public static func bearer(_ token: String, to scope: CredentialScope = .anyOrigin) -> Wrapper {
        Either<ConnectionError, Authorization>.bearer(token).wrapper("bearer", to: scope)
    }

    /// Adds `Authorization: Bearer <token>` to each request, with a token from a function of the app (RFC 6750).
    ///
    /// ```swift
    /// .bearer { await keychain.token }
    /// ```
    ///
    /// - Parameters:
    ///   - scope: the requests that get the token.
    ///   - token: returns the bearer token; nil if there is none.
    /// - Passes through: requests that already have an `Authorization`, or are not in the scope; `token` is not called
    ///   then.
    /// - Order: as with a fixed token; inside of `.retry`, `token` is called for each attempt.
    /// - Errors: ``ConnectionError/missingCredentials(debugInfo:)`` if there is no token, if it is empty or can't be
    ///   sent, or if the URL of the scope has no origin; no request is sent then. The error that `token` throws, if it
    ///   is a ``ConnectionError``.
    public static func bearer(
        to scope: CredentialScope = .anyOrigin,
        _ token: @escaping @Sendable () async throws -> String?
    ) -> Wrapper {
        Wrapper(scope.name(of: "bearer")) { input, next in
            await next(
                await input.authorized(in: scope) {
                    await Either.credential("bearer token", from: token).flatMap { .bearer($0) }
                }
            )
        }
    }
}
