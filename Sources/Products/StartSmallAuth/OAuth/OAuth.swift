public import StartSmallCore
public import StartSmallHeaders
import StartSmallSupport
public import StartSmallFoundation

extension Wrapper {
    /// Sends a stored token of OAuth 2.0 with each call, and keeps it fresh by the refresh token or by a new grant.
    ///
    /// A service passes the grant that needs no user, and gets its tokens by it:
    ///
    /// ```swift
    /// let service = Connector.standard.wrapped(
    ///     by: .oauth(client, at: tokenEndpoint, in: .memory(), to: .origin(api)) { .clientCredentials }
    /// )
    /// ```
    ///
    /// An app passes none: its user signs in, and the app saves the token to the store. Then nothing but a sign-in gives
    /// a token after ``RefreshFailure/needsSignIn``, which each call reports without a request to the server.
    ///
    /// - A token that expires within the leeway, or that the server rejects, is replaced once for all calls that wait, as
    ///   by ``refreshToken(in:to:_:clock:now:first:by:)``. The rules for logins, logouts and identities are the same.
    /// - The refresh token is sent once for each refresh. Only after `invalid_grant` (RFC 6749 5.2) is there a new grant.
    /// - A saved token has its ``AccessToken/source``. A token of another server, client or resource is not sent, and
    ///   ends the call with ``RefreshFailure/otherSource``; if a grant without a user gave it, a new one replaces it.
    ///   The app vouches for a token that is not of an ``OAuthClient``, and for the resource of one whose request named
    ///   none; a service sends none that has an identity.
    ///
    /// - Parameters:
    ///   - client: the client at the authorization server.
    ///   - endpoint: the URL of the token endpoint, which stands for the server.
    ///   - parameters: further parameters, such as `resource`. The `scope` goes with the grant, and not with a refresh,
    ///     which must not ask for more than was granted (RFC 6749 6).
    ///   - store: the store of the token, for these tokens alone.
    ///   - scope: the requests that get the token.
    ///   - policy: the rules by which the token is sent and replaced, such as ``RefreshPolicy/dpop``.
    ///   - first: returns a grant without a user, anew for each request, such as a signed assertion; nil for a user.
    ///   - clock: the clock that measures the window of refreshes.
    ///   - now: returns the current time, to compare with the expiry of the token.
    /// - Passes through: requests that are not for the token, such as those of a sign-in, and, without `first`, requests
    ///   while the store has none.
    /// - Order: as for ``refreshToken(in:to:_:clock:now:first:by:)``. Requests for tokens pass through the wrappers
    ///   inside.
    /// - Events: ``Refreshing`` and ``Refreshed``.
    /// - Errors: ``ConnectionError/refreshFailed(_:after:)`` for all waiting calls.
    /// - State: as for ``refreshToken(in:to:_:clock:now:first:by:)``; the last token that can't be refreshed belongs to the
    ///   store.
    public static func oauth(
        _ client: OAuthClient,
        at endpoint: URL,
        _ parameters: Queries = [],
        in store: TokenStore,
        to scope: CredentialScope,
        _ policy: RefreshPolicy = RefreshPolicy(),
        first: (@Sendable () async throws -> OAuthGrant)? = nil,
        clock: some Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> Wrapper {
        let source = TokenSource(of: client, at: endpoint, parameters, to: scope, isForClient: first != nil)
        let renewal = Queries(parameters.items.filter { $0.name != "scope" })
        let tokens = StoredTokens(requestsFirst: first != nil, source: source) { old, connector in
            func token(
                by grant: OAuthGrant,
                _ parameters: Queries,
                inPlaceOf replaced: AccessToken? = nil
            ) async -> Either<RefreshFailure, AccessToken> {
                await client.token(by: grant, at: endpoint, parameters, tokenType: policy.tokenType)
                    .fetch(via: connector)
                    .mapLeft { RefreshFailure($0, of: old) }
                    .map { response in
                        var token = response.accessToken(receivedAt: now(), inPlaceOf: replaced)
                        token.source = source
                        return token
                    }
            }
            if let refreshToken = old.refreshToken, source.gave(old) {
                let renewed = await token(by: .refresh(refreshToken), renewal, inPlaceOf: old)
                guard first != nil, renewed.left?.needsSignIn == true else { return renewed }
            }
            guard let first else { return .left(.noToken(nil, reason: "there is no refresh token")) }
            switch await OAuthGrant.withoutUser(first) {
            case .left(let failure): return .left(failure)
            case .right(let grant): return await token(by: grant, parameters)
            }
        }
        return sending(tokens, named: "oauth", of: store, to: scope, policy, clock.timeSinceNow(), now)
    }
}

extension OAuthGrant {
    /// Returns a grant for which no user is needed, or why there is none.
    fileprivate static func withoutUser(
        _ grant: @Sendable () async throws -> OAuthGrant
    ) async -> Either<RefreshFailure, OAuthGrant> {
        do {
            let grant = try await grant()
            // A code of a user gives a token once.
            return grant.isUsedOnce ? .left(.noToken(nil, reason: "\(grant) needs a user")) : .right(grant)
        } catch is CancellationError {
            return .left(.noResponse(.cancelled))
        } catch {
            let reason = Redaction.standard.shown(text: "\(error)")
            return .left(.noResponse(.missingCredentials(debugInfo: "there is no grant: \(reason)")))
        }
    }
}
