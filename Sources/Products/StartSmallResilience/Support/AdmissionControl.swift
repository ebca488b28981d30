public import StartSmallCore
import Synchronization

/// The wait of a call for its turn, as the limits of rates and of concurrency report it.
public struct Waiting: ReportedEvent {
    /// The number of calls that are before it in the queue.
    public let behind: Int

    /// Creates an event.
    public init(behind: Int) { self.behind = behind }

    /// The name of the event.
    public var name: String { "waiting" }
}

/// Lets the calls of one wrapped connector wait at the gates of their keys: executes ``AdmissionQueue``.
final class AdmissionControl<Gate: AdmissionGate>: Sendable {
    private typealias Waiter = CheckedContinuation<Admission, Never>

    /// The calls of one key, and the task that wakes the first of them.
    private struct Line: ExpiringState {
        var queue: AdmissionQueue<Gate, Waiter>
        var timer: (end: Duration, task: Task<Void, Never>)?

        func isUnused(at now: Duration) -> Bool { queue.isUnused(at: now) }
    }

    /// The time since the wrapper was put around its connector.
    let time: @Sendable () -> Duration

    private let lines: Mutex<KeyedStates<Line>>
    private let count = Atomic<UInt64>(0)
    private let sleep: @Sendable (_ end: Duration) async throws -> Void

    init(_ gate: Gate, maxWaiting: Int, clock: some Clock<Duration>) {
        lines = Mutex(KeyedStates { Line(queue: AdmissionQueue(gate, maxWaiting: maxWaiting)) })
        time = clock.timeSinceNow()
        let start = clock.now
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// Waits until a call may start.
    ///
    /// - Parameter next: the context of the call, whose listeners receive ``Waiting`` if the call has to wait.
    func admission(of tokens: Int = 0, to key: String, maxWait: Duration, _ next: Next) async -> Admission {
        let now = time()
        let atOnce = lines.withLock { $0.withState(of: key, at: now) { $0.queue.admitAtOnce(tokens, at: now) } }
        let admission = if let atOnce { Admission.admitted(atOnce) } else { await turn(tokens, at: key, maxWait, next) }
        guard case .admitted(let call) = admission, next.isOver else { return admission }
        // Its request would only be abandoned, and count as a failure of the service.
        end(EndedCall(tokens: TokenReport(admission: call, excess: -tokens)), of: key)
        return .cancelled
    }

    func end(_ call: EndedCall, of key: String) { change(key) { $0.queue.end(call, at: $1) } }

    private func turn(_ tokens: Int, at key: String, _ maxWait: Duration, _ next: Next) async -> Admission {
        let id = count.wrappingAdd(1, ordering: .relaxed).newValue
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                var others = 0
                let settled = change(key) { line, now in
                    others = line.queue.count
                    line.queue.add(id, waiter, tokens: tokens, maxWait: maxWait, at: now)
                }
                if settled.contains(id) { return }
                next.report(Waiting(behind: others))
                // The handler may have run before the call was added.
                if Task.isCancelled { cancel(id, of: key) }
            }
        } onCancel: {
            cancel(id, of: key)
        }
    }

    private func cancel(_ id: UInt64, of key: String) {
        var waiter: Waiter?
        change(key) { line, _ in waiter = line.queue.remove(id) }
        waiter?.resume(returning: .cancelled)
    }

    /// Changes the line of a key, and resumes the calls that need not wait any more.
    ///
    /// - Returns: the IDs of these calls.
    @discardableResult
    private func change(_ key: String, _ body: (inout Line, _ now: Duration) -> Void) -> [UInt64] {
        let now = time()
        let (settled, oldTimer) = lines.withLock { lines in
            lines.withState(of: key, at: now) { line in
                body(&line, now)
                let settled = line.queue.settle(at: now)
                let (end, old) = (line.queue.nextStart, line.timer)
                if end == old?.end { return (settled, nil as Task<Void, Never>?) }
                line.timer = end.map { ($0, timer(until: $0, key)) }
                return (settled, old?.task)
            }
        }
        oldTimer?.cancel()
        for call in settled { call.waiter.resume(returning: call.admission) }
        return settled.map(\.id)
    }

    private func timer(until end: Duration, _ key: String) -> Task<Void, Never> {
        Task { [weak self, sleep] in
            do { try await sleep(end) } catch { return }
            self?.change(key) { line, _ in line.timer = nil }
        }
    }
}
