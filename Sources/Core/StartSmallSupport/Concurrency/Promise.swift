/// A value that one task waits for and another task provides; an earlier cancellation wins over the value.
public struct Promise<Value: Sendable>: Sendable {
    /// Creates an open promise.
    @inlinable public init() {}

    @usableFromInline enum State {
        case open
        case awaited(CheckedContinuation<Value?, Never>)

        /// The value; nil if the waiting task was cancelled before there was one.
        case settled(Value?)
    }

    @usableFromInline let state = Locked(State.open)

    /// Provides the value.
    ///
    /// - Returns: false if the waiting task is cancelled, or has a value already.
    @inlinable @discardableResult
    public func fulfill(_ value: Value) -> Bool {
        settle(value)
    }

    /// Waits for the value; may be called once.
    ///
    /// - Returns: the value; nil if the task was cancelled before.
    @inlinable
    public func value() async -> Value? {
        if let early = settled { return early }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                var early: Value??
                state.withLock { state in
                    if case .settled(let value) = state { early = .some(value) } else { state = .awaited(continuation) }
                }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            _ = settle(nil)
        }
    }

    /// The value, or nil in its place after a cancellation; nil if the promise is open.
    @usableFromInline var settled: Value?? {
        var settled: Value??
        state.withLock { if case .settled(let value) = $0 { settled = .some(value) } }
        return settled
    }

    /// Settles the promise, and resumes the waiting task outside of the lock.
    @usableFromInline
    func settle(_ value: Value?) -> Bool {
        var isFirst = false
        var waiter: CheckedContinuation<Value?, Never>?
        state.withLock { state in
            if case .settled = state { return }
            isFirst = true
            if case .awaited(let continuation) = state { waiter = continuation }
            state = .settled(value)
        }
        waiter?.resume(returning: value)
        return isFirst
    }
}
