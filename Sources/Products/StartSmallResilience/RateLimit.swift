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
    /// A server can stop all calls with the same key, also those that wait: with a 429 or 503 that has a delay
    /// (`RetryAfter`, RFC 9110 10.2.3), or with any response by which no request remains before a reset, such as
    /// `X-RateLimit-Remaining: 0`. If a server has several limits for parts of its API, they need a `key` each.
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
    /// - Events: ``Waiting`` if the call has to wait.
    /// - Errors: ``RateLimited`` if a call would have to wait for too long, or too many wait;
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
                let longest = min(maxWait, next.context.remainingTime ?? maxWait)
                switch await control.admission(to: key, maxWait: longest, next) {
                case .admitted: break
                case .cancelled: return .noResponse(.cancelled)
                case .refused(let start):
                    let wait = start.map { max(.zero, $0 - control.time()) } ?? .maximum
                    return .noResponse(.rateLimited(until: now().advanced(by: wait)))
                }
                let output = await next(input)
                // Also for a stream, whose head has just arrived: its fields hold from now on.
                let response = output.response ?? output.connectionError?.response
                if let pause = response?.pause(now) { control.end(EndedCall(pause: pause), of: key) }
                return output
            }
            return connector.wrapped(by: limiting)
        }
    }
}

extension Response {
    /// Returns the time for which the server accepts no requests; nil if it accepts them.
    fileprivate func pause(_ now: () -> Date) -> Duration? {
        let isThrottled = statusCode == .tooManyRequests || statusCode == .serviceUnavailable
        if isThrottled { return RetryAfter.delay(of: self, now: now()) }
        // The delay of a 202 or 301 is about something else (RFC 9110 10.2.3).
        return rateLimit(now: now()).flatMap { $0.remaining == 0 ? $0.reset : nil }
    }
}

/// The refusal of a limit of requests, which allows none before a time that is too far away to wait for.
public struct RateLimited: Refusal {
    /// The time from which a call could start.
    public let until: Date

    /// The name of the refusal.
    public var name: String { "rateLimited" }

    /// The reason, for developers.
    public var reason: String { "the limit of requests is reached, until \(until.ISO8601Format())" }

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
    fileprivate let interval: Duration

    /// The time by which requests may be early, after a time with fewer of them.
    fileprivate let tolerance: Duration

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
        return RequestRate(interval: interval, tolerance: interval.multiplied(by: max(1, burst) - 1))
    }
}

/// The decisions of a rate limit: a token bucket as GCRA (ITU-T I.371), and the pause that the server requests.
struct RateLimitGate: AdmissionGate {
    private let rate: RequestRate?
    private let maxPause: Duration

    /// The time at which the next request would be due at a steady rate.
    private var due: Duration = .zero
    private var pauseEnd: Duration = .zero

    init(_ rate: RequestRate?, maxPause: Duration) {
        (self.rate, self.maxPause) = (rate, maxPause.bounded)
    }

    mutating func admit(at now: Duration) -> Bool {
        guard start(behind: 0, at: now) ?? now <= now else { return false }
        if let rate { due = max(due, now) + rate.interval }
        return true
    }

    func start(behind others: Int, at now: Duration) -> Duration? {
        let start = max(now, pauseEnd)
        guard let rate else { return start }
        let due = others == 0 ? due : max(due, start) + rate.interval.multiplied(by: others)
        return max(start, due - rate.tolerance)
    }

    mutating func end(_ call: EndedCall, at now: Duration) {
        if let pause = call.pause { pauseEnd = max(pauseEnd, now + min(pause.bounded, maxPause)) }
    }

    func isUnused(at now: Duration) -> Bool { due <= now && pauseEnd <= now }
}
