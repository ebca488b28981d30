import StartSmall
import Synchronization

/// Lets the calls of one wrapped connector wait at the gates of their keys: executes ``AdmissionQueue``.
final class AdmissionControl<Gate: AdmissionGate>: Sendable {
    /// A call that has started, and must be ended.
    struct Permit: Sendable {
        let number: UInt64
        let start: Duration
    }

    /// The result of waiting.
    enum Admission: Sendable {
        case admitted(Permit)

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

    /// Starts a call that need not wait; nil if it has to wait, or fails.
    func admitAtOnce(_ key: String) -> Permit? {
        let now = time()
        let number = queues.withLock { $0.withState(of: key, at: now) { $0.admitAtOnce(at: now) } }
        return number.map { Permit(number: $0, start: now) }
    }

    /// Waits until a call may start.
    ///
    /// - Parameters:
    ///   - key: the key of the call.
    ///   - maxWait: the longest time to wait.
    ///   - next: the context of the call, whose listeners receive `waiting(behind:)` if the call has to wait.
    func admission(to key: String, maxWait: Duration, _ next: Next) async -> Admission {
        let arrival = time()
        var signals: AsyncStream<Void>?
        var (decision, behind) = withQueue(of: key, at: arrival) { queue in
            (queue.arrive(Self.waiter(&signals), maxWait: maxWait, at: arrival), Int?(queue.count))
        }
        while true {
            switch decision {
            case .admitted(let number):
                let now = time()
                guard next.isOver else { return .admitted(Permit(number: number, start: now)) }
                // Its request would only be abandoned, and count as a failure of the service.
                end(EndedCall(number: number), of: key, at: now)
                return .cancelled
            case .refused(let date): return .refused(for: date.map { max(.zero, $0 - time()) })
            case .wait(let number, let end):
                // The call itself is one of those that wait.
                if let behind { next.report(.waiting(behind: behind - 1)) }
                behind = nil
                if let signals { await Self.wait(until: end, or: signals, sleep) }
                let now = time()
                if Task.isCancelled {
                    withQueue(of: key, at: now) { $0.remove(number) }?.finish()
                    return .cancelled
                }
                var waker: Waiter?
                (decision, waker) = withQueue(of: key, at: now) { $0.decide(number, Self.waiter(&signals), at: now) }
                waker?.finish()
            }
        }
    }

    /// Ends a call that was admitted.
    func end(_ call: EndedCall, of key: String, at now: Duration) {
        for waiter in withQueue(of: key, at: now, { $0.end(call, at: now) }) { waiter.finish() }
    }

    private func withQueue<Result: Sendable>(
        of key: String,
        at now: Duration,
        _ body: (inout Queue) -> Result
    ) -> Result {
        queues.withLock { $0.withState(of: key, at: now, body) }
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
