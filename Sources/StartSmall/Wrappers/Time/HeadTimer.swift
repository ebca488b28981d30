import Synchronization

/// The alarm of one request that waits for its head: the head may come before the alarm is even set.
struct HeadTimer: Sendable {
    private enum State {
        case unset
        case set(UInt64)
        case stopped
    }

    private let change: @Sendable (_ change: (inout State) -> Void) -> Void

    init() {
        let state = Mutex(State.unset)
        change = { body in state.withLock { body(&$0) } }
    }

    /// Whether the head is still waited for.
    var isRunning: Bool {
        var isRunning = true
        change { if case .stopped = $0 { isRunning = false } }
        return isRunning
    }

    /// Sets the alarm, unless the head is there by then.
    ///
    /// - Parameter set: Sets it, and returns its number.
    func start(_ set: () -> UInt64) {
        change { if case .unset = $0 { $0 = .set(set()) } }
    }

    /// Stops waiting, once: the number of the alarm to turn off, if there is one.
    func stop() -> UInt64? {
        var timerID: UInt64?
        change { state in
            if case .set(let id) = state { timerID = id }
            state = .stopped
        }
        return timerID
    }
}
