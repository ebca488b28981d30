public import Foundation
public import StartSmall

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
    /// The server's limits apply as well:
    ///
    /// | response | effect on all calls with the same key, also on those that wait |
    /// | --- | --- |
    /// | 429 or 503 with a delay (`RetryAfter`, RFC 9110 10.2.3) | none starts before that time |
    /// | any, with a number of remaining requests (`RateLimitStatus`) | no more than that start before the reset |
    ///
    /// Each policy that a server names has its own limit. If a server has several limits for parts of its API, and
    /// names none, they need a `key` each.
    ///
    /// A call that would have to wait for too long fails at once. A call that is cancelled while it waits gives up its
    /// place, and uses up nothing.
    ///
    /// - Parameters:
    ///   - rate: the client's own limit; nil, the default, for the server's only.
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
    /// - Events: `Event.waiting(behind:)` if the call has to wait.
    /// - Errors: `ConnectionError.rateLimited(until:)` if a call would have to wait for too long, or too many wait;
    ///   with the time at which a call could start.
    /// - State: the limits and the waiting calls, created once per wrap: all calls through the wrapped connector share
    ///   them.
    public static func rateLimit(
        _ rate: RequestRate? = nil,
        waiting: Int = defaultRateLimitWaiting,
        upTo maxWait: Duration = defaultRateLimitMaxWait,
        maxPause: Duration = defaultRateLimitMaxPause,
        sharedBy key: CallKey = .origin,
        clock: some Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> Wrapper {
        Wrapper("rateLimit") { connector in
            let gate = RateLimitGate(rate, maxPause: maxPause)
            let control = AdmissionControl(gate, maxWaiting: waiting, clock: clock)
            let limiting = Wrapper { input, next in
                if next.context.isDryRun { return await next(input) }
                let key = key(input)
                var permit = control.admitAtOnce(key)
                if permit == nil {
                    let longest = min(maxWait, next.context.remainingTime ?? maxWait)
                    switch await control.admission(to: key, maxWait: longest, next) {
                    case .admitted(let admitted): permit = admitted
                    case .cancelled: return .noResponse(.cancelled)
                    case .refused(let duration):
                        return .noResponse(.rateLimited(until: now().advanced(by: duration ?? .maximum)))
                    }
                }
                let output = await next(input)
                // Also for a stream, whose head has just arrived: its numbers hold from now on.
                var call = EndedCall(output.response ?? output.connectionError?.response, now)
                call.number = permit?.number ?? 0
                control.end(call, of: key, at: control.time())
                return output
            }
            return connector.wrapped(by: limiting)
        }
    }
}

extension EndedCall {
    /// Creates the facts that a response contains about rate limits.
    ///
    /// - Parameters:
    ///   - response: the response as far as it has arrived; nil if there is none.
    ///   - now: returns the current time.
    init(_ response: Response?, _ now: () -> Date) {
        guard let response else { return }
        let isThrottled = response.statusCode == .tooManyRequests || response.statusCode == .serviceUnavailable
        if isThrottled { requestedDelay = RetryAfter.delay(of: response, now: now()) }
        // Retry-After takes precedence over the reset of a limit that is used up.
        let hasDelay = requestedDelay != nil && response.headers.contains("Retry-After")
        for limit in response.rateLimits(now: now()) where !(hasDelay && limit.remaining == 0) {
            guard let reset = limit.reset else { continue }
            quotas.append(Quota(policy: limit.policy ?? "", remaining: limit.remaining, reset: reset))
        }
    }
}
