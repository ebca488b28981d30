public import Foundation

extension Wrapper {
    /// Wrapper that says with a token who is asking (RFC 6750).
    ///
    /// - Unchanged when: the request has an `Authorization` of its own.
    /// - Order: outside of `.redirect`, which then leaves it behind where a server leads to another origin.
    /// - Fails with: ``ConnectionError/missingCredentials(debugInfo:)`` if the token is empty, or can't be sent.
    public static func bearer(_ token: String) -> Wrapper {
        Authorization.bearer(token).wrapper(onlyFor: nil)
    }

    /// Wrapper that says with a token who is asking (RFC 6750), but to one origin alone.
    ///
    /// - Unchanged when: the request has an `Authorization` of its own, or goes to another origin than that of `only`.
    /// - Order: inside of `.baseURL`, since a relative URL has no origin.
    /// - Fails with: ``ConnectionError/missingCredentials(debugInfo:)`` if the token is empty, or can't be sent; and for every
    ///   call if `only` is no absolute `http` or `https` URL.
    public static func bearer(_ token: String, only home: URL) -> Wrapper {
        Authorization.bearer(token).wrapper(onlyFor: home)
    }

    /// Wrapper that asks for a token, and says with it who is asking (RFC 6750).
    ///
    /// ```swift
    /// .bearer { await keychain.token }
    /// ```
    ///
    /// - Unchanged when: the request has an `Authorization` of its own; then nobody is asked for a token.
    /// - Order: as with a fixed token; inside of what tries again, each attempt has the token of its time.
    /// - Fails with: ``ConnectionError/missingCredentials(debugInfo:)`` if there is no token, or if it is empty or can't be
    ///   sent: nothing is sent then. What `token` throws, if it is a ``ConnectionError``.
    public static func bearer(_ token: @escaping @Sendable () async throws -> String?) -> Wrapper {
        bearer(onlyFor: nil, token)
    }

    /// Wrapper that asks for a token, and says with it who is asking (RFC 6750), but to one origin alone.
    ///
    /// - Unchanged when: the request has an `Authorization` of its own, or goes to another origin than that of `only`; then
    ///   nobody is asked for a token.
    /// - Order: as with a fixed token; inside of what tries again, each attempt has the token of its time.
    /// - Fails with: the same as without `only`; and as with a fixed token for every call if `only` is no absolute URL.
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
