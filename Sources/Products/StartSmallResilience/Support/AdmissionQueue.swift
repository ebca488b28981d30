/// The decisions of a limit on whether the next call may start.
///
/// All times are relative to one start, and never go back.
protocol AdmissionGate: ExpiringState {
    /// Starts a call of this many tokens if the limit allows it now, and returns whether it does.
    mutating func admit(_ tokens: Int, at now: Duration) -> Bool

    mutating func end(_ call: EndedCall, at now: Duration)

    /// Returns the earliest time at which a call of this many tokens can start if others start before it; nil if it is
    /// unknown.
    func start(of tokens: Int, behind others: CallsAhead, at now: Duration) -> Duration?

    /// The tokens of all calls that have started.
    var spent: Int64 { get }
}

extension AdmissionGate {
    /// None: a limit that does not count tokens.
    var spent: Int64 { 0 }
}

/// The calls that start before another one.
struct CallsAhead: Hashable, Sendable {
    var count = 0

    /// The sum of their tokens, at most the largest cost of one call.
    var tokens = 0

    mutating func add(_ tokens: Int) {
        count += 1
        self.tokens = min(self.tokens + tokens, TokenCost.largest)
    }
}

/// The facts about a call at its end, by which a gate changes.
struct EndedCall: Hashable, Sendable {
    var outcome = CallOutcome.unknown
    var duration = Duration.zero

    /// The time for which the server wants no calls; nil if it accepts them.
    var pause: Duration?
    var tokens: TokenReport?
}

/// The facts about the tokens of a call at its end.
struct TokenReport: Hashable, Sendable {
    let admission: AdmittedCall

    /// The number that the call used beyond its estimate; negative if it used fewer.
    var excess = 0

    /// The number that the server still accepts for a time, after this call and those that started before.
    var remaining = 0
    var reset = Duration.zero
}

struct AdmittedCall: Hashable, Sendable {
    let start: Duration

    /// The tokens of all calls that have started, with this one.
    let spent: Int64
}

enum Admission: Hashable, Sendable {
    /// The call has started, and must be ended.
    case admitted(AdmittedCall)

    /// The call can't start in time; nil if it is unknown when it can.
    case refused(until: Duration?)
    case cancelled
}

/// The calls that wait at one gate, first come, first served; it decides only, and has no side effects.
struct AdmissionQueue<Gate: AdmissionGate, Waiter: Sendable>: ExpiringState {
    private struct Waiting: Sendable {
        let id: UInt64
        let waiter: Waiter
        let tokens: Int

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
        guard let first = waiting.first, let start = self.start(of: first, at: newest) else { return nil }
        return start - newest < .maximum ? start : nil
    }

    /// Starts a call that need not wait; nil if it has to.
    mutating func admitAtOnce(_ tokens: Int = 0, at time: Duration) -> AdmittedCall? {
        let now = advance(to: time)
        return waiting.isEmpty ? admit(tokens, at: now) : nil
    }

    private mutating func admit(_ tokens: Int, at now: Duration) -> AdmittedCall? {
        gate.admit(tokens, at: now) ? AdmittedCall(start: now, spent: gate.spent) : nil
    }

    /// Returns the time at which the first call can start.
    private func start(of first: Waiting, at now: Duration) -> Duration? {
        gate.start(of: first.tokens, behind: CallsAhead(), at: now)
    }

    /// Adds a call behind the others; ``settle(at:)`` decides on it.
    mutating func add(_ id: UInt64, _ waiter: Waiter, tokens: Int = 0, maxWait: Duration, at time: Duration) {
        isLimited = (isLimited && !waiting.isEmpty) || maxWait < .maximum
        let latestStart = advance(to: time) + maxWait.bounded
        waiting.append(Waiting(id: id, waiter: waiter, tokens: tokens, latestStart: latestStart))
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
            let start = self.start(of: call, at: now)
            if max(start ?? now, now) > call.latestStart {
                settled.append((call.id, call.waiter, .refused(until: start)))
            } else if let admitted = admit(call.tokens, at: now) {
                settled.append((call.id, call.waiter, .admitted(admitted)))
            } else {
                break
            }
            waiting.removeFirst()
        }
        // A thousand calls that wait for the end of another one are not looked at for each end.
        if !isLimited, gate.start(of: 0, behind: CallsAhead(), at: now) == nil {
            while waiting.count > maxWaiting, let call = waiting.popLast() {
                settled.append((call.id, call.waiter, .refused(until: nil)))
            }
            // The buffer of a slice keeps what has left it.
            if waiting.isEmpty { waiting = [] }
            return settled
        }
        var others = CallsAhead()
        waiting.removeAll { [gate, maxWaiting] call in
            let start = gate.start(of: call.tokens, behind: others, at: now)
            guard others.count >= maxWaiting || max(start ?? now, now) > call.latestStart else {
                others.add(call.tokens)
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
