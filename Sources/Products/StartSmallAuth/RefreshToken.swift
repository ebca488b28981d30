public import StartSmallCore
public import StartSmallHeaders
import StartSmallSupport
public import StartSmallFoundation

extension Wrapper {
    /// Sends a stored token with each call, and refreshes the token if the server rejects it.
    ///
    /// After the refresh, the rejected call is sent once more, unless its payload can be produced only once
    /// (``Payload/isAvailable``). All calls that fail or begin meanwhile wait for the same refresh.
    ///
    /// ```swift
    /// let app = Connector.standard.wrapped(
    ///     by: .refreshToken(in: store) { token, connector in await Login.renewal(of: token).fetch(via: connector) }
    /// )
    /// ```
    ///
    /// A call that failed with an older token than the stored one is sent again without a refresh. A token that expires
    /// soon is refreshed before any request is sent.
    ///
    /// The refresh runs in its own task, and continues when all waiting calls are cancelled: the server may have used up
    /// the old refresh token already (RFC 9700 4.14.2). The wrappers inside of this one limit its time. Its calls bypass
    /// this wrapper, even through the app's own connector; but such calls pass through the wrappers outside of this one
    /// a second time.
    ///
    /// Changes of the store by the app during a refresh are kept. After a logout, a rejected call ends with its
    /// rejection. After a login, a call with the token of that login does not wait for the refresh, and a call of the
    /// account before ends with ``RefreshFailure/identityChanged`` if the tokens have an ``AccessToken/identity``.
    /// Without identities, the call is sent with the stored token, since a login can't be distinguished from a refresh
    /// by another process.
    ///
    /// - Parameters:
    ///   - store: the store of the token.
    ///   - scope: the requests that get the token.
    ///   - policy: the rules by which the token is sent and refreshed.
    ///   - clock: the clock that measures the window of refreshes.
    ///   - now: returns the current time, to compare with the expiry of the token.
    ///   - first: requests a token from the server while the store has none, once for all waiting calls, such as for the
    ///     grant of client credentials (RFC 6749 4.4); nil to send requests without a token.
    ///   - refresh: requests a new token from the server, through the connector inside of this wrapper, which it gets.
    /// - Passes through: requests that are not for the token (``RefreshPolicy/isForToken``), such as those that already
    ///   have an `Authorization`; those of an ``OAuthClient`` for a sign-in, and of metadata; requests that are not in
    ///   the scope; and, without `first`, requests while the store has no token. The store is asked only in the last
    ///   case.
    /// - Order: outside of ``redirect(_:)``, which drops the token at another origin; inside of `.retry`, so that each
    ///   attempt has the current token. A rejection counts even if an inner ``validate(_:)`` refuses its response.
    ///   `.limitConcurrency` belongs inside: outside, the calls that wait for a refresh hold their
    ///   permits, and a refresh that calls through the app's own connector waits for a permit forever. With a scope,
    ///   inside of `.baseURL`, since a relative URL has no origin.
    /// - Events: ``Refreshing`` and ``Refreshed``.
    /// - Errors: ``ConnectionError/refreshFailed(_:after:)`` for all waiting calls when the refresh fails, or the store
    ///   fails to save the new token; the next call tries a new refresh, or to save that token again.
    ///   ``ConnectionError/missingCredentials(debugInfo:)`` if the token is empty or can't be sent, or if the URL of the
    ///   scope has no origin. If a new token is rejected too, that response is returned. A 401 from another origin, to
    ///   which an inner redirect led, rejects no token, since none was sent there.
    /// - State: the running refresh belongs to the store, and all connectors with that store share it; the number of
    ///   recent refreshes is counted for each wrapped connector.
    public static func refreshToken<Problem>(
        in store: TokenStore,
        to scope: CredentialScope = .anyOrigin,
        _ policy: RefreshPolicy = RefreshPolicy(),
        clock: some Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        first: (@Sendable (Connector) async -> Fetched<TransformError<Problem>, AccessToken>)? = nil,
        by refresh: @escaping @Sendable (AccessToken, Connector) async -> Fetched<TransformError<Problem>, AccessToken>
    ) -> Wrapper {
        let tokens = StoredTokens(requestsFirst: first != nil) { token, connector in
            let fetched = if token.isNone, let first { await first(connector) } else { await refresh(token, connector) }
            return fetched.mapLeft { RefreshFailure($0, of: token) }
        }
        return sending(tokens, named: "refreshToken", of: store, to: scope, policy, clock.timeSinceNow(), now)
    }

    /// Sends stored tokens in a scope, and replaces them by new ones.
    static func sending(
        _ tokens: StoredTokens,
        named name: String,
        of store: TokenStore,
        to scope: CredentialScope,
        _ policy: RefreshPolicy,
        _ time: @escaping @Sendable () -> Duration,
        _ now: @escaping @Sendable () -> Date
    ) -> Wrapper {
        Wrapper(scope.name(of: name)) { connector in
            let authenticator = TokenAuthenticator(
                store: store,
                policy: policy,
                time: time,
                now: now,
                tokens: tokens,
                connector: connector,
                window: Locked(RefreshWindow(limit: policy.limit, length: policy.window))
            )
            return connector.wrapped(
                by: Wrapper(perCall: TokenOwners.self) { input, next, owners in
                    switch input.isIn(scope) {
                    case .left(let error): .noResponse(error)
                    case .right(true) where input.options[WithoutStoredToken.self] == nil:
                        await authenticator.call(input, next, owners)
                    case .right: await next(input)
                    }
                }
            )
        }
    }
}

/// The rules by which a token is sent and refreshed.
public struct RefreshPolicy: Sendable {
    /// The type that a new token must have, without regard to case (RFC 6749 7.1), for
    /// ``Wrapper/oauth(_:at:_:in:to:_:first:clock:now:)``.
    public var tokenType: String

    /// The time before its expiry at which a token is refreshed.
    public var leeway: Duration

    /// The maximum number of refreshes within ``window``.
    public var limit: Int

    /// The sliding window in which refreshes are counted.
    public var window: Duration

    /// Whether a response, whose payload may be broken (``Output/response``), rejects the token.
    public var isRejection: @Sendable (Response) -> Bool

    /// Whether a call gets the token; if not, the call is sent once, unchanged, and the store is not asked.
    public var isForToken: @Sendable (Input) -> Bool

    /// The function that adds a token to an input, or returns the error for which the token can't be sent.
    public var attach: @Sendable (AccessToken, Input) -> Either<ConnectionError, Input>

    /// The default leeway: 10 seconds, as in http4k (`CredentialsProvider`, grace period).
    ///
    /// The leeway is longer than a request takes to arrive, and longer than the difference between clocks that are set
    /// by the network.
    @usableFromInline static let defaultLeeway = Duration.seconds(10)

    /// The default maximum number of refreshes: 5, as in Alamofire.
    ///
    /// A server that rejects every token it issues is not asked forever. Alamofire's value is
    /// `AuthenticationInterceptor.RefreshWindow`, `maximumAttempts`.
    @usableFromInline static let defaultLimit = 5

    /// The default window: 30 seconds, as in Alamofire (`AuthenticationInterceptor.RefreshWindow`, `interval`).
    @usableFromInline static let defaultWindow = Duration.seconds(30)

    /// Creates a policy.
    ///
    /// The default is bearer tokens that are rejected with 401, for all calls that do not already have an
    /// `Authorization`.
    public init(
        tokenType: String = "Bearer",
        leeway: Duration = defaultLeeway,
        limit: Int = defaultLimit,
        window: Duration = defaultWindow,
        isRejection: @escaping @Sendable (Response) -> Bool = { $0.statusCode == .unauthorized },
        isForToken: @escaping @Sendable (Input) -> Bool = { !$0.headers.contains(Authorization.headerName) },
        attach: @escaping @Sendable (AccessToken, Input) -> Either<ConnectionError, Input> = bearer
    ) {
        (self.tokenType, self.leeway, self.limit, self.window) = (tokenType, leeway, limit, window)
        (self.isRejection, self.isForToken, self.attach) = (isRejection, isForToken, attach)
    }

    /// Sets `Authorization: Bearer …` (RFC 6750 2.1).
    ///
    /// - Returns: the request with the token; left with the error of ``Either/bearer(_:)`` if the token can't be
    ///   sent.
    @Sendable
    @usableFromInline static func bearer(_ token: AccessToken, _ input: Input) -> Either<ConnectionError, Input> {
        .right(input).authorized(by: .bearer(token.value))
    }

    /// Returns whether a token could be expired when it arrives at the server.
    func expiresSoon(_ token: AccessToken, now: @autoclosure () -> Date) -> Bool {
        token.expires.map { $0.timeIntervalSince(now()) <= leeway / .seconds(1) } ?? false
    }
}

extension RefreshFailure {
    /// Creates the failure for the error of a refresh.
    ///
    /// - Parameter token: the token that was to be replaced; a server may repeat it in the description of its error.
    init<Problem>(_ error: CallError<TransformError<Problem>>, of token: AccessToken) {
        switch error {
        case .left(let error): self = .noResponse(error)
        case .right(let error):
            let secrets = [token.value, token.refreshToken ?? ""]
            self = .noToken(
                error.response,
                reason: Redaction.standard.shown(text: Self.reason(error, hiding: secrets))
            )
        }
    }

    private static func reason<Problem>(_ error: TransformError<Problem>, hiding secrets: [String]) -> String {
        let reason =
            switch error {
            case .problem(let problem, _): "\(problem)"
            case .unexpectedStatusCode: "unexpected status code"
            case .malformedData(_, let debugInfo): debugInfo
            case .invalid(_, let reason): reason
            }
        if case .problem = error { return reason }
        return OAuthError.text(of: error.response, hiding: secrets).map { "\($0) (\(reason))" } ?? reason
    }
}
