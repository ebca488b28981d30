#if os(Linux)
    import Foundation
    import StartSmallTesting
    import Testing

    import StartSmall
    @testable import StartSmallCurl

    @Suite("the queue of calls that have not begun") struct PendingCallsTests {
        private func pending(_ maxPerHost: Int, inAll maxInAll: Int = 100) -> PendingCalls {
            PendingCalls(maxPerHost: maxPerHost, maxInAll: maxInAll)
        }

        @Test("calls begin in the order in which they were added, except those removed") func order() throws {
            var pending = pending(10)
            for id in 1...5 as ClosedRange<UInt64> { pending.append(try .sample(id)) }
            #expect(pending.remove(3)?.id == 3)
            #expect(pending.remove(3) == nil && pending.remove(9) == nil)
            #expect(pending.next()?.id == 1 && pending.remove(1) == nil)
            pending.append(try .sample(6))
            #expect([pending.next(), pending.next(), pending.next(), pending.next()].map { $0?.id } == [2, 4, 5, 6])
            #expect(pending.isEmpty && pending.next() == nil)
            pending.append(try .sample(7))
            #expect(pending.remove(7)?.id == 7 && pending.isEmpty && pending.next() == nil)
            pending.append(try .sample(8))
            #expect(pending.next()?.id == 8)
        }

        @Test("hosts take turns, and one with all its connections in use keeps its calls in order")
        func turns() throws {
            var pending = pending(2, inAll: 5)
            let hosts = (0..<3).map { "http://\($0).example/" }
            let origins = try hosts.map { try CurlCall.sample(0, $0).origin }
            for id in 0..<9 as Range<UInt64> { pending.append(try .sample(id, hosts[Int(id / 3)])) }
            #expect((0..<6).map { _ in pending.next()?.id } == [0, 3, 6, 1, 4, nil])
            #expect(!pending.hasNext, "all connections are in use")
            pending.end(origins[1], isShared: false)
            #expect(pending.hasNext)
            #expect([pending.next(), pending.next()].map { $0?.id } == [7, nil])
            pending.end(origins[2], isShared: false)
            #expect([pending.next(), pending.next()].map { $0?.id } == [5, nil], "the first host has its connections")
        }

        @Test("calls that share a connection need one together, and begin though all connections are in use")
        func shared() throws {
            var pending = pending(1, inAll: 1)
            for id in 0..<300 as Range<UInt64> { pending.append(try .sample(id)) }
            pending.append(try .sample(300, "https://b.example/"))
            #expect([pending.next(), pending.next()].map { $0?.id } == [0, nil])
            let origin = try CurlCall.sample(0).origin
            pending.share(origin)
            #expect((0..<129).map { _ in pending.next()?.id } == (1...128).map { UInt64($0) } + [nil])
            for _ in 0..<128 { pending.share(origin) }
            #expect(pending.next()?.id == 129)
            pending.end(origin, isShared: false)
            for _ in 0..<129 { pending.end(origin, isShared: true) }
            #expect([pending.next(), pending.next()].map { $0?.id } == [300, nil], "the other host is first")
        }

        @Test("a call begins at once only if no other one waits, and its host has room")
        func atOnce() throws {
            var pending = pending(2, inAll: 3)
            let (a, b) = (try CurlCall.sample(1), try CurlCall.sample(2, "https://b.example/"))
            let begun = [pending.begin(a.origin), pending.begin(a.origin), pending.begin(a.origin)]
            #expect(begun == [true, true, false])
            pending.append(a)
            let isBegunBeforeOther = pending.begin(b.origin)
            #expect(!isBegunBeforeOther && pending.next() == nil && pending.remove(1) != nil)
            #expect([pending.begin(b.origin), pending.begin(b.origin)] == [true, false], "all connections are in use")
            pending.end(a.origin, isShared: false)
            #expect([pending.begin(b.origin), pending.begin(b.origin)] == [true, false])
            pending.append(b)
            pending.end(b.origin, isShared: false)
            #expect(pending.next()?.id == 2)
        }

        @Test("whatever happens, no limit is exceeded, and every call begins once or is removed", arguments: 0..<20)
        func law(seed: UInt64) throws {
            var random = SplitMix64(seed: seed)
            let (perHost, inAll) = (Int.random(in: 1...4, using: &random), Int.random(in: 1...8, using: &random))
            var pending = pending(perHost, inAll: inAll)
            let samples = try (0..<5).map { try CurlCall.sample(0, "http://\($0).example/") }
            var (running, waiting): ([UInt64], Set<UInt64>) = ([], [])
            for id in 0..<400 as Range<UInt64> {
                switch Int.random(in: 0..<4, using: &random) {
                case 0 where !running.isEmpty:
                    pending.end(running.remove(at: Int.random(in: running.indices, using: &random)), isShared: false)
                case 1 where !waiting.isEmpty:
                    let removed = try #require(waiting.min())
                    #expect(pending.remove(removed)?.id == removed)
                    waiting.remove(removed)
                default:
                    let call = try CurlCall.sample(id, "http://\(Int.random(in: 0..<5, using: &random)).example/")
                    if Bool.random(using: &random), pending.begin(call.origin) {
                        try #require(waiting.isEmpty, "a call begins before one that has waited")
                        running.append(call.origin)
                    } else {
                        pending.append(call)
                        waiting.insert(id)
                    }
                }
                while let call = pending.next() {
                    #expect(waiting.remove(call.id) != nil)
                    running.append(call.origin)
                }
                let counts = samples.map { sample in running.count { $0 == sample.origin } }
                try #require(counts.allSatisfy { $0 <= perHost } && running.count <= inAll)
                let isBlocked = running.count == inAll || counts.contains(perHost)
                try #require(waiting.isEmpty || isBlocked, "a call waits without a reason")
            }
            while let origin = running.popLast() {
                pending.end(origin, isShared: false)
                while let call = pending.next() {
                    waiting.remove(call.id)
                    running.append(call.origin)
                }
            }
            #expect(waiting.isEmpty && pending.isEmpty)
        }

        @Test(
            "a call needs its own connection where HTTP/2 is not used",
            arguments: [
                ("http://a.example/b", .automatic, true), ("https://a.example/b", .automatic, false),
                ("https://a.example:8443?b", .http1_1, true), ("http://a.example", .http2, false),
                ("http://a.example", .http1_1, true),
            ] as [(String, ConnectionOptions.HTTPVersion, Bool)]
        )
        func ownConnection(url: String, version: ConnectionOptions.HTTPVersion, needsOwn: Bool) throws {
            #expect(try CurlCall.sample(1, url, version).needsOwnConnection == needsOwn)
        }

        @Test("calls have one origin if their URLs have the same scheme, host and port")
        func origin() throws {
            let origin = { try CurlCall.sample(1, $0).origin }
            #expect(try origin("https://a.example/b/c") == origin("https://a.example?d"))
            let urls = ["https://a.example/b", "http://a.example/b", "https://a.example:8443/b", "https://b.example/b"]
            #expect(try Set(urls.map(origin)).count == urls.count)
        }
    }

    extension CurlCall {
        /// A call that nobody waits for.
        static func sample(
            _ id: UInt64,
            _ url: String = "https://a.example/",
            _ version: ConnectionOptions.HTTPVersion = .automatic
        ) throws -> CurlCall {
            let url = try #require(URL(string: url))
            let request = try #require(ValidatedRequest.from(Input(url: url)).right)
            return CurlCall(
                id: id,
                request: request,
                version: version,
                reply: .parts(CurlChannel(takesParts: false, hasListeners: false))
            )
        }
    }
#endif
