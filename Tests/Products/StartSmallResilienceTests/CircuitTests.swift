import StartSmallTesting
import Testing

@testable import StartSmallResilience

struct CircuitTests {
    /// An event of the table: a call that begins, or the end of the call that began as number `n`.
    private enum Step: Sendable {
        case begin(at: Int, Expected)
        case end(Int, CallOutcome, at: Int, CircuitEvent? = nil)
    }

    private enum Expected: Equatable, Sendable { case sent, test, refused(seconds: Int) }

    private func run(_ policy: CircuitBreakerPolicy, _ steps: [Step]) {
        var (circuit, permits) = (Circuit(policy), [Circuit.Permit?]())
        for (index, step) in steps.enumerated() {
            switch step {
            case .begin(let time, let expected):
                switch circuit.begin(at: .seconds(time)) {
                case .send(let permit, let isTest):
                    #expect(expected == (isTest ? .test : .sent), "step \(index)")
                    permits.append(permit)
                case .refuse(let duration):
                    #expect(expected == .refused(seconds: Int(duration / .seconds(1))), "step \(index)")
                    permits.append(nil)
                }
            case .end(let number, let outcome, let time, let change):
                guard let permit = permits[number] else {
                    Issue.record("step \(index) ends a refused call")
                    return
                }
                permits[number] = nil
                #expect(circuit.end(permit, outcome, at: .seconds(time)) == change, "step \(index)")
            }
        }
    }

    /// Two failures, which open the circuit at the time 0 for 5 seconds.
    private static let opened: [Step] = [
        .begin(at: 0, .sent), .end(0, .failure, at: 0), .begin(at: 0, .sent),
        .end(1, .failure, at: 0, .opened(for: .seconds(5))),
    ]

    /// What happens to a circuit that opens after two consecutive failures.
    private static let courses: [(fact: String, steps: [Step])] = [
        (
            "consecutive failures open the circuit, and a success in between does not let them add up",
            [
                .begin(at: 0, .sent), .end(0, .failure, at: 0), .begin(at: 1, .sent), .end(1, .success, at: 1),
                .begin(at: 2, .sent), .end(2, .failure, at: 2), .begin(at: 3, .sent), .end(3, .unknown, at: 3),
                .begin(at: 3, .sent), .end(4, .failure, at: 4, .opened(for: .seconds(5))),
                .begin(at: 4, .refused(seconds: 5)), .begin(at: 8, .refused(seconds: 1)),
            ]
        ),
        (
            "one call at a time tests the service when the time is over; its success closes the circuit",
            opened + [
                .begin(at: 5, .test), .begin(at: 6, .refused(seconds: 4)), .end(2, .success, at: 7, .closed),
                .begin(at: 7, .sent), .begin(at: 7, .sent),
            ]
        ),
        (
            "a failed test opens the circuit again for the whole time",
            opened + [
                .begin(at: 5, .test), .end(2, .failure, at: 6, .opened(for: .seconds(5))),
                .begin(at: 10, .refused(seconds: 1)), .begin(at: 11, .test),
            ]
        ),
        (
            "a cancelled test leaves its place to the next call",
            opened + [
                .begin(at: 5, .test), .end(2, .unknown, at: 6), .begin(at: 6, .test), .end(3, .success, at: 6, .closed),
            ]
        ),
        (
            "a test call that takes longer than the circuit is open leaves its place to the next",
            opened + [
                .begin(at: 5, .test), .begin(at: 6, .refused(seconds: 4)), .begin(at: 10, .test),
                .end(2, .failure, at: 11), .begin(at: 11, .refused(seconds: 4)), .end(4, .success, at: 12, .closed),
                .begin(at: 12, .sent),
            ]
        ),
        (
            "a call that began before a change says nothing about the present",
            [
                .begin(at: 0, .sent), .begin(at: 0, .sent), .begin(at: 0, .sent), .begin(at: 0, .sent),
                .begin(at: 0, .sent), .end(0, .failure, at: 1), .end(1, .failure, at: 1, .opened(for: .seconds(5))),
                .end(2, .success, at: 2), .begin(at: 3, .refused(seconds: 3)),
                .begin(at: 6, .test), .end(3, .success, at: 6), .begin(at: 6, .refused(seconds: 5)),
                .end(6, .success, at: 7, .closed), .end(4, .failure, at: 8),
                .begin(at: 8, .sent), .end(8, .failure, at: 8), .begin(at: 8, .sent),
            ]
        ),
        (
            "a clock that goes back counts as one that stands still, and lets no second call test the service",
            [
                .begin(at: 20, .sent), .end(0, .failure, at: 9), .begin(at: 8, .sent),
                .end(1, .failure, at: 7, .opened(for: .seconds(5))),
                .begin(at: 6, .refused(seconds: 5)), .begin(at: 25, .test), .begin(at: 2, .refused(seconds: 5)),
                .end(3, .unknown, at: 1), .begin(at: 0, .test), .begin(at: 29, .refused(seconds: 1)),
                .begin(at: 28, .refused(seconds: 1)), .end(5, .success, at: 3, .closed), .begin(at: 2, .sent),
            ]
        ),
    ]

    @Test("an open circuit refuses calls for its time, and then one call at a time tests it", arguments: courses)
    private func course(fact: String, steps: [Step]) {
        run(CircuitBreakerPolicy(trip: .consecutiveFailures(2), openFor: .seconds(5)), steps)
    }

    @Test("the failure rate counts from the minimum number of calls on, over the window")
    func rate() {
        let policy = CircuitBreakerPolicy(trip: .failureRate(0.5, over: .seconds(10), minimumCalls: 4))
        func steps(_ outcomes: [CallOutcome], at time: Int, from first: Int = 0, opens: Bool) -> [Step] {
            outcomes.enumerated().flatMap { index, outcome -> [Step] in
                let change = opens && index == outcomes.count - 1 ? CircuitEvent.opened(for: .seconds(5)) : nil
                return [.begin(at: time, .sent), .end(first + index, outcome, at: time, change)]
            }
        }
        run(policy, steps([.failure, .failure, .failure], at: 0, opens: false))
        run(policy, steps([.failure, .failure, .failure, .success], at: 0, opens: false))
        run(policy, steps([.success, .success, .success, .failure, .failure, .failure], at: 0, opens: true))
        run(policy, steps([.success, .success, .failure, .failure], at: 0, opens: true))
        let old = steps([.failure, .failure, .failure], at: 0, opens: false)
        run(policy, old + steps([.failure], at: 9, from: 3, opens: true))
        run(policy, old + steps([.failure], at: 10, from: 3, opens: false))
    }

    @Test("a clock that goes back, and times beyond all limits, crash nothing")
    func clocks() {
        var circuit = Circuit(
            CircuitBreakerPolicy(trip: .failureRate(0, over: .zero, minimumCalls: -1), openFor: .seconds(-1))
        )
        for time: Duration in [.seconds(10), .zero, .seconds(-5), .seconds(Int64.max), .zero, .seconds(Int64.min)] {
            guard case .send(let permit, _) = circuit.begin(at: time) else { continue }
            _ = circuit.end(permit, .failure, at: time)
        }
        for policy in [
            CircuitBreakerPolicy(
                trip: .failureRate(.nan, over: .seconds(Int64.max), minimumCalls: .max),
                openFor: .seconds(Int64.max)
            ),
            CircuitBreakerPolicy(trip: .consecutiveFailures(.min), openFor: .zero),
        ] {
            var circuit = Circuit(policy)
            guard case .send(let permit, _) = circuit.begin(at: .seconds(1)) else { continue }
            _ = circuit.end(permit, .failure, at: .seconds(1))
            _ = circuit.begin(at: .seconds(2))
        }
    }

    @Test("a law: at most one test at a time, nothing is sent while open, and every call ends", arguments: 0..<20)
    func law(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let trip: CircuitBreakerPolicy.Trip =
            seed.isMultiple(of: 2)
            ? .consecutiveFailures(3) : .failureRate(0.5, over: .seconds(20), minimumCalls: 5)
        var circuit = Circuit(CircuitBreakerPolicy(trip: trip, openFor: .seconds(10)))
        var (now, openUntil, testUntil) = (Duration.zero, Duration.zero, Duration.zero)
        var test: Circuit.Permit?
        var running: [(permit: Circuit.Permit, isTest: Bool)] = []
        for _ in 0..<2_000 {
            now += .milliseconds(random.below(1_500))
            if random.below(3) > 0 {
                switch circuit.begin(at: now) {
                case .send(let permit, let isTest):
                    #expect(now >= openUntil)
                    // A test call that takes too long does not count any more.
                    if isTest, now < testUntil { Issue.record("two test calls at \(now)") }
                    if isTest { (test, testUntil) = (permit, now + .seconds(10)) }
                    running.append((permit, isTest))
                case .refuse(let duration): #expect(duration > .zero)
                }
            } else if !running.isEmpty {
                let call = running.remove(at: random.below(running.count))
                let outcome: CallOutcome = [.success, .failure, .failure, .unknown][random.below(4)]
                if case .opened(let duration) = circuit.end(call.permit, outcome, at: now) {
                    openUntil = now + duration
                }
                if call.permit == test { testUntil = .zero }
            }
        }
        for call in running { _ = circuit.end(call.permit, .unknown, at: now) }
        #expect(!circuit.isUnused(at: now))
        #expect(circuit.isUnused(at: now + .seconds(600)))
    }
}
