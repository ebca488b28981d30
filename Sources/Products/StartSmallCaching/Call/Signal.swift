/// A value that one task waits for, and that comes once.
struct Signal<Value: Sendable>: Sendable {
    private let channel = AsyncStream.makeStream(of: Value.self)

    func send(_ value: Value) {
        channel.continuation.yield(value)
        channel.continuation.finish()
    }

    /// Waits for the value; may be called once.
    ///
    /// - Returns: the value; nil as soon as the task is cancelled.
    func value() async -> Value? {
        for await value in channel.stream { return value }
        return nil
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
