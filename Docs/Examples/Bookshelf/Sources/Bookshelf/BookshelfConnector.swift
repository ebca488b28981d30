import StartSmall
import StartSmallAuth
import StartSmallCaching
import StartSmallResilience

extension Connector {
    /// Returns a connector to Bookshelf, which an app creates once.
    ///
    /// - Parameters:
    ///   - engine: the connector that sends the requests, without wrappers; a stub in tests.
    ///   - account: the user's account.
    ///   - cache: the store of responses.
    ///   - app: the app in the user agent, behind this SDK.
    ///   - clock: the clock of limits and retries.
    ///   - random: random bits for the delays of retries.
    public static func bookshelf(
        over engine: Connector = .engine,
        for account: Account,
        cache: CacheStore = .memory(),
        app: UserAgentProduct = .thisApp(),
        clock: some Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) -> Connector {
        // Around each request: a redirect, an attempt, a new token.
        let requests = engine.wrapped(
            by: .cache(in: cache),
            // The API allows ten requests in a second. These are at most nine: a burst of five, and four more.
            .rateLimit(.requests(5, per: .seconds(1), burst: 5), clock: clock),
            .timeout(.seconds(10), clock: clock)
        )
        // Around each call.
        return Connector.standard(over: requests, limitingPayload: 10_000_000).wrapped(
            by: .userAgent([UserAgentProduct("Bookshelf", version: "1.0"), app]),
            .timeout(.seconds(30), clock: clock),
            .idempotencyKey(),
            .retry(.bookshelf, clock: clock, random: random),
            .refusingHotspots,
            .branch,
            .baseURL(account.server),
            .oauth(
                account.client,
                at: account.tokenEndpoint,
                in: account.tokens,
                to: .origin(account.server),
                clock: clock
            )
        )
    }
}

extension RetryPolicy {
    static let bookshelf = exponential(attempts: 3, condition: .standard.or(.bookIsLocked))
}

extension RetryCondition {
    /// Another user changes the book at this moment.
    static let bookIsLocked = RetryCondition { input, output in
        isSafeToReplay(input) && output.response?.statusCode == .locked
    }
}
