/// The decisions of a rate limit: a token bucket as GCRA (ITU-T I.371), and the limits that the server reports.
struct RateLimitGate: AdmissionGate {
    /// The calls that the server accepts until a time.
    private struct Window: Hashable, Sendable {
        /// The smallest number that the server has reported for this window.
        ///
        /// Responses can arrive in another order than the server counted them.
        var remaining: Int
        let end: Duration
    }

    /// The difference of two times by which they still belong to the same window: servers send whole seconds.
    private static let sameWindow: Duration = .seconds(1)

    private let rate: RequestRate?
    private let maxPause: Duration

    /// The time at which the next request would be due at a steady rate.
    private var due: Duration = .zero
    private var pauseEnd: Duration = .zero
    private var window: Window?
    private var running = 0

    /// Creates a gate.
    ///
    /// - Parameters:
    ///   - rate: the client's own limit; nil for the server's only.
    ///   - maxPause: the longest time for which a server can pause the client.
    init(_ rate: RequestRate?, maxPause: Duration) {
        (self.rate, self.maxPause) = (rate, maxPause.bounded)
    }

    mutating func admit(at now: Duration) -> Bool {
        guard start(behind: 0, at: now) ?? now <= now else { return false }
        if let rate { due = max(due, now) + rate.interval }
        running += 1
        return true
    }

    func start(behind others: Int, at now: Duration) -> Duration? {
        var start = max(now, pauseEnd)
        // A running call counts, whether the server has counted it or not.
        if let window, window.end > now, window.remaining - running <= others { start = max(start, window.end) }
        guard let rate else { return start }
        let due = others == 0 ? due : max(due, start) + rate.interval.multiplied(by: others)
        return max(start, due - rate.tolerance)
    }

    mutating func end(_ call: EndedCall, at now: Duration) -> AffectedCalls {
        let before = start(behind: 0, at: now) ?? now
        running -= 1
        if let delay = call.requestedDelay { pauseEnd = max(pauseEnd, now + min(delay.bounded, maxPause)) }
        if let quota = call.quota { add(quota, at: now) }
        return start(behind: 0, at: now) ?? now > before ? .all : .next
    }

    private mutating func add(_ quota: EndedCall.Quota, at now: Duration) {
        let end = now + min(quota.reset.bounded, maxPause)
        if let window, window.end > now, max(end, window.end) - min(end, window.end) <= Self.sameWindow {
            self.window?.remaining = min(window.remaining, quota.remaining)
        } else {
            window = Window(remaining: quota.remaining, end: end)
        }
    }

    func isUnused(at now: Duration) -> Bool {
        running == 0 && due <= now && pauseEnd <= now && window?.end ?? .zero <= now
    }
}
