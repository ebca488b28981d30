/// The decisions of a rate limit: a token bucket as GCRA (ITU-T I.371), and the limits that the server reports.
struct RateLimitGate: AdmissionGate {
    /// The calls that the server accepts until a time.
    private struct Window: Hashable, Sendable {
        /// The number of calls that may still start.
        ///
        /// The smallest of all reports counts, less the calls that started after the reporting one: the server has not
        /// counted those. Responses can arrive in another order than the server counted their requests.
        var left: Int
        let end: Duration

        /// The number of the call whose response opened the window.
        let reporter: UInt64
    }

    /// The difference of two times by which they still belong to the same window: servers send whole seconds.
    private static let sameWindow: Duration = .seconds(1)

    /// The number of policies of a server that are remembered.
    private static let maximumWindows = 16

    /// The maximum length in bytes of a policy's name; a longer one is not remembered.
    private static let longestName = 128

    private let rate: RequestRate?
    private let maxPause: Duration

    /// The time at which the next request would be due at a steady rate.
    private var due: Duration = .zero
    private var pauseEnd: Duration = .zero

    /// The windows by the bytes of their policies' names.
    ///
    /// Hashing a text from a server would take time with the square of the number of its accents.
    private var windows: [[UInt8]: Window] = [:]
    private var (running, started): (Int, UInt64) = (0, 0)

    /// Creates a gate.
    ///
    /// - Parameters:
    ///   - rate: the client's own limit; nil for the server's only.
    ///   - maxPause: the longest time for which a server can pause the client.
    init(_ rate: RequestRate?, maxPause: Duration) {
        (self.rate, self.maxPause) = (rate, maxPause.bounded)
    }

    mutating func admit(at now: Duration) -> UInt64? {
        guard start(behind: 0, at: now) ?? now <= now else { return nil }
        if let rate { due = max(due, now) + rate.interval }
        for policy in windows.keys { windows[policy]?.left -= 1 }
        running += 1
        started += 1
        return started
    }

    func start(behind others: Int, at now: Duration) -> Duration? {
        var start = max(now, pauseEnd)
        for window in windows.values where window.end > now && window.left <= others { start = max(start, window.end) }
        guard let rate else { return start }
        let due = others == 0 ? due : max(due, start) + rate.interval.multiplied(by: others)
        return max(start, due - rate.tolerance)
    }

    mutating func end(_ call: EndedCall, at now: Duration) -> AffectedCalls {
        let before = start(behind: 0, at: now) ?? now
        running -= 1
        if !windows.isEmpty { windows = windows.filter { $0.value.end > now } }
        if let delay = call.requestedDelay { pauseEnd = max(pauseEnd, now + min(delay.bounded, maxPause)) }
        for quota in call.quotas { add(quota, of: call.number, at: now) }
        return start(behind: 0, at: now) ?? now > before ? .all : .next
    }

    private mutating func add(_ quota: EndedCall.Quota, of number: UInt64, at now: Duration) {
        let left = quota.remaining - Int(clamping: max(started, number) - number)
        let end = now + min(quota.reset.bounded, maxPause)
        let policy = Array(quota.policy.utf8.prefix(Self.longestName + 1))
        guard policy.count <= Self.longestName else { return }
        if let window = windows[policy], number < window.reporter || end - window.end <= Self.sameWindow {
            windows[policy]?.left = min(window.left, left)
        } else if windows[policy] != nil || windows.count < Self.maximumWindows {
            windows[policy] = Window(left: left, end: end, reporter: number)
        }
    }

    func isUnused(at now: Duration) -> Bool {
        running == 0 && due <= now && pauseEnd <= now && windows.values.allSatisfy { $0.end <= now }
    }
}
