#if os(Linux)
    import Foundation
    import StartSmallTesting
    import TestSupport
    import Testing

    import StartSmall
    @testable import StartSmallCore

    /// Bytes without an outstanding request are not a response (RFC 9112 9.2).
    @Suite("reused connections of the engine for Linux", .timeLimit(.minutes(2)))
    struct CurlReuseTests {
        private static let right = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nright"
        private static let wrong = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong"
        private static let timeout = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        private static let serves = Array(repeating: [ServerScriptStep.receiveRequest, .send(right)], count: 30)
            .flatMap(\.self)

        private static let post = HTTPMethodAndPayload.post(payload: Payload(.data(Data("hi".utf8)), mediaType: nil))
        private static let put = HTTPMethodAndPayload.put(
            payload: Payload(.data(Data.pattern(count: 200_000)), mediaType: nil)
        )

        @Test(
            "bytes that arrive on an unused connection are never the response to a later request",
            arguments: [wrong, timeout, "H", "\r\n", wrong + wrong, String(repeating: "a", count: 200_000)],
            [HTTPMethodAndPayload.get, post, put]
        )
        func stray(bytes: String, later: HTTPMethodAndPayload) async throws {
            // Repeated, so that now the engine's thread comes first, and now the next call.
            for _ in 0..<10 {
                let (go, sent) = (Latch(), Latch())
                let first: [ServerScriptStep] = [
                    .receiveRequest, .send(Self.right), .wait(go), .send(bytes), .open(sent), .waitForClose,
                ]
                try await LoopbackServer.playing({ $0 == 0 ? first : Self.serves }) { server in
                    let connector = Connector.curl()
                    try await expectRight(server, connector, .get)
                    go.open()
                    await sent.wait()
                    for _ in 0..<3 { try await expectRight(server, connector, later) }
                    try await expectRight(server, connector, .get)
                }
            }
        }

        @Test("a request with a proof that a used connection loses is not sent again (RFC 9449 11.1), others are")
        func proof() async throws {
            for ending in [ServerScriptStep.close, .reset] {
                for headers in [[:], ["DPoP": "proof"], ["dpop": ""]] as [HTTPHeaders] {
                    let first: [ServerScriptStep] = [.receiveRequest, .send(Self.right), .receiveRequest, ending]
                    try await LoopbackServer.playing({ $0 == 0 ? first : Self.serves }) { server in
                        let connector = Connector.curl()
                        try await expectRight(server, connector, .get)
                        let output = await WebAPI.call(with: Input(url: server.url, headers: headers), via: connector)
                        let isRepeated = headers.fields.isEmpty
                        #expect(output.response?.statusCode == (isRepeated ? .ok : nil), "\(output)")
                        #expect(isRepeated || output.connectionError?.name == "connectionLost", "\(output)")
                        #expect(server.received.elements.count == (isRepeated ? 3 : 2))
                    }
                }
            }
        }

        @Test(
            "over TLS, bytes on an unused connection are not the next response (RFC 9112 9.2)",
            .enabled(if: SecureServer.isAvailable, "this machine has no OpenSSL 3"),
            arguments: [0x0303, 0x0304]
        )
        func strayOverTLS(version: Int) async throws {
            let (mayStray, sent) = (DispatchSemaphore(value: 0), Latch())
            let (payloads, connections) = try await SecureServer.running(
                isHTTP2: false,
                version: version
            ) { url, caFile in
                let connector = Connector.curl(options: ConnectionOptions(proxy: .none, caFile: caFile))
                var payloads: [String] = []
                for number in 0..<6 {
                    if number == 3 {
                        mayStray.signal()
                        await sent.wait()
                    }
                    let output = await WebAPI.call(with: Input(url: url), via: connector)
                    payloads.append(output.response.map { String(decoding: $0.payload, as: UTF8.self) } ?? "\(output)")
                }
                return payloads
            } serving: { connection in
                var count = 0
                while connection.readHead() {
                    connection.send(Self.right)
                    count += 1
                    // Bytes that follow the handshake, such as session tickets, have not ended the connection before.
                    guard connection.index == 0, count == 3 else { continue }
                    mayStray.wait()
                    connection.send(Self.wrong)
                    sent.open()
                }
            }
            #expect(payloads == Array(repeating: "right", count: 6))
            #expect(connections == 2)
        }

        @Test("an unused connection on which bytes arrive is closed at once, without another call")
        func closed() async throws {
            let (go, closed) = (Latch(), Latch())
            let script: [ServerScriptStep] = [
                .receiveRequest, .send(Self.right), .wait(go), .send("H"), .waitForClose, .open(closed),
            ]
            try await LoopbackServer.playing({ _ in script }) { server in
                let connector = Connector.curl(options: ConnectionOptions(idleConnectionAge: .seconds(3600)))
                try await expectRight(server, connector, .get)
                go.open()
                await closed.wait()
                withExtendedLifetime(connector) {}
            }
        }

        @Test("bytes for a call that waits for another call's connection are not its response") func inLine()
            async throws
        {
            let go = Latch()
            // In one segment: bytes that cross with the next request could not be distinguished from the response to
            // it.
            let first: [ServerScriptStep] = [.receiveRequest, .wait(go), .send(Self.right + Self.wrong), .waitForClose]
            try await LoopbackServer.playing({ $0 == 0 ? first : Self.serves }) { server in
                let connector = Connector.curl(options: ConnectionOptions(maxConnectionsPerHost: 1))
                await withTaskGroup { group in
                    for _ in 0..<5 {
                        group.addTask { await WebAPI.call(with: Input(url: server.url), via: connector) }
                    }
                    await eventually { !server.received.elements.isEmpty }
                    go.open()
                    for await output in group { #expect(output.response?.payload == Data("right".utf8), "\(output)") }
                }
            }
        }

        @Test(
            "half a response after a response, in one segment with it, is not completed by later bytes",
            arguments: [
                (HTTPMethodAndPayload.get, right),
                (.get, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nright\r\n0\r\n\r\n"),
                (.get, "HTTP/1.1 204 No Content\r\n\r\n"), (.get, "HTTP/1.1 304 Not Modified\r\n\r\n"),
                (.head, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"),
                (.put(payload: nil), "HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n"),
            ]
        )
        func glued(first: HTTPMethodAndPayload, answer: String) async throws {
            let bytes = Array(Self.wrong.utf8)
            for place in stride(from: 1, through: bytes.count, by: 6) {
                let script: [ServerScriptStep] = [
                    .receiveRequest, .sendBytes(Array(answer.utf8) + bytes[..<place]), .receiveRequest,
                    .sendBytes(Array(bytes[place...])), .waitForClose,
                ]
                try await LoopbackServer.playing({ $0 == 0 ? script : Self.serves }) { server in
                    let connector = Connector.curl()
                    let input = Input(url: server.url, methodAndPayload: first)
                    #expect(await WebAPI.call(with: input, via: connector).response != nil)
                    try await expectRight(server, connector, .get)
                    try await expectRight(server, connector, Self.post)
                }
            }
        }

        @Test(
            "a safe request on a connection that the server is resetting is retried",
            arguments: [HTTPMethodAndPayload.get, .head, put, .delete(payload: nil)],
            [[ServerScriptStep.reset], [.receiveHead, .reset]]
        )
        func resetMeanwhile(later: HTTPMethodAndPayload, end: [ServerScriptStep]) async throws {
            for _ in 0..<50 {
                let go = Latch()
                let first: [ServerScriptStep] = [.receiveRequest, .send(Self.right), .wait(go)] + end
                try await LoopbackServer.playing({ $0 == 0 ? first : Self.serves }) { server in
                    let connector = Connector.curl()
                    try await expectRight(server, connector, .get)
                    go.open()
                    let input = Input(url: server.url, methodAndPayload: later)
                    let output = await WebAPI.call(with: input, via: connector)
                    #expect(output.response?.statusCode == .ok, "\(output)")
                }
            }
        }

        private func expectRight(
            _ server: LoopbackServer,
            _ connector: Connector,
            _ methodAndPayload: HTTPMethodAndPayload
        ) async throws {
            let input = Input(url: server.url, methodAndPayload: methodAndPayload)
            let output = await WebAPI.call(with: input, via: connector)
            #expect(output.response?.statusCode == .ok, "\(output)")
            #expect(output.response?.payload == Data("right".utf8), "\(output)")
        }
    }
#endif
