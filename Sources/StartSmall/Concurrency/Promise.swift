/// A value that one task waits for and another task provides; an earlier cancellation wins over the value.
struct Promise<Value: Sendable>: Sendable {
    /// The state of a promise for its readers.
    enum Status: Sendable {
        /// No value yet.
        case pending

        /// The value was provided, or another one in its place.
        case fulfilled(Value)

        /// The waiting task was cancelled before there was a value.
        case cancelled

        var isSettled: Bool {
            if case .pending = self { false } else { true }
        }

        /// The value; nil if there is none.
        var value: Value? {
            if case .fulfilled(let value) = self { value } else { nil }
        }
    }

    private enum State {
        case open
        case awaited(CheckedContinuation<Value?, Never>)
        case settled(Value?, isAbandoned: Bool)

        var status: Status {
            switch self {
            case .open, .awaited: .pending
            case .settled(let value?, _): .fulfilled(value)
            case .settled(nil, _): .cancelled
            }
        }
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
    var isSettled: Bool { status.isSettled }

    /// Waits for the value; may be called once.
    ///
    /// - Returns: the value; nil if the task was cancelled before.
    func value() async -> Value? {
        let early = status
        if early.isSettled { return early.value }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                var status = Status.pending
                state.withLock { state in
                    status = state.status
                    if !status.isSettled { state = .awaited(continuation) }
                }
                if status.isSettled { continuation.resume(returning: status.value) }
            }
        } onCancel: {
            _ = settle(nil, isAbandoned: true)
        }
    }

    /// Runs work that can provide the value synchronously, and abandons the promise as soon as the task is cancelled.
    func whileWanted<Result>(_ body: () async -> Result) async -> Result {
        await withTaskCancellationHandler(operation: body) { _ = settle(nil, isAbandoned: true) }
    }

    /// Whether there is a value, and the value.
    var status: Status {
        var status = Status.pending
        state.withLock { status = $0.status }
        return status
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
