#if os(Linux)
    import Foundation
    import Testing

    @testable import StartSmall

    @Suite("The backlog of calls that have not begun") struct CurlBacklogTests {
        @Test("Calls leave in the order in which they came, but for those that left before") func order() throws {
            var backlog = CurlBacklog(maxConnectionsPerHost: 2)
            for id in 1...5 as ClosedRange<UInt64> { backlog.append(try call(id)) }
            #expect(backlog.leave(3)?.id == 3)
            #expect(backlog.leave(3) == nil && backlog.leave(9) == nil)
            #expect(backlog.next()?.id == 1 && backlog.leave(1) == nil)
            backlog.append(try call(6))
            #expect([backlog.next(), backlog.next(), backlog.next(), backlog.next()].map { $0?.id } == [2, 4, 5, 6])
            #expect(backlog.isEmpty && backlog.next() == nil)
        }

        @Test("A backlog that all have left is as new") func emptied() throws {
            var backlog = CurlBacklog(maxConnectionsPerHost: 2)
            backlog.append(try call(1))
            #expect(backlog.leave(1)?.id == 1 && backlog.isEmpty && backlog.next() == nil)
            backlog.append(try call(2))
            #expect(backlog.next()?.id == 2 && backlog.isEmpty)
        }

        @Test("Without TLS, no more calls begin to a server than it has connections; the next ones in their order")
        func oneServer() throws {
            var backlog = CurlBacklog(maxConnectionsPerHost: 2)
            for id in 1...5 as ClosedRange<UInt64> { backlog.append(try call(id, "http://a.example/\(id)")) }
            backlog.append(try call(6, "http://a.example:81/"))
            backlog.append(try call(7, "https://a.example/"))
            #expect(begun(&backlog) == [1, 2, 6, 7] && !backlog.isEmpty && !backlog.hasReady)
            #expect(backlog.leave(3)?.id == 3)
            backlog.end("http://a.example:81")
            backlog.end(nil)
            #expect(begun(&backlog) == [])
            backlog.end("http://a.example")
            backlog.end("http://a.example")
            #expect(begun(&backlog) == [4, 5] && backlog.isEmpty)
            backlog.append(try call(8, "http://a.example?8"))
            #expect(begun(&backlog) == [])
            backlog.end("http://a.example")
            #expect(begun(&backlog) == [8])
        }

        @Test(
            "A call needs a connection of its own where HTTP/2 is not spoken",
            arguments: [
                ("http://a.example/b", .automatic, "http://a.example"), ("https://a.example/b", .automatic, nil),
                ("https://a.example:8443?b", .http1_1, "https://a.example:8443"), ("http://a.example", .http2, nil),
                ("http://a.example", .http1_1, "http://a.example"),
            ] as [(String, ConnectionOptions.HTTPVersion, String?)]
        )
        func server(url: String, version: ConnectionOptions.HTTPVersion, server: String?) throws {
            #expect(try call(1, url, version).server == server)
        }

        @Test("A call that leaves before it begins makes room for another") func leaving() throws {
            var backlog = CurlBacklog(maxConnectionsPerHost: 1)
            for id in 1...3 as ClosedRange<UInt64> { backlog.append(try call(id, "http://a.example/")) }
            #expect(backlog.leave(1)?.id == 1)
            #expect(begun(&backlog) == [2] && backlog.calls.map(\.id) == [3])
        }

        @Test("Ten thousand calls to one server begin one by one, each once") func many() throws {
            var backlog = CurlBacklog(maxConnectionsPerHost: 1)
            for id in 0..<10_000 as Range<UInt64> { backlog.append(try call(id, "http://a.example/")) }
            var order: [UInt64] = []
            while let call = backlog.next() {
                order.append(call.id)
                backlog.end(call.server)
            }
            #expect(order.elementsEqual(0..<10_000))
            #expect(backlog.isEmpty && !backlog.hasReady)
        }

        private func begun(_ backlog: inout CurlBacklog) -> [UInt64] {
            var ids: [UInt64] = []
            while let call = backlog.next() { ids.append(call.id) }
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
                answer: .parts(CurlChannel(takesParts: false, isHeard: false) {})
            )
        }
    }
#endif
