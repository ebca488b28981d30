import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallResilience

/// Laws of the queue over both gates, for random arrivals, late timers, cancellations, ends and pauses.
struct AdmissionQueueTests {
    /// A simulation of callers that obey the queue.
    private struct Simulation<Gate: AdmissionGate> {
        var queue: AdmissionQueue<Gate, UInt64>
        var random: SplitMix64
        var now: Duration = .zero
        var starts: [Duration] = []
        var order: [UInt64] = []
        var (running, mostRunning, ends) = (0, 0, 0)
        var arrivals: UInt64 = 0
        var waiting: Set<UInt64> = []
        var pauseEnd: Duration = .zero

        /// The randomness of the tokens of calls; nil if calls have none.
        var tokens: SplitMix64?
        var mostTokens = 0
        var costs: [UInt64: Int] = [:]
        var givenBack: [(at: Duration, tokens: Int)] = []

        init(_ gate: Gate, seed: Int) {
            queue = AdmissionQueue(gate, maxWaiting: 20)
            random = SplitMix64(seed: UInt64(seed))
        }

        mutating func start(_ id: UInt64) {
            #expect(now >= pauseEnd)
            starts.append(now)
            order.append(id)
            running += 1
            mostRunning = max(mostRunning, running)
        }

        mutating func settle() {
            for call in queue.settle(at: now) {
                let waited = waiting.remove(call.id)
                #expect(waited == call.waiter)
                if case .admitted = call.admission { start(call.id) } else { ends += 1 }
            }
            #expect(queue.count == waiting.count && waiting.count <= 20)
            #expect(waiting.isEmpty || queue.nextStart != nil || running > 0, "nothing would wake the first call")
        }

        mutating func arrive(maxWait: Duration) {
            arrivals += 1
            let tokens = tokens?.below(mostTokens + 1) ?? 0
            costs[arrivals] = tokens
            if queue.admitAtOnce(tokens, at: now) != nil { return start(arrivals) }
            queue.add(arrivals, arrivals, tokens: tokens, maxWait: maxWait, at: now)
            waiting.insert(arrivals)
        }

        mutating func cancel() {
            guard let id = waiting.sorted().dropFirst(random.below(max(1, waiting.count))).first else { return }
            waiting.remove(id)
            ends += 1
            let removed = [queue.remove(id), queue.remove(id)]
            #expect(removed == [id, nil])
        }

        mutating func end(_ call: EndedCall) {
            guard running > 0 else { return }
            running -= 1
            ends += 1
            queue.end(call, at: now)
            if let pause = call.pause { pauseEnd = max(pauseEnd, now + min(pause, .seconds(10))) }
            if let excess = call.tokens?.excess, excess < 0 { givenBack.append((now, -excess)) }
        }

        mutating func run(steps: Int, maxWait: Duration, _ call: (inout SplitMix64) -> EndedCall) {
            for _ in 0..<steps {
                now += .milliseconds(random.below(300))
                settle()
                switch random.below(6) {
                case 0...2: arrive(maxWait: maxWait)
                case 3: cancel()
                default: end(call(&random))
                }
                settle()
            }
        }

        /// Ends all calls, and lets time pass until none waits.
        mutating func finish() {
            while running > 0 || !waiting.isEmpty {
                while running > 0 { end(EndedCall()) }
                settle()
                now = max(now, queue.nextStart ?? now)
            }
            #expect(ends == arrivals)
            #expect(order == order.sorted(), "first come, first served")
        }
    }

    @Test(
        "a law: no period has more starts than the rate allows, none is in a pause, and no call is lost",
        arguments: 0..<24
    )
    func rate(_ seed: Int) {
        let (limit, burst) = (1 + seed % 5, 1 + seed % 4)
        let period = Duration.milliseconds([1_000, 777, 2_001][seed % 3])
        let gate = RateLimitGate(.requests(limit, per: period, burst: burst), maxPause: .seconds(10))
        var simulation = Simulation(gate, seed: seed)
        simulation.run(steps: 600, maxWait: .seconds(20)) { random in
            EndedCall(pause: random.below(20) == 0 ? .milliseconds(random.below(15_000)) : nil)
        }
        simulation.finish()
        let starts = simulation.starts
        for (index, start) in starts.enumerated() {
            let count = starts[index...].prefix { $0 < start + period }.count
            #expect(count <= limit + burst - 1, "from \(start)")
        }
        #expect(starts.count > 20)
        #expect(simulation.queue.isUnused(at: simulation.now + .seconds(20)))
    }

    @Test(
        "a law: no period has calls of more tokens than its rate, its burst and what is given back, and none is lost",
        arguments: 0..<24
    )
    func tokens(_ seed: Int) {
        let (limit, burst) = (100 + 37 * (seed % 5), [30, 100, 300][seed % 3])
        let period = Duration.milliseconds([1_000, 777, 2_001][seed % 3])
        let rate = RequestRate.requests(limit, per: period, burst: burst)
        let gate = RateLimitGate(.requests(9, per: period), tokens: rate, maxPause: .seconds(10))
        var simulation = Simulation(gate, seed: seed)
        (simulation.tokens, simulation.mostTokens) = (SplitMix64(seed: 7), min(burst, limit))
        simulation.run(steps: 600, maxWait: .seconds(20)) { random in
            // The end of a call that is the last one to start: nothing was regained since.
            let call = AdmittedCall(start: .maximum, spent: 0)
            return EndedCall(tokens: TokenReport(admission: call, excess: random.below(21) - 10))
        }
        simulation.finish()
        for (index, start) in simulation.starts.enumerated() {
            let count = simulation.starts[index...].prefix { $0 < start + period }.count
            let sum = simulation.order[index..<(index + count)].reduce(0) { $0 + (simulation.costs[$1] ?? 0) }
            let back = simulation.givenBack.filter { start <= $0.at && $0.at < start + period }.map(\.tokens)
            #expect(sum <= limit + burst + back.reduce(0, +), "from \(start)")
        }
        #expect(simulation.starts.count > 20)
    }

    @Test("a law: no more calls run than the adaptive limit allows, whatever is cancelled", arguments: 0..<24)
    func adaptive(_ seed: Int) {
        let top = 2 + seed % 9
        let gate = AdaptiveGate(.adaptive(in: 1...top, from: 2, slowerThan: .seconds(1)))
        var simulation = Simulation(gate, seed: seed)
        simulation.run(steps: 600, maxWait: .maximum) { random in
            let outcome: CallOutcome = [.success, .success, .success, .failure, .unknown][random.below(5)]
            return EndedCall(outcome: outcome, duration: .milliseconds(random.below(1_200)))
        }
        simulation.finish()
        #expect(simulation.mostRunning <= top)
        #expect(simulation.mostRunning > 1)
    }

    @Test("a law: no more calls run than a fixed limit, and all of it is used", arguments: 0..<24)
    func fixed(_ seed: Int) {
        let limit = 1 + seed % 5
        var simulation = Simulation(ConcurrencyGate(limit: limit), seed: seed)
        simulation.run(steps: 600, maxWait: seed.isMultiple(of: 2) ? .maximum : .seconds(1)) { _ in EndedCall() }
        simulation.finish()
        #expect(simulation.mostRunning == limit)
    }

    @Test("without permits every call is refused, since none would ever end", arguments: [0, -1, .min])
    func none(_ limit: Int) async {
        let connector = Connector.stub(Sample.ok).wrapped(by: .limitConcurrency(limit, waiting: 5))
        let output = await WebAPI.call(with: Sample.input, via: connector)
        #expect(output == .noResponse(.tooManyCalls(limit: limit, waiting: 0)))
    }

    @Test("a clock that goes back counts as one that stands still") func back() {
        let gate = RateLimitGate(.requests(1, per: .seconds(1)), maxPause: .seconds(10))
        var queue = AdmissionQueue<RateLimitGate, UInt64>(gate, maxWaiting: 5)
        let isAdmitted = queue.admitAtOnce(at: .seconds(10)) != nil
        queue.add(1, 1, maxWait: .seconds(2), at: .zero)
        let (early, late) = (queue.settle(at: .zero), queue.settle(at: .seconds(11)))
        #expect(isAdmitted && early.isEmpty && late.map(\.id) == [1])
    }
}
