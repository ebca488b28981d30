/// A value that one task waits for and another brings; a cancellation that comes first wins over it.
struct Promise<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value?, Never>)
        case settled(Value?, isAbandoned: Bool)
    }

    private let state = Locked(State.open)

    /// Brings the value; false if who waits for it has gone, or had one already.
    @discardableResult
    func fulfill(_ value: Value) -> Bool {
        settle(value, isAbandoned: false)
    }

    /// Brings another value in place of the one that was promised, which nobody wants any more; false as ``fulfill(_:)``.
    @discardableResult
    func abandon(_ value: Value) -> Bool {
        settle(value, isAbandoned: true)
    }

    /// Whether nobody wants what was promised any more: another value came, or who waited for it was cancelled.
    var isAbandoned: Bool {
        state.withLock { if case .settled(_, true) = $0 { true } else { false } }
    }

    /// Whether the value came, or who waits for it has gone.
    var isSettled: Bool { settled != nil }

    /// Waits for the value, once; nil if the task was cancelled before it came.
    func value() async -> Value? {
        if let settled { return settled }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                var settled: Value??
                state.withLock { state in
                    if case .settled(let value, _) = state { settled = value } else { state = .awaited(continuation) }
                }
                if let settled { continuation.resume(returning: settled) }
            }
        } onCancel: {
            _ = settle(nil, isAbandoned: true)
        }
    }

    /// Does what the value may come of at once: as soon as the task is cancelled, nobody waits for it any more.
    func whileWanted<Result>(_ body: () async -> Result) async -> Result {
        await withTaskCancellationHandler(operation: body) { _ = settle(nil, isAbandoned: true) }
    }

    /// The value if it came, nil in it if who waits for it has gone before; nil as long as it is open.
    var settled: Value?? {
        var settled: Value??
        state.withLock { if case .settled(let value, _) = $0 { settled = .some(value) } }
        return settled
    }

    /// No continuation is resumed under the lock.
    private func settle(_ value: Value?, isAbandoned: Bool) -> Bool {
        var isFirst = false
        var waiter: CheckedContinuation<Value?, Never>?
        state.withLock { state in
            if case .settled = state { return }
            isFirst = true
            if case .awaited(let continuation) = state { waiter = continuation }
            state = .settled(value, isAbandoned: isAbandoned)
        }
        waiter?.resume(returning: value)
        return isFirst
    }
}
