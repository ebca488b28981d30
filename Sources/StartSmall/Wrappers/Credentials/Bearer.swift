public import Foundation

extension Wrapper {
    /// Adds `Authorization: Bearer <token>` to each request (RFC 6750).
    ///
    /// - Parameter token: the bearer token.
    /// - Passes through: requests that already have an `Authorization`.
    /// - Order: outside of `.redirect`, which then drops the token at another origin.
    /// - Errors: ``ConnectionError/missingCredentials(debugInfo:)`` if the token is empty, or can't be sent.
    public static func bearer(_ token: String) -> Wrapper {
        Authorization.bearer(token).wrapper(onlyFor: nil)
    }

    /// Adds `Authorization: Bearer <token>` to each request to one origin (RFC 6750).
    ///
    /// - Parameters:
    ///   - token: the bearer token.
    ///   - home: a URL of the only origin that gets the token.
    /// - Passes through: requests that already have an `Authorization`, or go to another origin than that of `only`.
    /// - Order: inside of `.baseURL`, since a relative URL has no origin.
    /// - Errors: ``ConnectionError/missingCredentials(debugInfo:)`` if the token is empty, or can't be sent; and for
    ///   every call if `only` is not an absolute `http` or `https` URL.
    public static func bearer(_ token: String, only home: URL) -> Wrapper {
        Authorization.bearer(token).wrapper(onlyFor: home)
    }

    /// Adds `Authorization: Bearer <token>` to each request, with a token from a function of the app (RFC 6750).
    ///
    /// ```swift
    /// .bearer { await keychain.token }
    /// ```
    ///
    /// - Parameter token: returns the bearer token; nil if there is none.
    /// - Passes through: requests that already have an `Authorization`; `token` is not called then.
    /// - Order: as with a fixed token; inside of `.retry`, `token` is called for each attempt.
    /// - Errors: ``ConnectionError/missingCredentials(debugInfo:)`` if there is no token, or if it is empty or can't be
    ///   sent; no request is sent then. The error that `token` throws, if it is a ``ConnectionError``.
    public static func bearer(_ token: @escaping @Sendable () async throws -> String?) -> Wrapper {
        bearer(onlyFor: nil, token)
    }

    /// Adds a bearer token from a function of the app to each request to one origin (RFC 6750).
    ///
    /// - Parameters:
    ///   - home: a URL of the only origin that gets the token.
    ///   - token: returns the bearer token; nil if there is none.
    /// - Passes through: requests that already have an `Authorization`, or go to another origin than that of `only`;
    ///   `token` is not called then.
    /// - Order: as with a fixed token; inside of `.retry`, `token` is called for each attempt.
    /// - Errors: as without `only`; and as with a fixed token for every call if `only` is not an absolute `http` or
    ///   `https` URL.
    public static func bearer(
        only home: URL,
        _ token: @escaping @Sendable () async throws -> String?
    ) -> Wrapper {
        bearer(onlyFor: home, token)
    }

    private static func bearer(
        onlyFor home: URL?,
        _ token: @escaping @Sendable () async throws -> String?
    ) -> Wrapper {
        Wrapper { input, next in
            await next(
                await input.authorized(onlyFor: home) {
                    await Either.credential("bearer token", from: token).flatMap(Authorization.bearer)
                }
            )
        }
    }
}
