import Synchronization

/// A value that one task waits for and another brings; a cancellation that comes first wins over it.
struct Promised<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value?, Never>)
        case settled(Value?)
    }

    private let change: @Sendable (_ change: (inout State) -> @Sendable () -> Void) -> Void

    init() {
        let state = Mutex(State.open)
        // What is left to do is done outside of the lock: no continuation is resumed under it.
        change = { body in state.withLock { body(&$0) }() }
    }

    /// Brings the value; false if who waits for it has gone, or had one already.
    @discardableResult
    func keep(_ value: Value) -> Bool {
        settle(value)
    }

    /// Whether the value came, or who waits for it has gone.
    var isSettled: Bool { settled != nil }

    /// Waits for the value, once; nil if the task was cancelled before it came.
    func value() async -> Value? {
        if let settled { return settled }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                change { state in
                    if case .settled(let value) = state { return { continuation.resume(returning: value) } }
                    state = .awaited(continuation)
                    return {}
                }
            }
        } onCancel: {
            _ = settle(nil)
        }
    }

    /// The value if it came, nil in it if who waits for it has gone before; nil as long as it is open.
    var settled: Value?? {
        var settled: Value??
        change { state in
            if case .settled(let value) = state { settled = .some(value) }
            return {}
        }
        return settled
    }

    private func settle(_ value: Value?) -> Bool {
        var isFirst = false
        change { state in
            if case .settled = state { return {} }
            isFirst = true
            defer { state = .settled(value) }
            guard case .awaited(let continuation) = state else { return {} }
            return { continuation.resume(returning: value) }
        }
        return isFirst
    }
}
