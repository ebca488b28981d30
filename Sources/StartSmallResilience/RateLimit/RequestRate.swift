/// A number of requests in a time.
///
/// ```swift
/// .rateLimit(.requests(10, per: .seconds(1)))
/// ```
public struct RequestRate: Hashable, Sendable {
    /// The time from one request to the next, at a steady rate.
    let interval: Duration

    /// The time by which requests may be early, after a time with fewer of them.
    let tolerance: Duration

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
