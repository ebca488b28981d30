#if os(Linux)
    import Foundation
    import Testing

    @testable import StartSmall

    @Suite("the queue of calls that have not begun") struct PendingCallsTests {
        @Test("calls begin in the order in which they were added, except those removed") func order() throws {
            var pending = PendingCalls(maxConnectionsPerHost: 2)
            for id in 1...5 as ClosedRange<UInt64> { pending.append(try call(id)) }
            #expect(pending.remove(3)?.id == 3)
            #expect(pending.remove(3) == nil && pending.remove(9) == nil)
            #expect(pending.next()?.id == 1 && pending.remove(1) == nil)
            pending.append(try call(6))
            #expect([pending.next(), pending.next(), pending.next(), pending.next()].map { $0?.id } == [2, 4, 5, 6])
            #expect(pending.isEmpty && pending.next() == nil)
        }

        @Test("an emptied queue is as new") func emptied() throws {
            var pending = PendingCalls(maxConnectionsPerHost: 2)
            pending.append(try call(1))
            #expect(pending.remove(1)?.id == 1 && pending.isEmpty && pending.next() == nil)
            pending.append(try call(2))
            #expect(pending.next()?.id == 2 && pending.isEmpty)
        }

        @Test("without TLS, no more calls begin than a server has connections; the others begin in order")
        func oneServer() throws {
            var pending = PendingCalls(maxConnectionsPerHost: 2)
            for id in 1...5 as ClosedRange<UInt64> { pending.append(try call(id, "http://a.example/\(id)")) }
            pending.append(try call(6, "http://a.example:81/"))
            pending.append(try call(7, "https://a.example/"))
            #expect(begun(&pending) == [1, 2, 6, 7] && !pending.isEmpty && !pending.hasReady)
            #expect(pending.remove(3)?.id == 3)
            pending.end("http://a.example:81")
            pending.end(nil)
            #expect(begun(&pending) == [])
            pending.end("http://a.example")
            pending.end("http://a.example")
            #expect(begun(&pending) == [4, 5] && pending.isEmpty)
            pending.append(try call(8, "http://a.example?8"))
            #expect(begun(&pending) == [])
            pending.end("http://a.example")
            #expect(begun(&pending) == [8])
        }

        @Test(
            "a call needs its own connection where HTTP/2 is not used",
            arguments: [
                ("http://a.example/b", .automatic, "http://a.example"), ("https://a.example/b", .automatic, nil),
                ("https://a.example:8443?b", .http1_1, "https://a.example:8443"), ("http://a.example", .http2, nil),
                ("http://a.example", .http1_1, "http://a.example"),
            ] as [(String, ConnectionOptions.HTTPVersion, String?)]
        )
        func server(url: String, version: ConnectionOptions.HTTPVersion, server: String?) throws {
            #expect(try call(1, url, version).server == server)
        }

        @Test("a call that is removed before it begins makes room for another") func removal() throws {
            var pending = PendingCalls(maxConnectionsPerHost: 1)
            for id in 1...3 as ClosedRange<UInt64> { pending.append(try call(id, "http://a.example/")) }
            #expect(pending.remove(1)?.id == 1)
            #expect(begun(&pending) == [2] && pending.calls.map(\.id) == [3])
        }

        @Test("10,000 calls to one server begin one by one, each once") func many() throws {
            var pending = PendingCalls(maxConnectionsPerHost: 1)
            for id in 0..<10_000 as Range<UInt64> { pending.append(try call(id, "http://a.example/")) }
            var order: [UInt64] = []
            while let call = pending.next() {
                order.append(call.id)
                pending.end(call.server)
            }
            #expect(order.elementsEqual(0..<10_000))
            #expect(pending.isEmpty && !pending.hasReady)
        }

        private func begun(_ pending: inout PendingCalls) -> [UInt64] {
            var ids: [UInt64] = []
            while let call = pending.next() { ids.append(call.id) }
            return ids
        }

        private func call(
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
                payloadLimit: nil,
                reply: .parts(CurlChannel(takesParts: false, hasListeners: false) { _ in })
            )
        }
    }
#endif
