public import Foundation

extension Wrapper {
    /// Wrapper that sends a token with each call, and a new one a second time if the server rejects the first.
    ///
    /// However many calls fail together, there is one refresh, and those that come meanwhile wait for it. A call that failed
    /// with an older token than the store has by now is sent again without a refresh. A token that expires soon is
    /// refreshed before anything is sent.
    ///
    /// The refresh runs in a task of its own: cancelling a call that waits leaves the others unharmed, and when all of them
    /// are cancelled it goes on, for the server may have used up the old refresh token already (RFC 9700 4.14.2), and the
    /// new one would be lost. What limits its time is what stands inside of this wrapper, or what `refresh` calls.
    ///
    /// `refresh` gets the token and the connector inside of this wrapper, and is to call through that one. What it calls
    /// does not pass through here while it goes on, not even through the app's own connector; but whatever stands outside
    /// of this wrapper is then passed a second time.
    ///
    /// What the app does to the store during a refresh stays: the new token is saved only if the store still has the one that
    /// was refreshed. After a logout, a call that was rejected ends with its rejection. After a login, a call with the token
    /// of that login does not wait for the refresh, and one of the account before ends with
    /// ``RefreshFailure/identityChanged`` if the tokens have an ``AccessToken/identity``. Without identities it is sent with
    /// the token that there is, since nothing tells a login from a refresh by another process.
    ///
    /// A new token that the store does not take is not lost, for the old one may be used up. The calls that waited for it
    /// end with ``RefreshFailure/storeFailed(debugInfo:)``; the next ones go with it, and the store is asked again to save
    /// it, until it does, or has another token than it had.
    ///
    /// - Unchanged when: the request is none of the token's (``RefreshPolicy/isForToken``), as one with an `Authorization`
    ///   of its own is; or the store has no token. Only in the last case is the store asked.
    /// - Order: outside of ``redirect(_:)``, which leaves the token behind where another origin begins; inside of what
    ///   tries again, so that each try has the token of its time. A rejection that ``validate(_:)`` refuses inside is one
    ///   all the same.
    ///   ``limitConcurrency(_:waiting:)`` belongs inside: outside, the calls that wait for a refresh keep their places, and
    ///   a refresh that calls through the app's own connector waits for one of them for ever.
    /// - Reports: ``Event/refreshing(after:isFirst:)`` and ``Event/refreshed``.
    /// - Fails with: ``ConnectionError/refreshFailed(_:after:)`` for all that wait when the refresh fails; the next call
    ///   tries again. ``ConnectionError/missingCredentials(debugInfo:)`` if the token is empty, or can't be sent. A new
    ///   token that is rejected too is the server's last word: that response is returned.
    ///   A 401 of another origin, to which a redirect inside led, rejects no token, since none was sent there.
    /// - State: the refresh that is going on and a token that is not saved belong to the store, and all connectors with that
    ///   store share them; the number of the last refreshes is counted for each wrapped connector.
    public static func refreshToken<Problem>(
        in store: TokenStore,
        _ policy: RefreshPolicy = RefreshPolicy(),
        clock: some Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        by refresh: @escaping @Sendable (AccessToken, Connector) async -> Fetched<TransformError<Problem>, AccessToken>
    ) -> Wrapper {
        refreshToken(in: store, onlyFor: nil, policy, clock: clock, now: now, by: refresh)
    }

    /// Wrapper that sends a token with each call to one origin, and a new one a second time if the server rejects the first.
    ///
    /// - Unchanged when: the request goes to another origin than that of `only`; then the store is not asked. Else as
    ///   without `only`, and so is all that is said there.
    /// - Order: inside of `.baseURL`, since a relative URL has no origin; else as without `only`.
    /// - Fails with: ``ConnectionError/missingCredentials(debugInfo:)`` for every call if `only` is no absolute `http` or
    ///   `https` URL; else as without `only`.
    public static func refreshToken<Problem>(
        in store: TokenStore,
        only home: URL,
        _ policy: RefreshPolicy = RefreshPolicy(),
        clock: some Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        by refresh: @escaping @Sendable (AccessToken, Connector) async -> Fetched<TransformError<Problem>, AccessToken>
    ) -> Wrapper {
        refreshToken(in: store, onlyFor: home, policy, clock: clock, now: now, by: refresh)
    }

    private static func refreshToken<Problem>(
        in store: TokenStore,
        onlyFor home: URL?,
        _ policy: RefreshPolicy,
        clock: some Clock<Duration>,
        now: @escaping @Sendable () -> Date,
        by refresh: @escaping @Sendable (AccessToken, Connector) async -> Fetched<TransformError<Problem>, AccessToken>
    ) -> Wrapper {
        Wrapper(wrapping: { connector in
            let desk = TokenAuthenticator(
                store: store,
                policy: policy,
                time: clock.timeSinceNow(),
                now: now,
                refresh: { token in await refresh(token, connector).mapLeft(RefreshFailure.init) }
            )
            return connector.wrapped(
                by: Wrapper { input, next in
                    switch input.mayTake(origin: home) {
                    case .left(let error): .noResponse(error)
                    case .right(true): await desk.call(input, next)
                    case .right(false): await next(input)
                    }
                }
            )
        })
    }
}

extension RefreshFailure {
    fileprivate init<Problem>(_ error: CallError<TransformError<Problem>>) {
        switch error {
        case .left(let error): self = .noResponse(error)
        case .right(let error):
            self = .noToken(error.response, reason: Redaction.standard.shown(text: Self.reason(error)))
        }
    }

    private static func reason<Problem>(_ error: TransformError<Problem>) -> String {
        switch error {
        case .problem(let problem, _): "\(problem)"
        case .unexpectedStatusCode: "unexpected status code"
        case .malformedData(_, let debugInfo): debugInfo
        case .invalid(_, let reason): reason
        }
    }
}
