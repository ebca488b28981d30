import Synchronization

/// Lets the calls of one wrapped connector wait at the gates of their keys: executes ``AdmissionQueue``.
final class AdmissionControl<Gate: AdmissionGate>: Sendable {
    /// The result of waiting.
    enum Result: Sendable {
        case admitted

        /// The call can't start in time; nil if it is unknown in which time it could.
        case refused(for: Duration?)
        case cancelled
    }

    private typealias Waiter = AsyncStream<Void>.Continuation
    private typealias Queue = AdmissionQueue<Gate, Waiter>

    /// The time since the wrapper was put around its connector.
    let time: @Sendable () -> Duration

    private let queues: Mutex<KeyedStates<Queue>>
    private let sleep: @Sendable (_ end: Duration) async throws -> Void

    /// Creates the control of a wrapped connector.
    ///
    /// - Parameters:
    ///   - gate: the limit of each key.
    ///   - maxWaiting: the maximum number of waiting calls of each key.
    ///   - clock: the clock of all times.
    init(_ gate: Gate, maxWaiting: Int, clock: some Clock<Duration>) {
        queues = Mutex(KeyedStates { Queue(gate, maxWaiting: maxWaiting) })
        time = clock.timeSinceNow()
        let start = clock.now
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// Waits until a call may start; each admitted call must be ended.
    ///
    /// - Parameters:
    ///   - key: the key of the call.
    ///   - maxWait: the longest time to wait.
    ///   - willWait: called if the call has to wait, with the number of calls before it.
    func admission(to key: String, maxWait: Duration, willWait: (_ behind: Int) -> Void) async -> Result {
        let arrival = time()
        // Created only for a call that has to wait.
        var signals: AsyncStream<Void>?
        var (decision, behind) = withQueue(of: key, at: arrival) { queue in
            let behind = queue.count
            return (queue.arrive(Self.waiter(&signals), maxWait: maxWait, at: arrival), behind)
        }
        var hasWaited = false
        while true {
            switch decision {
            case .admitted: return .admitted
            case .refused(let date): return .refused(for: date.map { max(.zero, $0 - time()) })
            case .wait(let number, let end):
                if !hasWaited { willWait(behind) }
                hasWaited = true
                if let signals { await Self.wait(until: end, or: signals, sleep) }
                let now = time()
                if Task.isCancelled {
                    withQueue(of: key, at: now) { $0.remove(number) }?.finish()
                    return .cancelled
                }
                var waker: Waiter?
                (decision, waker) = withQueue(of: key, at: now) { $0.decide(number, Self.waiter(&signals), at: now) }
                waker?.finish()
                behind = 0
            }
        }
    }

    /// Ends a call that was admitted.
    func end(_ call: EndedCall, of key: String) {
        let now = time()
        for waiter in withQueue(of: key, at: now, { $0.end(call, at: now) }) { waiter.finish() }
    }

    private func withQueue<Result: Sendable>(of key: String, at now: Duration, _ body: (inout Queue) -> Result)
        -> Result
    {
        queues.withLock { queues in queues.withState(of: key, at: now, body) }
    }

    private static func waiter(_ signals: inout AsyncStream<Void>?) -> Waiter {
        let (stream, waiter) = AsyncStream.makeStream(of: Void.self)
        signals = stream
        return waiter
    }

    /// Waits until a time, or until the end of the signals, or until the task is cancelled.
    private static func wait(
        until end: Duration?,
        or signals: AsyncStream<Void>,
        _ sleep: @escaping @Sendable (_ end: Duration) async throws -> Void
    ) async {
        guard let end else {
            for await _ in signals {}
            return
        }
        await withTaskGroup { group in
            group.addTask { try? await sleep(end) }
            group.addTask { for await _ in signals {} }
            await group.next()
            group.cancelAll()
        }
    }
}
