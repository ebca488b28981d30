import Testing

@testable import StartSmallResilience

/// Laws of the queue over both gates, for random arrivals, wakes, cancellations, ends and pauses.
struct AdmissionQueueTests {
    /// A simulation of callers that obey the queue.
    private struct Simulation<Gate: AdmissionGate> {
        var queue: AdmissionQueue<Gate, Int>
        var random: SeededNumbers
        var now: Duration = .zero
        var starts: [Duration] = []
        var order: [UInt64] = []
        var running = 0
        var mostRunning = 0
        var ends = 0
        var arrivals = 0

        /// The waiting calls with the time at which each decides by itself, and whether it was woken.
        var waiting: [UInt64: (until: Duration?, isWoken: Bool)] = [:]
        /// The number of the waiting call of each waiter.
        var waiters: [Int: UInt64] = [:]
        private var nextWaiter = 0

        init(_ gate: Gate, seed: Int) {
            queue = AdmissionQueue(gate, maxWaiting: 20)
            random = SeededNumbers(seed: UInt64(seed))
        }

        mutating func waiter() -> Int {
            nextWaiter += 1
            return nextWaiter
        }

        mutating func apply(_ decision: AdmissionQueue<Gate, Int>.Decision, _ waiter: Int, of number: UInt64? = nil) {
            switch decision {
            case .admitted:
                starts.append(now)
                running += 1
                mostRunning = max(mostRunning, running)
                if let number {
                    order.append(number)
                    waiting[number] = nil
                }
            case .refused:
                ends += 1
                if let number { waiting[number] = nil }
            case .wait(let number, let end):
                waiting[number] = (end, false)
                waiters[waiter] = number
            }
        }

        mutating func wake(_ waiter: Int?) {
            if let waiter, let number = waiters[waiter], waiting[number] != nil { waiting[number]?.isWoken = true }
        }

        mutating func arrive(maxWait: Duration) {
            let waiter = waiter()
            arrivals += 1
            apply(queue.arrive(waiter, maxWait: maxWait, at: now), waiter)
        }

        /// Lets all calls decide that were woken, or whose time has come.
        mutating func settle() {
            while let number = waiting.filter({ $0.value.isWoken || $0.value.until.map { $0 <= now } ?? false }).keys
                .min()
            {
                let waiter = waiter()
                let (decision, wakes) = queue.decide(number, waiter, at: now)
                apply(decision, waiter, of: number)
                wake(wakes)
            }
        }

        mutating func cancel() {
            guard let number = waiting.keys.sorted().dropFirst(random.below(max(1, waiting.count))).first else {
                return
            }
            waiting[number] = nil
            ends += 1
            wake(queue.remove(number))
        }

        mutating func end(_ call: EndedCall) {
            guard running > 0 else { return }
            running -= 1
            ends += 1
            for waiter in queue.end(call, at: now) { wake(waiter) }
        }

        mutating func run(steps: Int, maxWait: Duration, _ call: (inout SeededNumbers) -> EndedCall) {
            for _ in 0..<steps {
                now += .milliseconds(random.below(300))
                settle()
                switch random.below(6) {
                case 0...2: arrive(maxWait: maxWait)
                case 3: cancel()
                default: end(call(&random))
                }
                settle()
                check()
            }
        }

        /// The first of the waiting calls always wakes by itself, or when a running call ends.
        func check() {
            guard let first = waiting.keys.min() else { return }
            #expect(waiting[first]?.until != nil || running > 0, "nothing would wake the call")
        }

        /// Ends all calls, and lets time pass until none waits.
        mutating func finish() {
            for _ in 0..<1_000 where running > 0 || !waiting.isEmpty {
                while running > 0 { end(EndedCall()) }
                settle()
                now += .milliseconds(500)
            }
            settle()
            while running > 0 { end(EndedCall()) }
            #expect(waiting.isEmpty)
            #expect(queue.count == 0)
            #expect(ends == arrivals)
            #expect(order == order.sorted(), "first come, first served")
        }
    }

    @Test("a law: no period has more starts than the rate allows, and no call is lost", arguments: 0..<48)
    func rate(_ seed: Int) {
        let (limit, burst) = (1 + seed % 5, 1 + seed % 4)
        let period = Duration.milliseconds([1_000, 777, 2_001][seed % 3])
        let gate = RateLimitGate(.requests(limit, per: period, burst: burst), maxPause: .seconds(10))
        var simulation = Simulation(gate, seed: seed)
        simulation.run(steps: 600, maxWait: .seconds(20)) { random in
            EndedCall(
                requestedDelay: random.below(20) == 0 ? .milliseconds(random.below(3_000)) : nil,
                quota: random.below(10) == 0
                    ? .init(remaining: random.below(4), reset: .milliseconds(random.below(2_000))) : nil
            )
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

    @Test("a law: no call starts before a pause of the server has ended", arguments: 0..<16)
    func pauses(_ seed: Int) {
        var simulation = Simulation(RateLimitGate(nil, maxPause: .seconds(10)), seed: seed)
        var pauseEnd = Duration.zero
        for _ in 0..<500 {
            simulation.now += .milliseconds(simulation.random.below(200))
            let before = simulation.starts.count
            simulation.settle()
            simulation.arrive(maxWait: .seconds(60))
            simulation.settle()
            if simulation.starts.count > before { #expect(simulation.now >= pauseEnd) }
            guard simulation.random.below(8) == 0, simulation.running > 0 else { continue }
            let delay = Duration.milliseconds(simulation.random.below(15_000))
            pauseEnd = max(pauseEnd, simulation.now + min(delay, .seconds(10)))
            simulation.end(EndedCall(requestedDelay: delay))
        }
        simulation.finish()
    }

    @Test("a law: no more calls run than the adaptive limit allows, whatever is cancelled", arguments: 0..<48)
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
}
