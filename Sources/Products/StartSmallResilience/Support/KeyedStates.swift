/// The states of a wrapper by key, of which only the used ones are kept.
struct KeyedStates<State: ExpiringState>: Sendable {
    private var states: [String: State] = [:]
    private var sweepsAt = Self.leastCount
    private let create: @Sendable () -> State

    /// The number of states from which unused ones are removed: an app calls few origins, a crawler many.
    static var leastCount: Int { 256 }

    init(_ create: @escaping @Sendable () -> State) { self.create = create }

    var count: Int { states.count }

    mutating func withState<Result>(of key: String, at now: Duration, _ body: (inout State) -> Result) -> Result {
        if states.count >= sweepsAt { sweep(at: now) }
        return body(&states[key, default: create()])
    }

    /// Removes the states that equal a new one; the next time when their number has doubled.
    private mutating func sweep(at now: Duration) {
        states = states.filter { !$0.value.isUnused(at: now) }
        sweepsAt = max(Self.leastCount, 2 * states.count)
    }
}

/// A state that is no different from a new one after some time without calls.
protocol ExpiringState: Sendable {
    /// Returns whether the state can be removed: no call uses it, and a new state would decide no differently.
    func isUnused(at now: Duration) -> Bool
}
