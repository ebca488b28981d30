/// The decisions of a limit on whether the next call may start.
///
/// All times are relative to one start, and never go back.
protocol AdmissionGate: ExpiringState {
    /// Starts a call if the limit allows it now, and returns whether it does.
    mutating func admit(at now: Duration) -> Bool

    mutating func end(_ call: EndedCall, at now: Duration)

    /// Returns the earliest time at which a call can start if others start before it; nil if it is unknown.
    func start(behind others: Int, at now: Duration) -> Duration?
}

/// The facts about a call at its end, by which a gate changes.
struct EndedCall: Hashable, Sendable {
    var outcome = CallOutcome.unknown
    var duration = Duration.zero

    /// The time for which the server wants no calls; nil if it accepts them.
    var pause: Duration?
}

enum Admission: Hashable, Sendable {
    /// The call has started, and must be ended.
    case admitted(at: Duration)

    /// The call can't start in time; nil if it is unknown when it can.
    case refused(until: Duration?)
    case cancelled
}

/// The calls that wait at one gate, first come, first served; it decides only, and has no side effects.
struct AdmissionQueue<Gate: AdmissionGate, Waiter: Sendable>: ExpiringState {
    private struct Waiting: Sendable {
        let id: UInt64
        let waiter: Waiter

        /// The time after which the call does not start.
        let latestStart: Duration
    }

    private(set) var gate: Gate
    private let maxWaiting: Int
    private var waiting: ArraySlice<Waiting> = []

    /// Whether a waiting call may have a time after which it does not start.
    private var isLimited = false
    private var newest: Duration = .zero

    init(_ gate: Gate, maxWaiting: Int) {
        (self.gate, self.maxWaiting) = (gate, maxWaiting)
    }

    var count: Int { waiting.count }

    /// The time at which ``settle(at:)`` admits the next call; nil if only the end of another call can.
    var nextStart: Duration? {
        guard !waiting.isEmpty, let start = gate.start(behind: 0, at: newest) else { return nil }
        return start - newest < .maximum ? start : nil
    }

    /// Starts a call that need not wait, and returns whether it has started.
    mutating func admitAtOnce(at time: Duration) -> Bool {
        let now = advance(to: time)
        return waiting.isEmpty && gate.admit(at: now)
    }

    /// Adds a call behind the others; ``settle(at:)`` decides on it.
    mutating func add(_ id: UInt64, _ waiter: Waiter, maxWait: Duration, at time: Duration) {
        isLimited = (isLimited && !waiting.isEmpty) || maxWait < .maximum
        waiting.append(Waiting(id: id, waiter: waiter, latestStart: advance(to: time) + maxWait.bounded))
    }

    /// Removes a waiting call, and returns its waiter; nil if it waits no longer.
    mutating func remove(_ id: UInt64) -> Waiter? {
        waiting.firstIndex { $0.id == id }.map { waiting.remove(at: $0).waiter }
    }

    mutating func end(_ call: EndedCall, at time: Duration) {
        let now = advance(to: time)
        gate.end(call, at: now)
    }

    /// Removes and returns the calls that start now, and those that can't start in time.
    mutating func settle(at time: Duration) -> [(id: UInt64, waiter: Waiter, admission: Admission)] {
        let now = advance(to: time)
        var settled: [(id: UInt64, waiter: Waiter, admission: Admission)] = []
        while let call = waiting.first {
            let start = gate.start(behind: 0, at: now)
            if max(start ?? now, now) > call.latestStart {
                settled.append((call.id, call.waiter, .refused(until: start)))
            } else if gate.admit(at: now) {
                settled.append((call.id, call.waiter, .admitted(at: now)))
            } else {
                break
            }
            waiting.removeFirst()
        }
        // A thousand calls that wait for the end of another one are not looked at for each end.
        if !isLimited, gate.start(behind: 0, at: now) == nil {
            while waiting.count > maxWaiting, let call = waiting.popLast() {
                settled.append((call.id, call.waiter, .refused(until: nil)))
            }
            // The buffer of a slice keeps what has left it.
            if waiting.isEmpty { waiting = [] }
            return settled
        }
        var others = 0
        waiting.removeAll { [gate, maxWaiting] call in
            let start = gate.start(behind: others, at: now)
            guard others >= maxWaiting || max(start ?? now, now) > call.latestStart else {
                others += 1
                return false
            }
            settled.append((call.id, call.waiter, .refused(until: start)))
            return true
        }
        return settled
    }

    /// Returns whether no call waits, and the gate can be removed.
    func isUnused(at now: Duration) -> Bool { waiting.isEmpty && gate.isUnused(at: max(now, newest)) }

    /// A clock that goes back counts as one that stands still.
    private mutating func advance(to time: Duration) -> Duration {
        newest = max(newest, time.bounded)
        return newest
    }
}
