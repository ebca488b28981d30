/// The timer of one request that waits for its head; the head may arrive before the timer is set.
struct HeadTimer: Sendable {
    private enum State {
        case unset
        case set(UInt64)
        case stopped
    }

    private let state = Locked(State.unset)

    /// Whether the request still waits for its head.
    var isRunning: Bool {
        state.withLock { if case .stopped = $0 { false } else { true } }
    }

    /// Sets the timer, unless the head has arrived by then.
    ///
    /// - Parameter set: sets the timer, and returns its ID.
    func start(_ set: () -> UInt64) {
        state.withLock { if case .unset = $0 { $0 = .set(set()) } }
    }

    /// Stops the timer, once; returns the ID of the timer to cancel, if one is set.
    func stop() -> UInt64? {
        state.withLock { state in
            defer { state = .stopped }
            return if case .set(let id) = state { id } else { nil }
        }
    }
}
