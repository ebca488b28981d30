import Synchronization

/// A value that one task waits for, and that comes once.
///
/// A class, since all who know the signal share its state.
final class Signal<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case open
        case awaited(CheckedContinuation<Value?, Never>)

        /// The value; nil if the waiting task was cancelled before there was one.
        case settled(Value?)
    }

    private let state = Mutex(State.open)

    /// Sends the value, which has no effect after a cancellation.
    func send(_ value: Value) { settle(value) }

    /// Waits for the value; may be called once.
    ///
    /// - Returns: the value; nil if the task was cancelled before.
    func value() async -> Value? {
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
            settle(nil)
        }
    }

    private var settled: Value?? {
        state.withLock { if case .settled(let value) = $0 { .some(value) } else { nil } }
    }

    private func settle(_ value: Value?) {
        var waiter: CheckedContinuation<Value?, Never>?
        state.withLock { state in
            if case .settled = state { return }
            if case .awaited(let continuation) = state { waiter = continuation }
            state = .settled(value)
        }
        waiter?.resume(returning: value)
    }
}

/// Runs an operation to its end in a task of its own, which the cancellation of the caller does not cancel.
///
/// The task starts on the caller's thread, so that an operation without suspension costs no switch of threads. On Apple
/// platforms before version 26, it is an ordinary task.
///
/// - Returns: the result; nil as soon as the calling task is cancelled.
func outliving<Value: Sendable>(_ operation: @escaping @Sendable () async -> Value) async -> Value? {
    let signal = Signal<Value>()
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        Task.immediate { signal.send(await operation()) }
    } else {
        Task { signal.send(await operation()) }
    }
    return await signal.value()
}
