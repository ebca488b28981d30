/// The calls that wait at one gate, first come, first served; it decides only, and has no side effects.
struct AdmissionQueue<Gate: AdmissionGate, Waiter: Sendable>: ExpiringState {
    /// The decision on a call that arrives, or that decides anew.
    enum Decision {
        case admitted(UInt64)

        /// The call waits until it is woken, or until a time; nil for no time.
        case wait(UInt64, until: Duration?)

        /// The call can't start in time; nil if it is unknown when it can.
        case refused(until: Duration?)
    }

    private struct Waiting: Sendable {
        var waiter: Waiter

        /// The time after which the call does not start.
        let latestStart: Duration
    }

    private var gate: Gate
    private let maxWaiting: Int
    private var waiting: [UInt64: Waiting] = [:]
    private var (oldest, next): (UInt64, UInt64) = (0, 0)
    private var newest: Duration = .zero

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - gate: the limit.
    ///   - maxWaiting: the maximum number of waiting calls.
    init(_ gate: Gate, maxWaiting: Int) {
        (self.gate, self.maxWaiting) = (gate, max(0, maxWaiting))
    }

    /// The number of waiting calls.
    var count: Int { waiting.count }

    /// Starts a call that arrives, and returns its number; nil if it has to wait.
    mutating func admitAtOnce(at time: Duration) -> UInt64? {
        let now = advance(to: time)
        return waiting.isEmpty ? gate.admit(at: now) : nil
    }

    /// Decides on a call that arrives.
    ///
    /// - Parameters:
    ///   - waiter: wakes the call, if it has to wait.
    ///   - maxWait: the longest time to wait.
    ///   - time: the current time; a clock that goes back counts as one that stands still.
    mutating func arrive(_ waiter: @autoclosure () -> Waiter, maxWait: Duration, at time: Duration) -> Decision {
        let now = advance(to: time)
        if let number = admitAtOnce(at: now) { return .admitted(number) }
        let start = gate.start(behind: waiting.count, at: now)
        let latestStart = now + maxWait.bounded
        if waiting.count >= maxWaiting || start ?? now > latestStart { return .refused(until: start) }
        defer { next &+= 1 }
        let isFirst = waiting.isEmpty
        waiting[next] = Waiting(waiter: waiter(), latestStart: latestStart)
        return .wait(next, until: isFirst ? wakeTime(start, latestStart) : nil)
    }

    /// Decides on a waiting call anew, after it was woken or its time has come.
    ///
    /// - Parameters:
    ///   - number: the number of the call.
    ///   - waiter: wakes the call, if it has to wait again.
    ///   - time: the current time.
    /// - Returns: the decision, and the waiter of the call that is the first one now; nil if that has not changed.
    mutating func decide(
        _ number: UInt64,
        _ waiter: @autoclosure () -> Waiter,
        at time: Duration
    ) -> (Decision, wakes: Waiter?) {
        let now = advance(to: time)
        guard let call = waiting[number] else { return (.refused(until: nil), nil) }
        let isFirst = first == number
        if isFirst, now <= call.latestStart, let admitted = gate.admit(at: now) {
            return (.admitted(admitted), remove(number))
        }
        let start = gate.start(behind: 0, at: now)
        if max(start ?? now, now) > call.latestStart || isFirst && now == call.latestStart {
            return (.refused(until: start), remove(number))
        }
        waiting[number]?.waiter = waiter()
        return (.wait(number, until: isFirst ? wakeTime(start, call.latestStart) : nil), nil)
    }

    /// Removes a waiting call, and returns the waiter of the call that is the first one now; nil if it was before.
    mutating func remove(_ number: UInt64) -> Waiter? {
        let wasFirst = first == number
        waiting[number] = nil
        return wasFirst ? first.flatMap { waiting[$0]?.waiter } : nil
    }

    /// Ends a call that started, and returns the waiters to wake.
    mutating func end(_ call: EndedCall, at time: Duration) -> [Waiter] {
        let affected = gate.end(call, at: advance(to: time))
        guard let first else { return [] }
        return affected == .all ? waiting.values.map(\.waiter) : waiting[first].map { [$0.waiter] } ?? []
    }

    /// Returns whether no call waits, and the gate can be removed.
    func isUnused(at now: Duration) -> Bool { waiting.isEmpty && gate.isUnused(at: max(now, newest)) }

    /// The number of the call that has waited longest.
    private var first: UInt64? {
        mutating get {
            while oldest != next, waiting[oldest] == nil { oldest &+= 1 }
            return oldest == next ? nil : oldest
        }
    }

    /// Returns the time at which the first call decides anew by itself; nil if only another call can wake it.
    private func wakeTime(_ start: Duration?, _ latestStart: Duration) -> Duration? {
        let time = min(start ?? latestStart, latestStart)
        return time - newest < .maximum ? time : nil
    }

    private mutating func advance(to time: Duration) -> Duration {
        newest = max(newest, time.bounded)
        return newest
    }
}
