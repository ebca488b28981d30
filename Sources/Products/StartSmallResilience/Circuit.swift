/// The state of one circuit: a pure function from a state, an event and a time to the next state.
struct Circuit: Hashable, Sendable {
    private enum Phase: Hashable, Sendable {
        case closed

        /// A circuit that sends nothing until a time.
        case open(until: Duration)

        /// One call tests the service; after a time, another one does.
        case halfOpen(until: Duration)
    }

    /// The permission to send a request, which the end of the call gives back.
    struct Permit: Hashable, Sendable {
        /// The number of the phase in which the call began: what began before a change says nothing about the present.
        fileprivate let phase: UInt64
    }

    enum Decision: Hashable, Sendable {
        /// The call is sent; `isTest` if it tests a service that failed.
        case send(Permit, isTest: Bool)
        case refuse(for: Duration)
    }

    private let policy: CircuitBreakerPolicy
    private var phase = Phase.closed
    private var phaseNumber: UInt64 = 0
    private var newest: Duration = .zero
    private var consecutiveFailures = 0
    private var window: CallWindow?
    private var outstanding = 0

    init(_ policy: CircuitBreakerPolicy) {
        self.policy = policy
        if case .failureRate(_, let length, _) = policy.trip { window = CallWindow(length: length) }
    }

    /// Decides on a call that begins now.
    ///
    /// A clock that goes back counts as one that stands still.
    mutating func begin(at time: Duration) -> Decision {
        let now = advance(to: time)
        switch phase {
        case .closed: return send(isTest: false)
        case .open(let end) where end > now: return .refuse(for: end - now)
        case .halfOpen(let end) where end > now: return .refuse(for: end - now)
        case .open, .halfOpen:
            enter(.halfOpen(until: now + openTime))
            return send(isTest: true)
        }
    }

    /// Ends a call; call it once for each permit.
    mutating func end(_ permit: Permit, _ outcome: CallOutcome, at time: Duration) -> CircuitEvent? {
        let now = advance(to: time)
        outstanding -= 1
        guard permit.phase == phaseNumber else { return nil }
        switch (phase, outcome) {
        case (.halfOpen, .unknown):
            enter(.open(until: now))
            return nil
        case (.closed, .unknown), (.open, _): return nil
        case (.halfOpen, .success):
            enter(.closed)
            return .closed
        case (.closed, .success):
            consecutiveFailures = 0
            window?.add(isFailure: false, at: now)
            return nil
        case (.closed, .failure):
            consecutiveFailures += 1
            window?.add(isFailure: true, at: now)
            return isTripped ? open(at: now) : nil
        case (.halfOpen, .failure): return open(at: now)
        }
    }

    private var openTime: Duration { policy.openFor.bounded }

    private var isTripped: Bool {
        switch policy.trip {
        case .consecutiveFailures(let count): return consecutiveFailures >= max(1, count)
        case .failureRate(let rate, _, let minimumCalls):
            guard let window, window.calls >= max(1, minimumCalls) else { return false }
            return Double(window.failures) >= rate * Double(window.calls)
        }
    }

    private mutating func send(isTest: Bool) -> Decision {
        outstanding += 1
        return .send(Permit(phase: phaseNumber), isTest: isTest)
    }

    private mutating func open(at now: Duration) -> CircuitEvent {
        enter(.open(until: now + openTime))
        return .opened(for: openTime)
    }

    private mutating func enter(_ phase: Phase) {
        self.phase = phase
        phaseNumber &+= 1
        consecutiveFailures = 0
        window?.removeAll()
    }

    private mutating func advance(to time: Duration) -> Duration {
        newest = max(newest, time.bounded)
        return newest
    }
}

extension Circuit: ExpiringState {
    /// The time without calls after which a circuit is forgotten: 10 minutes, or the longest time of the policy.
    private static let shortestRetention: Duration = .seconds(600)

    func isUnused(at now: Duration) -> Bool {
        outstanding == 0 && now - newest >= max(Self.shortestRetention, openTime, window?.length ?? .zero)
    }
}

/// The calls and failures of the last time, by tenths of it.
struct CallWindow: Hashable, Sendable {
    private struct Slot: Hashable, Sendable {
        var calls = 0
        var failures = 0
    }

    private let slotLength: Duration
    private var slots = [Slot](repeating: Slot(), count: slotCount)
    private var newest: Int64 = 0
    private(set) var calls = 0
    private(set) var failures = 0

    /// The number of slots: a call counts for nine to ten tenths of the window.
    private static let slotCount = 10

    /// The shortest slot, so that no division is by zero.
    private static let shortestSlot: Duration = .milliseconds(1)

    init(length: Duration) {
        slotLength = max(length.bounded / Self.slotCount, Self.shortestSlot)
    }

    /// Adds a call; the times of all calls must not go back.
    mutating func add(isFailure: Bool, at now: Duration) {
        discard(before: number(of: now))
        let slot = Int(newest % Int64(Self.slotCount))
        slots[slot].calls += 1
        calls += 1
        if isFailure {
            slots[slot].failures += 1
            failures += 1
        }
    }

    mutating func removeAll() {
        if calls > 0 { slots = Array(repeating: Slot(), count: Self.slotCount) }
        (calls, failures) = (0, 0)
    }

    var length: Duration { slotLength * Self.slotCount }

    private func number(of time: Duration) -> Int64 { Int64(time / slotLength) }

    private mutating func discard(before number: Int64) {
        let current = max(newest, number)
        for passed in 0..<min(current - newest, Int64(Self.slotCount)) {
            let slot = Int((current - passed) % Int64(Self.slotCount))
            calls -= slots[slot].calls
            failures -= slots[slot].failures
            slots[slot] = Slot()
        }
        newest = current
    }
}
