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
                quotas: random.below(10) == 0
                    ? [.init(remaining: random.below(4), reset: .milliseconds(random.below(2_000)))] : []
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

    @Test("a law: no more calls start than the server accepts, however its reports are reordered", arguments: 0..<64)
    func quota(_ seed: Int) {
        var random = SeededNumbers(seed: UInt64(seed))
        var gate = RateLimitGate(nil, maxPause: .seconds(3_600))
        let (limit, end) = (20 + seed, Duration.seconds(1_000))
        var (counted, now, hasReported) = (0, Duration.zero, false)
        /// The running calls, with what the server reports to those that it has counted.
        var calls: [(number: UInt64, remaining: Int?)] = []
        func report(_ call: (number: UInt64, remaining: Int?)) -> EndedCall {
            let quotas = call.remaining.map { [EndedCall.Quota(remaining: $0, reset: end - now)] } ?? []
            return EndedCall(quotas: quotas, number: call.number)
        }
        for _ in 0..<1_000 {
            now += .milliseconds(random.below(500))
            // Before the first report, there is one call.
            if calls.isEmpty && counted == 0 || hasReported, random.below(2) == 0, let number = gate.admit(at: now) {
                calls.append((number, nil))
            }
            if let index = calls.indices.filter({ calls[$0].remaining == nil }).dropFirst(random.below(5)).first {
                counted += 1
                calls[index].remaining = max(0, limit - counted)
            }
            // A call may end without a report, such as one that is cancelled or loses its connection.
            guard !calls.isEmpty, random.below(3) == 0 else { continue }
            let call = calls.remove(at: random.below(calls.count))
            if call.remaining == nil { counted += 1 }
            let hasReport = call.remaining != nil && (!hasReported || random.below(4) > 0)
            hasReported = hasReported || hasReport
            _ = gate.end(hasReport ? report(call) : EndedCall(number: call.number), at: now)
        }
        #expect(counted <= limit)
    }

    @Test("a late report does not replace a newer one, and each policy has its own limit")
    func lateReport() {
        var gate = RateLimitGate(nil, maxPause: .seconds(3_600))
        let numbers = (0..<4).compactMap { _ in gate.admit(at: .zero) }
        let newer = EndedCall.Quota(remaining: 0, reset: .seconds(58))
        _ = gate.end(EndedCall(quotas: [newer], number: numbers[1]), at: .seconds(2))
        let late = EndedCall.Quota(remaining: 50, reset: .seconds(60))
        _ = gate.end(EndedCall(quotas: [late], number: numbers[0]), at: .seconds(30))
        #expect(gate.start(behind: 0, at: .seconds(30)) == .seconds(60))
        let other = EndedCall.Quota(policy: "daily", remaining: 1, reset: .seconds(3_000))
        _ = gate.end(EndedCall(quotas: [other], number: numbers[3]), at: .seconds(60))
        #expect(gate.start(behind: 0, at: .seconds(61)) == .seconds(61))
        #expect(gate.start(behind: 1, at: .seconds(61)) == .seconds(3_060))
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
