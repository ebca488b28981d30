#if os(Linux)
    import ParityTrait
    import StartSmallTesting
    import Testing

    @testable import StartSmall

    /// The laws of the router, checked after each step of random sequences of arrivals, ends, cancellations and loads.
    @Suite("laws of the router of calls") struct LawsOfRoutingTests {
        @Test(
            "limits hold at every step, no call waits while a loop has room, and each host's calls start in order",
            arguments: [1, 2, 3, 4],
            0..<(isExhaustive ? 12 : 4)
        )
        func laws(loops: Int, seed: UInt64) throws {
            var random = SplitMix64(seed: seed)
            let perHost = Int.random(in: 1...9, using: &random)
            let total = Int.random(in: 1...12, using: &random)
            var world = World(TestRouter(loops: loops, perHost: perHost, total: total))
            for step in 0..<(isExhaustive ? 300 : 60) {
                try world.step(&random)
                let violations = world.violations(perHost: perHost, total: total)
                try #require(violations == [], "step \(step)")
            }
            try world.endAll()
            #expect(world.router.waiting.isEmpty, "each call has started")
        }
    }

    /// Hosts of all kinds, whose calls start and end at random.
    private struct World {
        var router: TestRouter
        private var lastID: UInt64 = 0
        private var now: Int64 = 0

        /// The protocols that the hosts turn out to use; those without TLS are certain.
        private static let uses: [String: ConnectionUse] = [
            "http://a.example": .exclusive, "http://b.example": .exclusive, "http://c.example": .exclusive,
            "https://d.example": .exclusive, "https://e.example": .multiplexed, "https://f.example": .multiplexed,
        ]
        private static let origins = uses.keys.sorted()

        /// The hosts whose protocol the router knows.
        private var known = Set(uses.keys.filter { $0.hasPrefix("http:") })

        init(_ router: TestRouter) { self.router = router }

        mutating func step(_ random: inout SplitMix64) throws {
            now += 60_000_000
            let running = router.running.keys.sorted()
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                lastID += 1
                try router.start(lastID, World.origins.randomElement(using: &random)! + "/")
            case 5..<7: if let id = running.randomElement(using: &random) { router.end(id) }
            case 7:
                let all = running + router.waiting.map(\.id)
                if let id = all.randomElement(using: &random) { router.cancel(id) }
            case 8: if let id = running.randomElement(using: &random) { identify(id) }
            default:
                let loop = router.shares.indices.randomElement(using: &random)!
                router.router.record(Double.random(in: 0...1, using: &random), of: loop, at: now)
            }
        }

        private mutating func identify(_ id: UInt64) {
            guard let call = router.running[id], !call.needsOwnConnection, let use = World.uses[call.origin] else {
                return
            }
            known.insert(call.origin)
            router.identify(id, as: use)
        }

        mutating func endAll() throws {
            while let id = router.running.keys.min() { router.end(id) }
        }

        func violations(perHost: Int, total: Int) -> [String] {
            var violations: [String] = []
            let connections = router.shares.indices.map { loop in
                World.origins.map { self.connections($0, loop) }.reduce(0, +)
            }
            if connections.reduce(0, +) > total { violations.append("\(connections) of \(total) connections") }
            for origin in World.origins {
                let counts = router.shares.indices.map { self.connections(origin, $0) }
                if counts.reduce(0, +) > perHost { violations.append("\(origin): \(counts) of \(perHost)") }
                for (loop, share) in router.shares.enumerated() where counts[loop] > share.perHost {
                    violations.append("\(origin): \(counts[loop]) of \(share.perHost) in loop \(loop)")
                }
                let started = router.started[origin] ?? []
                if started != started.sorted() { violations.append("\(origin): \(started)") }
            }
            for call in router.waiting {
                for (loop, share) in router.shares.enumerated() {
                    guard hasRoom(call.origin, loop, share, connections[loop]) else { continue }
                    violations.append("\(call.origin) waits for loop \(loop)")
                }
            }
            return violations
        }

        private func count(_ origin: String, _ loop: Int) -> Int {
            router.running.values.count { $0.origin == origin && $0.route?.loop == loop }
        }

        /// The number of connections that the calls to a host need in a loop, as far as it is known.
        private func connections(_ origin: String, _ loop: Int) -> Int {
            let isShared = known.contains(origin) && World.uses[origin] == .multiplexed
            return isShared ? min(1, count(origin, loop)) : count(origin, loop)
        }

        private func hasRoom(_ origin: String, _ loop: Int, _ share: ConnectionShare, _ inUse: Int) -> Bool {
            let isKnown = known.contains(origin)
            if isKnown, World.uses[origin] == .multiplexed {
                return count(origin, loop) > 0 || inUse < share.total
            }
            // All calls stay together until it is known whether they share a connection.
            let isElsewhere = router.shares.indices.contains { $0 != loop && count(origin, $0) > 0 }
            if !isKnown, isElsewhere, count(origin, loop) == 0 { return false }
            return count(origin, loop) < share.perHost && inUse < share.total
        }
    }
#endif
