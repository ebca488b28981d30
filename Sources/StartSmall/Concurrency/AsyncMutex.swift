/// An asynchronous lock that admits one task at a time, in the order of arrival.
///
/// A task waits even if it is cancelled: the work under the lock has to take turns in any case. For waiting that a
/// cancellation ends, see ``Wrapper/limitConcurrency(_:waiting:)``, which executes the same ``ConcurrencyQueue``.
struct AsyncMutex: Sendable {
    private let queue = Locked(ConcurrencyQueue<CheckedContinuation<Void, Never>>(limit: 1, maxWaiting: nil))

    /// The number of waiting tasks.
    var waitingCount: Int { queue.withLock(\.count) }

    /// Runs a function after all tasks that arrived before have finished theirs.
    func withLock<Result>(_ body: () async -> Result) async -> Result {
        if !queue.withLock({ $0.tryAcquire() }) {
            await withCheckedContinuation { continuation in
                let decision = queue.withLock { $0.acquire(continuation) }
                if decision == .admit { continuation.resume() }
            }
        }
        let result = await body()
        queue.withLock { $0.release() }?.resume()
        return result
    }
}
