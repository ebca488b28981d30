/// A value that one task waits for and another task provides; an earlier cancellation wins over the value.
struct Promise<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value?, Never>)
        case settled(Value?, isAbandoned: Bool)
    }

    private let state = Locked(State.open)

    /// Provides the value.
    ///
    /// - Returns: false if the waiting task is cancelled, or has a value already.
    @discardableResult
    func fulfill(_ value: Value) -> Bool {
        settle(value, isAbandoned: false)
    }

    /// Provides another value in place of the promised one, which is no longer needed.
    ///
    /// - Returns: false if the waiting task is cancelled, or has a value already.
    @discardableResult
    func abandon(_ value: Value) -> Bool {
        settle(value, isAbandoned: true)
    }

    /// Whether the promised value is no longer needed: another value replaced it, or the waiting task was cancelled.
    var isAbandoned: Bool {
        state.withLock { if case .settled(_, true) = $0 { true } else { false } }
    }

    /// Whether the promise has a value, or the waiting task was cancelled.
    var isSettled: Bool { settled != nil }

    /// Waits for the value; may be called once.
    ///
    /// - Returns: the value; nil if the task was cancelled before.
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

    /// Runs work that can provide the value synchronously, and abandons the promise as soon as the task is cancelled.
    func whileWanted<Result>(_ body: () async -> Result) async -> Result {
        await withTaskCancellationHandler(operation: body) { _ = settle(nil, isAbandoned: true) }
    }

    /// The value, if there is one; `.some(nil)` if the waiting task was cancelled before; nil while the promise is
    /// open.
    var settled: Value?? {
        var settled: Value??
        state.withLock { if case .settled(let value, _) = $0 { settled = .some(value) } }
        return settled
    }

    /// Settles the promise, and resumes the waiting task outside of the lock.
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
