/// The alarm of one request that waits for its head: the head may come before the alarm is even set.
struct HeadTimer: Sendable {
    private enum State {
        case unset
        case set(UInt64)
        case stopped
    }

    private let state = Locked(State.unset)

    /// Whether the head is still waited for.
    var isRunning: Bool {
        state.withLock { if case .stopped = $0 { false } else { true } }
    }

    /// Sets the alarm, unless the head is there by then.
    ///
    /// - Parameter set: Sets it, and returns its number.
    func start(_ set: () -> UInt64) {
        state.withLock { if case .unset = $0 { $0 = .set(set()) } }
    }

    /// Stops waiting, once: the number of the alarm to turn off, if there is one.
    func stop() -> UInt64? {
        state.withLock { state in
            defer { state = .stopped }
            return if case .set(let id) = state { id } else { nil }
        }
    }
}
