#if os(Linux)
    import Foundation
    import StartSmallTesting
    import Testing

    @testable import StartSmall

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

        @Test("bytes on many unused connections reach none of the next calls") func many() async throws {
            let (go, late, count) = (Latch(), Latch(), 20)
            let sent = (0..<count).map { _ in Latch() }
            @Sendable func script(of connection: Int) -> [ServerScriptStep] {
                guard connection < count else { return Self.serves }
                return [
                    .receiveRequest, .wait(go), .send(Self.right), .wait(late), .send(Self.wrong),
                    .open(sent[connection]), .waitForClose,
                ]
            }
            try await LoopbackServer.playing(script) { server in
                let connector = Connector.curl()
                for _ in 0..<2 {
                    await withTaskGroup { group in
                        for _ in 0..<count {
                            group.addTask { await WebAPI.call(with: Input(url: server.url), via: connector).response }
                        }
                        await eventually { server.received.elements.count >= count }
                        go.open()
                        for await response in group { #expect(response?.payload == Data("right".utf8)) }
                    }
                    late.open()
                    // Bytes that cross with the next request could not be distinguished from the response to it.
                    for latch in sent { await latch.wait() }
                }
            }
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

        @Test("a connection on which only responses arrive carries all requests") func kept() async throws {
            let connections = Recorder<Int>()
            let kinds = [HTTPMethodAndPayload.get, Self.post, Self.put, .delete(payload: nil), .get]
            let script = { @Sendable (number: Int) in
                connections.append(number)
                return Self.serves
            }
            try await LoopbackServer.playing(script) { server in
                let connector = Connector.curl()
                for kind in kinds + kinds { try await expectRight(server, connector, kind) }
                #expect(connections.elements == [0])
            }
        }

        @Test("a request is sent, once, though the server has closed the unused connection", arguments: [post, put])
        func closedBefore(later: HTTPMethodAndPayload) async throws {
            for _ in 0..<20 {
                let go = Latch()
                let first: [ServerScriptStep] = [.receiveRequest, .send(Self.right), .wait(go), .close]
                let script = { @Sendable (number: Int) -> [ServerScriptStep] in number == 0 ? first : Self.serves }
                try await LoopbackServer.playing(script) { server in
                    let connector = Connector.curl()
                    try await expectRight(server, connector, .get)
                    go.open()
                    // Chance decides if the end has arrived: no request may be lost where it has.
                    let output = await WebAPI.call(
                        with: Input(url: server.url, methodAndPayload: later),
                        via: connector
                    )
                    #expect(output.response != nil || later.method == "POST", "\(output)")
                    #expect(server.received.elements.count <= 3)
                }
            }
        }

        @Test(
            "on a reused connection that the server resets unanswered, only a safe request is retried",
            arguments: [(HTTPMethodAndPayload.get, true), (.head, true), (put, true), (post, false)]
        )
        func reset(later: HTTPMethodAndPayload, isSentAnew: Bool) async throws {
            for _ in 0..<20 {
                let first: [ServerScriptStep] = [.receiveRequest, .send(Self.right), .receiveRequest, .reset]
                try await LoopbackServer.playing({ $0 == 0 ? first : Self.serves }) { server in
                    let connector = Connector.curl()
                    try await expectRight(server, connector, .get)
                    let input = Input(url: server.url, methodAndPayload: later)
                    let output = await WebAPI.call(with: input, via: connector)
                    #expect((output.response != nil) == isSentAnew, "\(output)")
                    #expect(server.received.elements.count == (isSentAnew ? 3 : 2))
                    let bodies = server.received.elements.dropFirst().map { RawMessage($0).body }
                    #expect(bodies.allSatisfy { $0.isSame(as: later.body ?? Data()) })
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
