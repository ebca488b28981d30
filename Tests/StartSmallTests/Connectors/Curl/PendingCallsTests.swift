#if os(Linux)
    import Foundation
    import Testing

    @testable import StartSmall

    @Suite("the queue of calls that have not begun") struct PendingCallsTests {
        @Test("calls begin in the order in which they were added, except those removed") func order() throws {
            var pending = PendingCalls()
            for id in 1...5 as ClosedRange<UInt64> { pending.append(try .sample(id)) }
            #expect(pending.remove(3)?.id == 3)
            #expect(pending.remove(3) == nil && pending.remove(9) == nil)
            #expect(pending.next()?.id == 1 && pending.remove(1) == nil)
            pending.append(try .sample(6))
            #expect([pending.next(), pending.next(), pending.next(), pending.next()].map { $0?.id } == [2, 4, 5, 6])
            #expect(pending.isEmpty && pending.next() == nil)
        }

        @Test("an emptied queue is as new") func emptied() throws {
            var pending = PendingCalls()
            pending.append(try .sample(1))
            #expect(pending.remove(1)?.id == 1 && pending.isEmpty && pending.next() == nil)
            pending.append(try .sample(2))
            #expect(pending.next()?.id == 2 && pending.isEmpty)
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
            let call = try CurlCall.sample(1, url, version)
            #expect((call.needsOwnConnection ? call.origin : nil) == server)
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
                payloadLimit: nil,
                reply: .parts(CurlChannel(takesParts: false, hasListeners: false) { _ in })
            )
        }
    }
#endif
