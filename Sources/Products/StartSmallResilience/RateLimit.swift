public import StartSmallCore
public import StartSmallFoundation
import StartSmallHeaders

extension Wrapper {
    /// The default number of waiting calls: 100, ten times what a screen loads at once.
    @usableFromInline static let defaultRateLimitWaiting = 100

    /// The default longest wait: one minute, as `Backoff.defaultMaxRetryAfter`.
    ///
    /// Rate limits per minute are common, and no user watches a screen for longer.
    @usableFromInline static let defaultRateLimitMaxWait: Duration = .seconds(60)

    /// The default longest pause by a server: one hour, the longest window of the large APIs, such as GitHub's.
    @usableFromInline static let defaultRateLimitMaxPause: Duration = .seconds(3_600)

    /// Starts calls no faster than a rate, and than the server allows; further calls wait, first come, first served.
    ///
    /// ```swift
    /// let app = Connector.standard.wrapped(by: .retry(), .rateLimit(.requests(10, per: .seconds(1))))
    /// ```
    ///
    /// The limit is a token bucket: in any time as long as the period of a ``RequestRate``, at most `limit + burst - 1`
    /// calls start, which with a burst is more than the limit.
    ///
    /// A server can stop all calls with the same key, also those that wait: with a 429 or 503 that has a delay
    /// (`RetryAfter`, RFC 9110 10.2.3), or with any response by which no request or no token remains before a reset, such
    /// as `X-RateLimit-Remaining: 0` (`RateLimits`). If a server has several limits, for parts of its API or for each
    /// model, they need a `key` each.
    ///
    /// With a `cost`, the tokens of each call count as well, by the client's own limit and by what the server reports.
    ///
    /// A call that would have to wait for too long fails at once. A call that is cancelled while it waits gives up its
    /// place, and uses up nothing.
    ///
    /// - Parameters:
    ///   - rate: the client's own limit; nil, the default, for the server's only.
    ///   - cost: the tokens of a call, and the client's own limit of them; nil, the default, counts none.
    ///   - waiting: the maximum number of waiting calls of one key; 100 by default.
    ///   - maxWait: the longest time that a call waits; one minute by default. The time limit of the call counts, too:
    ///     a call does not begin to wait for longer than it has time.
    ///   - maxPause: the longest time for which a server can stop all calls; one hour by default.
    ///   - key: the calls that share the limit; those to one origin by default.
    ///   - clock: the clock that measures the times.
    ///   - now: returns the current time, for dates that servers send, and for the error.
    /// - Passes through: calls that may start now.
    /// - Order: inside of `.retry`, so that each attempt counts. Inside of `.refreshToken`, `.redirect` and a cache:
    ///   each request to the server counts, and an answer from a cache does not. Outside of `.circuitBreaker`, and of
    ///   a time limit that should not include the waiting.
    /// - Events: ``Waiting`` if the call has to wait.
    /// - Errors: ``RateLimited`` if a call would have to wait for too long, or too many wait;
    ///   with the time at which a call could start.
    /// - State: the limits and the waiting calls, created once per wrap: all calls through the wrapped connector share
    ///   them.
    public static func rateLimit(
        _ rate: RequestRate? = nil,
        cost: TokenCost? = nil,
        waiting: Int = defaultRateLimitWaiting,
        upTo maxWait: Duration = defaultRateLimitMaxWait,
        maxPause: Duration = defaultRateLimitMaxPause,
        sharedBy key: CallKey = .origin,
        clock: some Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> Wrapper {
        Wrapper("rateLimit") { connector in
            let gate = RateLimitGate(rate, tokens: cost?.rate, maxPause: maxPause)
            let control = AdmissionControl(gate, maxWaiting: waiting, clock: clock)
            let limiting = Wrapper { input, next in
                if next.context.isDryRun { return await next(input) }
                let (key, tokens) = (key(input), cost?.tokens(of: input) ?? 0)
                let longest = min(maxWait, next.context.remainingTime ?? maxWait)
                let call: AdmittedCall
                switch await control.admission(of: tokens, to: key, maxWait: longest, next) {
                case .admitted(let admitted): call = admitted
                case .cancelled: return .noResponse(.cancelled)
                case .refused(let start):
                    let wait = start.map { max(.zero, $0 - control.time()) } ?? .maximum
                    return .noResponse(.rateLimited(until: now().advanced(by: wait)))
                }
                let output = await next(input)
                // Also for a stream, whose head has just arrived: its fields hold from now on.
                guard let response = output.response ?? output.connectionError?.response else { return output }
                let limits = response.rateLimits(now: now())
                var ended = EndedCall(pause: response.pause(limits, now))
                ended.tokens = cost?.report(on: call, of: tokens, response, limits)
                if ended.pause != nil || ended.tokens != nil { control.end(ended, of: key) }
                return output
            }
            return connector.wrapped(by: limiting)
        }
    }
}

extension Response {
    /// Returns the time for which the server accepts no requests; nil if it accepts them.
    fileprivate func pause(_ limits: RateLimits?, _ now: () -> Date) -> Duration? {
        let isThrottled = statusCode == .tooManyRequests || statusCode == .serviceUnavailable
        // The delay of a 202 or 301 is about something else (RFC 9110 10.2.3).
        return isThrottled ? RetryAfter.delay(of: self, now: now()) : limits?.delay
    }
}

/// The refusal of a limit of requests or tokens, which allows no call before a time that is too far away to wait for.
public struct RateLimited: Refusal {
    /// The time from which a call could start.
    public let until: Date

    /// The name of the refusal.
    public var name: String { "rateLimited" }

    /// The reason, for developers.
    public var reason: String { "the limit of requests or tokens is reached, until \(until.ISO8601Format())" }

    /// The time from which a call may pass.
    public var end: RefusalEnd { .at(until) }

    /// The part whose change lets a later call pass: the limit.
    public var fault: ConnectionError.Fault { .limit }
}

extension ConnectionError {
    /// Returns the error of a call that a limit of requests refused (``RateLimited``).
    public static func rateLimited(until date: Date) -> ConnectionError { .refused(RateLimited(until: date)) }
}

/// A number of requests in a time.
///
/// ```swift
/// .rateLimit(.requests(10, per: .seconds(1)))
/// ```
public struct RequestRate: Hashable, Sendable {
    /// The time from one request to the next, at a steady rate.
    let interval: Duration

    /// The number of requests that may start at once, after a time with fewer of them.
    let burst: Int

    /// The number of requests that may start at once: one, so that no period has more requests than the limit.
    ///
    /// With a burst, a period can have that many more, since a server's windows do not begin with the client's.
    @usableFromInline static let defaultBurst = 1

    /// Returns a rate.
    ///
    /// - Parameters:
    ///   - limit: the number of requests in one period, at least 1.
    ///   - period: the length of the period.
    ///   - burst: the number of requests that may start at once after a pause, at least 1, the default. In any time as
    ///     long as the period, at most `limit + burst - 1` requests start.
    public static func requests(_ limit: Int, per period: Duration, burst: Int = defaultBurst) -> RequestRate {
        let limit = max(1, limit)
        let period = period.bounded
        // Rounded up, so that the limit holds: a duration divided by a number is rounded down.
        let interval = period / limit * limit < period ? period / limit + .nanoseconds(1) : period / limit
        return RequestRate(interval: interval, burst: max(1, burst))
    }
}
