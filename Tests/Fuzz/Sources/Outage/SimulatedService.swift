import Foundation
import StartSmall
import Synchronization

@testable import StartSmallTesting

/// A service with a number of workers and a queue, which works on a request even if its client has left.
final class SimulatedService: Sendable {
    private struct State {
        var freeAt: [Duration]
        var random: SplitMix64
        var requestsBySecond: [Int]
    }

    /// The number of requests that are worked on at a time.
    private static let workers = 12

    /// The time of one request; the service can answer 240 a second.
    private static let workTime = Duration.milliseconds(50)

    /// The longest time that a request waits before it is rejected.
    private static let longestQueue = Duration.seconds(8)

    private let state: Mutex<State>
    private let clock: ManualClock

    init(_ clock: ManualClock, seed: UInt64) {
        self.clock = clock
        let workers = Array(repeating: Duration.zero, count: Self.workers)
        let seconds = Array(repeating: 0, count: Phase.totalSeconds + 1)
        state = Mutex(State(freeAt: workers, random: SplitMix64(seed: seed), requestsBySecond: seconds))
    }

    /// The number of requests that the service got in each second.
    var requestsBySecond: [Int] { state.withLock { $0.requestsBySecond } }

    /// The service as a connector.
    var connector: Connector {
        Connector { [self] _ in
            switch answer(at: clock.now.offset) {
            case .after(let delay, let output):
                do { try await clock.sleep(for: delay) } catch { return .noResponse(.cancelled) }
                return output
            case .never:
                do { try await clock.sleep(for: .seconds(86_400)) } catch {}
                return .noResponse(.cancelled)
            }
        }
    }

    private enum Answer {
        case after(Duration, Output)
        case never
    }

    private func answer(at now: Duration) -> Answer {
        state.withLock { state in
            state.requestsBySecond[min(Int(now / .seconds(1)), Phase.totalSeconds)] += 1
            switch Phase.at(now) {
            case .dead: return .never
            case .rejecting:
                return .after(.milliseconds(5), .status(.serviceUnavailable, headers: ["Retry-After": "2"]))
            case .slow: return queued(&state, now, timesAsLong: 8)
            case .recovering: return queued(&state, now, timesAsLong: 2)
            case .healthy, .healthyAgain: return queued(&state, now, timesAsLong: 1)
            }
        }
    }

    /// Queues a request for the worker that is free first.
    private func queued(_ state: inout State, _ now: Duration, timesAsLong factor: Int) -> Answer {
        let worker = state.freeAt.indices.min { state.freeAt[$0] < state.freeAt[$1] } ?? 0
        let start = max(now, state.freeAt[worker])
        guard start - now <= Self.longestQueue else {
            return .after(.milliseconds(5), .status(.serviceUnavailable))
        }
        // Between half and one and a half of the time; one request in fifty takes ten times as long.
        let isSlow = state.random.next() % 50 == 0
        let part = Duration.microseconds(Int64(state.random.next() % 50_000)) + Self.workTime / 2
        let end = start + part * factor * (isSlow ? 10 : 1)
        state.freeAt[worker] = end
        return .after(end - now, .text("ok"))
    }
}
