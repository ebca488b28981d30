import Foundation
import StartSmall
import Synchronization

/// Checks that each call begins once and ends once, with no event after its end.
final class CallAudit: Sendable {
    private struct State {
        var running: Set<CallID> = []
        var started = 0
        var objections: [String] = []
    }

    private let state = Mutex(State())

    var listener: Listener {
        Listener { [self] event, call in
            state.withLock { state in
                switch event {
                case .started:
                    state.started += 1
                    if !state.running.insert(call).inserted { state.objections.append("started twice") }
                case .ended: if state.running.remove(call) == nil { state.objections.append("ended twice") }
                default: if !state.running.contains(call) { state.objections.append("\(event.name) after the end") }
                }
            }
        }
    }

    /// The number of begun calls, of those that have not ended, and the violations.
    var summary: (started: Int, running: Int, objections: Set<String>) {
        state.withLock { ($0.started, $0.running.count, Set($0.objections)) }
    }
}

/// Counts concurrent calls: the current and the highest number.
final class Meter: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }
    var now: Int { counts.withLock { $0.now } }

    func counting(_ work: () async -> Output) async -> Output {
        counts.withLock { counts in
            counts.now += 1
            counts.most = max(counts.most, counts.now)
        }
        defer { counts.withLock { $0.now -= 1 } }
        return await work()
    }
}

/// Checks that retries never exceed the budget.
final class BudgetAudit: Sendable {
    /// A budget small enough to be used up: 20 free retries in 2 s, and 5 for a hundred successes, while 1 in 8 calls
    /// fails.
    private static let (window, freePerSecond, percent) = (Duration.seconds(2), 10, 5)

    /// The tolerance of time: a thread may be delayed between a retry or a success and its record here.
    private static let slack = Duration.seconds(1) / 2

    static let policy = RetryPolicy(
        backoff: .exponential(attempts: 3, baseDelay: .milliseconds(5), maxDelay: .milliseconds(20))
    )

    static func budget() -> RetryBudget {
        RetryBudget(window: window, freePerSecond: freePerSecond, percent: percent)
    }

    private struct State {
        var tries = Moments()
        var successes = Moments()
        var allTries = 0
        var refused = 0
        var worst = 0.0
    }

    private let state = Mutex(State())

    /// Records a success before the outer wrapper does.
    func noting(_ output: Output) -> Output {
        if output.response?.statusCode.isSuccess == true { state.withLock { $0.successes.add(.now) } }
        if RetryCondition.isTransient(output) { state.withLock { $0.refused += 1 } }
        return output
    }

    /// Checks each retry: against the retries of a window shorter than the budget's, and the successes of a longer one.
    var listener: Listener {
        Listener { [self] (event: Event) in
            guard event.reported(Retrying.self) != nil else { return }
            state.withLock { state in
                let now = ContinuousClock.now
                state.allTries += 1
                state.tries.add(now)
                let tries = state.tries.count(since: now - (Self.window - Self.slack))
                let successes = state.successes.count(since: now - (Self.window + Self.slack))
                let free = Self.freePerSecond * Int(Self.window / .seconds(1))
                state.worst = max(state.worst, Double(tries) / (Double(free) + Double(successes * Self.percent) / 100))
            }
        }
    }

    /// The number of retries, of refused retries, and the highest used share of the budget: 1 is all of it.
    var summary: (tries: Int, failures: Int, worst: Double) {
        state.withLock { ($0.allTries, $0.refused, $0.worst) }
    }
}

/// Points in time; old ones are dropped.
private struct Moments {
    private var times: [ContinuousClock.Instant] = []
    private var first = 0

    mutating func add(_ time: ContinuousClock.Instant) {
        times.append(time)
    }

    mutating func count(since start: ContinuousClock.Instant) -> Int {
        while first < times.count, times[first] < start { first += 1 }
        if first > times.count / 2 {
            times.removeFirst(first)
            first = 0
        }
        return times.count - first
    }
}
