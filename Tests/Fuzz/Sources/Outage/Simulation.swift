import Foundation
import StartSmall
import Synchronization

@testable import StartSmallTesting

/// The calls of one simulation and the requests that the service got.
struct SimulationResult: Sendable {
    struct Call: Sendable {
        let start: Duration
        let duration: Duration
        let isSuccess: Bool
    }

    let name: String
    let calls: [Call]
    let requestsBySecond: [Int]
}

/// Calls a service at a steady rate while it fails, in virtual time.
struct Simulation {
    /// The number of calls in one second: two fifths of what the healthy service can answer.
    private static let callsPerSecond = 100

    /// The step of the virtual time.
    private static let step = Duration.milliseconds(10)

    /// The time after the last call in which all calls end.
    private static let remainder = Duration.seconds(15)

    private let stack: Stack
    private let clock = ManualClock()
    private let service: SimulatedService
    private let seed: UInt64

    init(_ stack: Stack, seed: UInt64) {
        (self.stack, self.seed) = (stack, seed)
        service = SimulatedService(clock, seed: seed)
    }

    func run() async -> SimulationResult {
        let bits = Mutex(SplitMix64(seed: seed &+ 1))
        let connector = service.connector.wrapped(by: .all(stack.wrappers(clock) { bits.withLock { $0.next() } }))
        let ended = Recorder<SimulationResult.Call>()
        guard let url = URL(string: "https://api.test/") else {
            return SimulationResult(name: "", calls: [], requestsBySecond: [])
        }
        let end = Duration.seconds(Phase.totalSeconds)
        var (started, tasks) = (0, [Task<Void, Never>]())
        while clock.now.offset < end + Self.remainder {
            while clock.now.offset < end, Duration.seconds(1) * started / Self.callsPerSecond <= clock.now.offset {
                started += 1
                tasks.append(
                    Task { [clock] in
                        let start = clock.now.offset
                        let output = await WebAPI.call(with: Input(url: url), via: connector)
                        let isSuccess = output.response?.statusCode == .ok
                        ended.append(.init(start: start, duration: clock.now.offset - start, isSuccess: isSuccess))
                    }
                )
            }
            await settle(ended)
            clock.advance(by: Self.step)
        }
        for task in tasks { await task.value }
        return SimulationResult(name: stack.name, calls: ended.elements, requestsBySecond: service.requestsBySecond)
    }

    /// Returns when nothing happens any more at this time.
    private func settle(_ ended: Recorder<SimulationResult.Call>) async {
        var (last, unchanged) = ((-1, -1, -1), 0)
        while unchanged < 3 {
            for _ in 0..<20 { await Task.yield() }
            let current = (ended.elements.count, clock.sleeperCount, service.requestsBySecond.reduce(0, +))
            unchanged = current == last ? unchanged + 1 : 0
            last = current
        }
    }
}
