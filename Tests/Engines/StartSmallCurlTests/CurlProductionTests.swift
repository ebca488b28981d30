#if os(Linux)
    import Foundation
    import StartSmallTesting
    import TestSupport
    import Testing

    import StartSmall
    @testable import StartSmallCore

    @Suite("streamed request payloads of the engine for Linux", .timeLimit(.minutes(1)))
    struct CurlProductionTests {
        private static let noContent = "HTTP/1.1 204 No Content\r\n\r\n"
        private static let chunks = "5\r\nhello\r\n0\r\n\r\n"

        private func put(_ stream: PayloadStream, _ url: URL, _ headers: HTTPHeaders = [:]) -> Input {
            let payload = Payload(.stream(stream), mediaType: nil)
            return Input(url: url, headers: headers, methodAndPayload: .put(payload: payload))
        }

        /// A stream of `hello`, and the number of its productions.
        private func hello(replayable: Bool = true) -> (stream: PayloadStream, begun: Recorder<Int>) {
            let begun = Recorder<Int>()
            let stream = PayloadStream(replayable: replayable) { writer in
                begun.append(1)
                try await writer.write(Data("hello".utf8))
            }
            return (stream, begun)
        }

        @Test("a server of HTTP/1.0 does not keep later requests on the same handle from sending chunks")
        func http1_0() async throws {
            let (stream, _) = hello()
            let script: @Sendable (Int) -> [ServerScriptStep] = { number in
                number == 0
                    ? [.receiveRequest, .send("HTTP/1.0 204 No Content\r\n\r\n"), .close]
                    : [.receiveRequest, .send(Self.noContent)]
            }
            try await LoopbackServer.playing(script) { server in
                let connector = Connector.curl()
                _ = await WebAPI.call(with: Input(url: server.url), via: connector)
                let output = await WebAPI.call(with: put(stream, server.url), via: connector)
                #expect(output.response?.statusCode == .noContent, "\(output)")
                #expect(server.received.elements.last.map { RawMessage($0).body } == Data(Self.chunks.utf8))
            }
        }

        @Test("on a used connection that the server closes, a replayable payload is produced anew, and no other is")
        func stale() async throws {
            for ending in [ServerScriptStep.close, .reset] {
                for replayable in [true, false] {
                    let first: [ServerScriptStep] = [.receiveRequest, .send(Self.noContent), .receiveRequest, ending]
                    let script: @Sendable (Int) -> [ServerScriptStep] = { number in
                        number == 0 ? first : [.receiveRequest, .send(Self.noContent)]
                    }
                    let (stream, begun) = hello(replayable: replayable)
                    try await LoopbackServer.playing(script) { server in
                        let connector = Connector.curl()
                        _ = await WebAPI.call(with: Input(url: server.url), via: connector)
                        let output = await WebAPI.call(with: put(stream, server.url), via: connector)
                        #expect(output.response?.statusCode == (replayable ? .noContent : nil), "\(output)")
                        #expect(replayable || output.connectionError?.name == "connectionLost", "\(output)")
                        #expect(begun.elements.count == (replayable ? 2 : 1))
                        let bodies = server.received.elements.dropFirst().map { RawMessage($0).body }
                        #expect(bodies == Array(repeating: Data(Self.chunks.utf8), count: replayable ? 2 : 1))
                    }
                }
            }
        }

        /// The payload is produced anew if its first bytes are not kept any more, which depends on what happens first.
        @Test("a used connection that ends while the producer waits: the whole payload is sent on another one")
        func staleAndStarved() async throws {
            let again = Latch()
            let first: [ServerScriptStep] = [
                .receiveRequest, .send(Self.noContent), .receiveHead, .discard("5\r\nhello\r\n".utf8.count), .close,
            ]
            let later: [ServerScriptStep] = [.receiveHead, .open(again), .receiveRequest, .send(Self.noContent)]
            let stream = PayloadStream { writer in
                try await writer.write(Data("hello".utf8))
                await again.wait()
            }
            try await LoopbackServer.playing({ $0 == 0 ? first : later }) { server in
                let connector = Connector.curl(options: ConnectionOptions(idleTimeout: .seconds(5)))
                _ = await WebAPI.call(with: Input(url: server.url), via: connector)
                let output = await WebAPI.call(with: put(stream, server.url), via: connector)
                #expect(output.response?.statusCode == .noContent, "\(output)")
                #expect(server.received.elements.last.map { RawMessage($0).body } == Data(Self.chunks.utf8))
            }
        }

        @Test(
            "an early response in chunks is delivered, and one without a length ends with its connection (RFC 9112 6.3)",
            arguments: [
                [.send("Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"), .receiveRequest],
                [.send("\r\nhi"), .close],
            ] as [[ServerScriptStep]]
        )
        func early(end: [ServerScriptStep]) async throws {
            let begun = Latch()
            let stream = PayloadStream { writer in
                try await writer.write(Data("hello".utf8))
                begun.open()
                await Latch().wait()
            }
            let steps = [ServerScriptStep.receiveHead, .discard(10), .wait(begun), .send("HTTP/1.1 200 OK\r\n")] + end
            try await LoopbackServer.playing({ _ in steps }) { server in
                let output = await WebAPI.call(with: put(stream, server.url), via: .curl())
                #expect(output.response?.payload == Data("hi".utf8), "\(output)")
            }
        }

        @Test("a producer that waits longer than the idle timeout does not time out; a server that does, does")
        func idle() async throws {
            let options = ConnectionOptions(idleTimeout: .milliseconds(500))
            let ticks = Recorder<Int>()
            let stream = PayloadStream { writer in
                // Two calls that time out take longer than the limit.
                for _ in 0..<2 {
                    try await LoopbackServer.playing({ _ in [.receiveRequest, .waitForClose] }) { silent in
                        let output = await WebAPI.call(with: Input(url: silent.url), via: .curl(options: options))
                        if output.connectionError?.name == "timedOut" { ticks.append(1) }
                    }
                    try await writer.write(Data("hello".utf8))
                }
            }
            try await LoopbackServer.playing({ _ in [.receiveRequest, .send(Self.noContent)] }) { server in
                let output = await WebAPI.call(with: put(stream, server.url), via: .curl(options: options))
                #expect(output.response?.statusCode == .noContent, "\(output)")
                #expect(ticks.elements == [1, 1])
            }
            try await LoopbackServer.playing({ _ in [.receiveRequest, .waitForClose] }) { server in
                let output = await WebAPI.call(with: put(hello().stream, server.url), via: .curl(options: options))
                #expect(output.connectionError?.name == "timedOut", "\(output)")
            }
        }
    }
#endif
