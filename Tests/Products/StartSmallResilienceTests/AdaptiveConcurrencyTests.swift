import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallResilience

struct AdaptiveConcurrencyTests {
    private func gate(_ policy: AdaptiveConcurrency, running: Int) -> AdaptiveGate {
        var gate = AdaptiveGate(policy)
        for _ in 0..<running { _ = gate.admit(0, at: .zero) }
        return gate
    }

    private let policy = AdaptiveConcurrency.adaptive(in: 2...30, from: 10, slowerThan: .seconds(1))

    @Test("as many successes as the limit increase it by about one")
    func increases() {
        var gate = gate(policy, running: 10)
        for _ in 0..<10 {
            gate.end(EndedCall(outcome: .success), at: .zero)
            _ = gate.admit(0, at: .zero)
        }
        #expect(gate.limit > 10.9 && gate.limit <= 11)
    }

    @Test("a limit of which little is used does not increase")
    func unused() {
        var gate = gate(policy, running: 5)
        for _ in 0..<100 {
            gate.end(EndedCall(outcome: .success), at: .zero)
            _ = gate.admit(0, at: .zero)
        }
        #expect(gate.limit == 10)
    }

    @Test(
        "a failure or a slow call decreases the limit by a tenth, and a cancelled one does not",
        arguments: [
            (EndedCall(outcome: .failure), 9), (EndedCall(outcome: .success, duration: .seconds(2)), 9),
            (EndedCall(outcome: .success, duration: .seconds(1)), 10.1), (EndedCall(outcome: .unknown), 10),
            (EndedCall(outcome: .unknown, duration: .seconds(9)), 10),
        ] as [(EndedCall, Double)]
    )
    func decreases(_ call: EndedCall, _ limit: Double) {
        var gate = gate(policy, running: 10)
        gate.end(call, at: .seconds(10))
        #expect(abs(gate.limit - limit) < 0.001)
    }

    @Test("calls that ran at the time of a decrease cause no further one")
    func once() {
        var gate = gate(policy, running: 10)
        for _ in 0..<9 { gate.end(EndedCall(outcome: .failure, duration: .seconds(5)), at: .seconds(10)) }
        #expect(gate.limit == 9)
        gate.end(EndedCall(outcome: .failure, duration: .seconds(1)), at: .seconds(12))
        #expect(abs(gate.limit - 8.1) < 0.001)
    }

    @Test("the limit stays within its bounds")
    func bounds() {
        var (low, high) = (gate(policy, running: 2), gate(policy, running: 10))
        for second in 1...1_000 {
            low.end(EndedCall(outcome: .failure), at: .seconds(second))
            _ = low.admit(0, at: .seconds(second))
            high.end(EndedCall(outcome: .success), at: .seconds(second))
            while high.admit(0, at: .seconds(second)) {}
        }
        #expect(low.limit == 2)
        #expect(high.limit == 30)
        for bounds in [0...0, -5 ... -1, 1...Int.max, Int.max...Int.max] {
            let policy = AdaptiveConcurrency.adaptive(in: bounds, from: .max)
            var gate = gate(policy, running: 1)
            gate.end(EndedCall(outcome: .success), at: .zero)
            #expect(policy.initial >= 1 && gate.admit(0, at: .zero))
        }
    }

    @Test("calls beyond the limit wait, a cancelled one gives up its place, and too many fail")
    func waiting() async {
        let (clock, log, sent, latch) = (ManualClock(), EventLog(), Recorder<Input>(), Latch())
        let connector = Connector.stub { input in
            sent.append(input)
            await latch.wait()
            return Sample.ok
        }.wrapped(
            by: .listen(to: log.listener),
            .limitConcurrency(.adaptive(in: 1...1), waiting: 2, clock: clock)
        )
        func start() -> Task<Output, Never> { Task { await WebAPI.call(with: Sample.input, via: connector) } }
        var tasks = [start()]
        while sent.elements.isEmpty { await Task.yield() }
        for count in 1...2 {
            tasks.append(start())
            while log.names.count(where: { $0 == "waiting" }) < count { await Task.yield() }
        }
        #expect(await start().value == .noResponse(.tooManyCalls(limit: 1, waiting: 2)))
        tasks[1].cancel()
        #expect(await tasks[1].value == .noResponse(.cancelled))
        latch.open()
        #expect(await tasks[0].value == Sample.ok)
        #expect(await tasks[2].value == Sample.ok)
        #expect(sent.elements.count == 2)
        #expect(clock.sleeperCount == 0)
    }
}
