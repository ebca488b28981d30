#if os(Linux)
    import Foundation
    import Testing

    @testable import StartSmall

    @Suite("the router of calls to event loops") struct CallRouterTests {
        private let host = "http://a.example/"

        @Test("calls to a host stay in the first loop up to its share, and then go to the next") func shares() throws {
            var router = TestRouter(loops: 2, perHost: 4, total: 8)
            #expect(try (1...5).map { try router.start($0, host) } == [0, 0, 1, 1, nil])
            router.end(3)
            #expect(router.loopOf[5] == 1, "the waiting call starts where the other has ended")
        }

        @Test("calls to several hosts stay in the first loop while it keeps up") func manyHosts() throws {
            var router = TestRouter(loops: 4, perHost: 8, total: 80)
            let loops = try (1...20).map { try router.start($0, "http://\($0).example/") }
            #expect(loops == Array(repeating: 0, count: 20))
        }

        @Test("the total share of a loop makes calls go to the next loop, whatever their hosts") func totalShare()
            throws
        {
            var router = TestRouter(loops: 2, perHost: 8, total: 4)
            #expect(try (1...5).map { try router.start($0, "http://\($0).example/") } == [0, 0, 1, 1, nil])
            router.end(4)
            #expect(router.loopOf[5] == 1)
        }

        @Test("a call that is removed while it waits does not start, and the next does") func removed() throws {
            var router = TestRouter(loops: 1, perHost: 1, total: 8)
            for id in 1...3 as ClosedRange<UInt64> { try router.start(id, host) }
            #expect(router.router.removeWaiting(2)?.id == 2 && router.router.removeWaiting(1) == nil)
            router.end(1)
            #expect(router.loopOf[3] == 0 && router.loopOf[2] == nil)
            router.end(3)
            #expect(try router.start(4, host) == 0)
        }

        @Test("as long as the protocol is not known, calls wait to share a connection; then they need one per loop")
        func multiplexed() throws {
            var router = TestRouter(loops: 2, perHost: 4, total: 8)
            let loops = try (1...4).map { try router.start($0, "https://a.example/") }
            #expect(loops == [0, 0, nil, nil])
            router.identify(1, as: .multiplexed)
            #expect(router.loopOf[3] == 0 && router.loopOf[4] == 0)
            #expect(try (5...200).allSatisfy { try router.start($0, "https://a.example/") == 0 })
        }

        @Test("after HTTP/1.1 was chosen, the waiting calls start in all loops") func exclusive() throws {
            var router = TestRouter(loops: 2, perHost: 4, total: 8)
            for id in 1...6 as ClosedRange<UInt64> { try router.start(id, "https://a.example/") }
            router.identify(1, as: .exclusive)
            #expect((1...6).map { router.loopOf[$0] } == [0, 0, 1, 1, nil, nil])
            for id in 1...4 as ClosedRange<UInt64> { router.end(id) }
            #expect(router.loopOf[5] == 0 && router.loopOf[6] == 0)
            for id in 5...6 as ClosedRange<UInt64> { router.end(id) }
            #expect(try (7...10).map { try router.start($0, "https://a.example/") } == [0, 0, 1, 1], "it is known now")
        }

        @Test("when a loop does not keep up, its calls are shared with another; a few calls stay with their loop")
        func spreads() throws {
            var router = TestRouter(loops: 4, perHost: 400, total: 400)
            router.router.record(1, of: 0, at: 0)
            let loops = try (1...100).map { try router.start($0, host) }
            let counts = (0..<4).map { loop in loops.count { $0 == loop } }
            #expect(counts == [63, 37, 0, 0])
            for id in 1...100 as ClosedRange<UInt64> { router.end(id) }
            #expect(try router.start(101, host) == 0)
            #expect(try router.start(102, "http://b.example/") == 1, "another host has another first loop")
        }

        @Test("a loop without a thread is left out until no call runs") func noThread() throws {
            var router = TestRouter(loops: 2, perHost: 2, total: 8)
            router.failing = [1]
            #expect(try (1...2).map { try router.start($0, host) } == [0, nil])
            router.end(1)
            router.failing = []
            #expect(try router.start(3, host) == nil, "a call runs")
            router.end(2)
            router.end(3)
            #expect(try (4...5).map { try router.start($0, host) } == [0, 1])
        }

        @Test("without any thread, a call is refused, and the next call tries again") func noThreads() throws {
            var router = TestRouter(loops: 2, perHost: 2, total: 8)
            router.failing = [0, 1]
            #expect(try router.start(1, host) == nil)
            #expect(router.waiting.isEmpty)
            router.failing = []
            #expect(try router.start(2, host) == 0)
        }

        @Test("a closed router returns the waiting calls, and refuses others") func closed() throws {
            var router = TestRouter(loops: 1, perHost: 1, total: 8)
            for id in 1...3 as ClosedRange<UInt64> { try router.start(id, host) }
            #expect(Set(router.router.close().map(\.id)) == [2, 3])
            guard case .refused = router.router.add(try .sample(4, host)) else { throw Unexpected("not refused") }
        }

        @Test("the limits of waiting calls are checked by one loop, which has calls to their host") func checked()
            throws
        {
            var router = TestRouter(loops: 2, perHost: 2, total: 8)
            for id in 1...4 as ClosedRange<UInt64> { try router.start(id, host) }
            let ids = { (loop: Int) in Set(router.router.waitingCalls(checkedBy: loop).map(\.id)) }
            #expect(ids(0) == [3, 4] && ids(1) == [])
            router.end(1)
            #expect(ids(0) == [4])
        }

        @Test("1,000 calls to one host start one by one, each once") func many() throws {
            var router = TestRouter(loops: 1, perHost: 1, total: 1)
            for id in 1...1_000 as ClosedRange<UInt64> { try router.start(id, host) }
            for id in 1...1_000 as ClosedRange<UInt64> {
                try #require(router.loopOf[id] == 0)
                router.end(id)
            }
            #expect(router.waiting.isEmpty)
        }

        @Test("10,000 hosts are not remembered for ever, and each is counted anew") func manyForgotten() throws {
            var router = TestRouter(loops: 2, perHost: 2, total: 4)
            for id in 1...10_000 as ClosedRange<UInt64> {
                try #require(try router.start(id, "http://\(id).example/") == 0)
                router.end(id)
            }
            #expect(router.router.hostCount <= 1025)
        }
    }
#endif
