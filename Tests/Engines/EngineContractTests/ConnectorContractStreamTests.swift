import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

extension ConnectorContract {
    /// A response is open as soon as its head arrives, the reader of its body sets the pace, and the end of the body is
    /// the end of the transfer.
    @Suite("contract of engines: streams", .timeLimit(.minutes(2))) struct StreamTests {
        @Test("a compressed payload arrives decompressed", arguments: EngineUnderTest.all)
        func gzip(engine: EngineUnderTest) async throws {
            let zipped = try #require(Data(base64Encoded: gzippedMebibyteOfZeros))
            let answer = Response(statusCode: .ok, headers: ["Content-Encoding": "gzip"], payload: zipped)
            let read = try await engine.read(from: answer)
            #expect(read.payload.isSame(as: Data(count: 1024 * 1024)))
            #expect(read.head?.headers["Content-Encoding"] == "gzip")
        }

        private static let emptyAnswers: [(HTTPMethodAndPayload, String)] = [
            (.get, "200 OK\r\nContent-Length: 0"), (.get, "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0"),
            (.get, "204 No Content"), (.head, "200 OK\r\nContent-Length: 5"),
            (.put(payload: nil), "200 OK\r\nContent-Length: 0"), (.post(payload: nil), "200 OK\r\nContent-Length: 0"),
            (.delete(payload: nil), "200 OK\r\nContent-Length: 0"),
        ]

        @Test("a response without a payload has a body without a chunk", arguments: EngineUnderTest.all, emptyAnswers)
        func empty(engine: EngineUnderTest, call: (method: HTTPMethodAndPayload, answer: String)) async throws {
            let read = try await engine.read(from: [.send("HTTP/1.1 \(call.answer)\r\n\r\n")], call.method)
            #expect(read.head?.statusCode.code == Int(call.answer.prefix(3)))
            #expect(read.head?.body?.trailers == [:])
            #expect(read.chunks.isEmpty && read.error == nil)
        }

        @Test("an unsuccessful response stays in memory", arguments: EngineUnderTest.all, [304, 400, 404, 503])
        func refused(engine: EngineUnderTest, code: Int) async throws {
            let payload = code == 304 ? Data() : Data("no".utf8)
            let answer = Response(statusCode: .from(code: code), payload: payload)
            let read = try await engine.read(from: answer)
            #expect(read.head?.payload == payload)
            #expect(read.head?.body == nil)
        }

        @Test("the limit of payloads in memory does not apply to a stream", arguments: EngineUnderTest.all)
        func noLimit(engine: EngineUnderTest) async throws {
            try await engine.check(.streamWithoutLimit) {
                let answer = Response(statusCode: .ok, payload: Data("hello".utf8))
                let read = try await engine.read(from: answer, limit: 4)
                #expect(read.payload == answer.payload)
                #expect(read.error == nil)
            }
        }

        @Test("the limit of payloads in memory applies to a refusal", arguments: EngineUnderTest.all)
        func limitOfRefusal(engine: EngineUnderTest) async throws {
            let answer = Response(statusCode: .notFound, payload: Data("hello".utf8))
            let output = try await LoopbackServer.serving(.stub(.hasResponse(answer))) { server in
                var input = Input(url: server.url, delivery: .stream)
                input.payloadLimit = 4
                return await WebAPI.call(with: input, via: engine.connector())
            }
            guard case .noResponse(.payloadTooLarge(let response, limit: 4)) = output else { throw Unexpected(output) }
            #expect(response.payload == Data("hell".utf8))
        }

        @Test("each chunk is delivered as it arrives", arguments: EngineUnderTest.all)
        func chunkAtOnce(engine: EngineUnderTest) async throws {
            let latches = [Latch(), Latch()]
            let steps: [ServerScriptStep] = [
                .send("HTTP/1.1 200 OK\r\n\(unsniffed)Content-Length: 3\r\n\r\na"), .wait(latches[0]), .send("b"),
                .wait(latches[1]), .send("c"),
            ]
            try await engine.withOpen(steps) { response in
                let body = try #require(response.body)
                #expect(try await body.next() == Data("a".utf8))
                latches[0].open()
                #expect(try await body.next() == Data("b".utf8))
                latches[1].open()
                #expect(try await body.next() == Data("c".utf8))
                #expect(try await body.next() == nil)
            }
        }

        @Test("all bytes before a broken connection are read, then the error", arguments: EngineUnderTest.namingErrors)
        func brokenOff(engine: EngineUnderTest) async throws {
            let begun = Data.pattern(count: 1_000_000)
            let steps: [ServerScriptStep] = [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n"), .sendBytes(Array(begun)), .close,
            ]
            let read = try await engine.read(from: steps)
            #expect(read.error?.name == "connectionLost")
            #expect(read.error?.cause?.partial?.statusCode == .ok)
            #expect(read.error?.cause?.partial?.payload == Data())
            #expect(read.payload.isSame(as: begun))
        }

        @Test("a slow reader does not count as a silent server", .exhaustive, arguments: EngineUnderTest.all)
        func slowReader(engine: EngineUnderTest) async throws {
            let block = Data(count: 64 * 1024)
            let steps: [ServerScriptStep] = [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 33554432\r\n\r\n"), .sendRepeatedly(block, times: 512),
            ]
            try await engine.withOpen(steps, idle: .seconds(1)) { response in
                let body = try #require(response.body)
                var count = 0
                for _ in 0..<2 { count += try await body.next()?.count ?? 0 }
                // Longer than the limit of idle time, by another call's whole limit.
                let error = try await engine.error(of: [.waitForClose], idle: .seconds(2))
                #expect(error.name == "timedOut")
                count += try await response.wholePayload().count
                #expect(count == 33_554_432)
            }
        }

        // Bodies.

        private static let half = "HTTP/1.1 200 OK\r\n\(unsniffed)Content-Length: 10\r\n\r\nhello"

        @Test("after a body that is released behind its last chunk, a call succeeds", arguments: EngineUnderTest.all)
        func releasedLate(engine: EngineUnderTest) async throws {
            let steps: [ServerScriptStep] = [
                .receiveRequest, .send("HTTP/1.1 200 OK\r\n\(unsniffed)Content-Length: 2\r\n\r\nhi"),
            ]
            try await LoopbackServer.playing({ _ in steps + steps }) { server in
                let connector = engine.connector()
                for _ in 0..<2 {
                    let response = try await engine.open(server, via: connector)
                    #expect(try await response.body?.next() == Data("hi".utf8))
                }
            }
        }

        @Test(
            "a response that arrives after the end of its call is discarded, and its connection closed",
            arguments: EngineUnderTest.all,
            [[], [Wrapper.timeout(.seconds(600))]]
        )
        func late(engine: EngineUnderTest, wrappers: [Wrapper]) async throws {
            let (asked, isOver, closed) = (Latch(), Latch(), Latch())
            let steps: [ServerScriptStep] = [
                .receiveRequest, .open(asked), .wait(isOver), .send(Self.half), .waitForClose, .open(closed),
            ]
            try await LoopbackServer.playing({ _ in steps }) { server in
                let inner = engine.connector()
                // The task in between does not learn of the cancellation.
                let ignoring = Connector { input, context in await Task { await inner.connect(input, context) }.value }
                let input = Input(url: server.url, delivery: .stream)
                let connector = ignoring.wrapped(by: .all(wrappers))
                let call = Task { await WebAPI.call(with: input, via: connector) }
                await asked.wait()
                call.cancel()
                isOver.open()
                #expect(await call.value == .noResponse(.cancelled))
                await closed.wait()
            }
        }

        @Test(
            "a silent server times out while nobody reads; the next read has the error",
            arguments: EngineUnderTest.all
        )
        func silent(engine: EngineUnderTest) async throws {
            let closed = Latch()
            try await engine.withOpen([.send(Self.half), .waitForClose, .open(closed)], idle: .seconds(1)) { response in
                let body = try #require(response.body)
                await closed.wait()
                #expect(try await body.next() == Data("hello".utf8))
                let error = await #expect(throws: ConnectionError.self) { try await body.next() }
                #expect(error?.name == "timedOut")
                #expect(error?.response?.statusCode == .ok)
                #expect(error?.response?.body == nil)
            }
        }

        @Test("a request that is still being sent goes on until the body ends", arguments: EngineUnderTest.all)
        func upload(engine: EngineUnderTest) async throws {
            try await engine.check(.earlyResponse) {
                let (begun, isOpen, produced, cancelled) = (Latch(), Latch(), Latch(), Latch())
                let stream = PayloadStream { writer in
                    try await writer.write(Data("a".utf8))
                    begun.open()
                    await isOpen.wait()
                    try await writer.write(Data("b".utf8))
                    produced.open()
                    await Latch().wait()
                    cancelled.open()
                }
                let payload = Payload(.stream(stream), mediaType: nil)
                let steps: [ServerScriptStep] = [.wait(begun), .send(Self.half), .waitForClose]
                try await LoopbackServer.playing({ _ in [.receiveHead] + steps }) { server in
                    var response: Response? = try await engine.open(server, .put(payload: payload))
                    #expect(try await response?.body?.next()?.isEmpty == false)
                    isOpen.open()
                    await produced.wait()
                    response?.body?.discard()
                    response = nil
                    await cancelled.wait()
                }
            }
        }

        @Test(
            "request and response alternate byte by byte, whichever side begins",
            arguments: EngineUnderTest.all,
            [true, false]
        )
        func alternating(engine: EngineUnderTest, clientBegins: Bool) async throws {
            try await engine.check(.earlyResponse) {
                let count = 100
                let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
                let stream = PayloadStream(replayable: false) { writer in
                    var arrivals = arrivals.makeAsyncIterator()
                    for _ in 0..<count {
                        if !clientBegins { _ = await arrivals.next() }
                        try await writer.write(Data("A".utf8))
                        if clientBegins { _ = await arrivals.next() }
                    }
                    // Until the response has ended: an earlier end of the request would end the server's script.
                    if !clientBegins { _ = await arrivals.next() }
                }
                // A chunk of one byte takes six bytes, and the last chunk takes five (RFC 9112 7.1).
                let chunk = ServerScriptStep.send("1\r\nA\r\n")
                let turn: [ServerScriptStep] = clientBegins ? [.discard(6), chunk] : [chunk, .discard(6)]
                let turns = Array(repeating: turn, count: count).flatMap(\.self)
                let head = "HTTP/1.1 200 OK\r\n\(unsniffed)Transfer-Encoding: chunked\r\n\r\n"
                let end: [ServerScriptStep] = (clientBegins ? [.discard(5)] : []) + [.send("0\r\n\r\n"), .waitForClose]
                try await LoopbackServer.playing({ _ in [.receiveHead, .send(head)] + turns + end }) { server in
                    let payload = Payload(.stream(stream), mediaType: nil)
                    let response = try await engine.open(server, .post(payload: payload))
                    let body = try #require(response.body)
                    var chunks: [Data] = []
                    while let next = try await body.next() {
                        chunks.append(next)
                        arrived.yield()
                    }
                    #expect(chunks == Array(repeating: Data("A".utf8), count: count))
                }
            }
        }

        // Heads, and a limit until the head that replaces the limit of the engine.

        private let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n"

        @Test(
            "a limit until the head replaces the engine's limit up to the head, and not after it",
            arguments: EngineUnderTest.all
        )
        func replaced(engine: EngineUnderTest) async throws {
            let (idle, asked, latch) = (Duration.milliseconds(200), Latch(), Latch())
            let head = head
            try await LoopbackServer.playing({ _ in
                [.receiveRequest, .open(asked), .wait(latch), .send(head + "h"), .waitForClose]
            }) { server async throws in
                let input = Input(url: server.url)
                let base = engine.connector(idle: idle)
                let connector = base.wrapped(by: .timeout(untilHead: .seconds(600)))
                async let output = WebAPI.call(with: input, via: connector)
                await asked.wait()
                // Other calls of the same engine end by its limit meanwhile, as this call would have.
                try await LoopbackServer.playing({ _ in [.waitForClose] }) { other in
                    for _ in 0..<2 {
                        let output = await WebAPI.call(with: Input(url: other.url), via: base)
                        #expect(output.connectionError?.name == "timedOut")
                    }
                }
                latch.open()
                let error = await output.connectionError
                #expect(error?.name == "timedOut")
                #expect(error?.cause?.domain != "StartSmall")
                #expect(error?.cause?.partial?.statusCode == .ok)
            }
        }

        @Test("a limit until the head does not affect the next call", arguments: EngineUnderTest.ofSharedConnections)
        func next(engine: EngineUnderTest) async throws {
            try await LoopbackServer.playing({ _ in
                [.receiveRequest, .send(head + "hi"), .receiveRequest, .waitForClose]
            }) { server in
                let base = engine.connector(idle: .milliseconds(300))
                let limited = base.wrapped(by: .timeout(untilHead: .seconds(600)))
                let first = await WebAPI.call(with: Input(url: server.url), via: limited)
                #expect(first.response?.payload == Data("hi".utf8), "\(first)")
                let second = await WebAPI.call(with: Input(url: server.url), via: base)
                #expect(second.connectionError?.name == "timedOut")
            }
        }
    }
}

extension EngineUnderTest {
    /// Reads a response as a stream.
    fileprivate func read(from response: Response, limit: Int? = nil) async throws -> ReadOutput {
        try await LoopbackServer.serving(.stub(.hasResponse(response))) { server in
            await ReadOutput(.hasResponse(try await open(server, limit: limit)))
        }
    }

    /// Reads the response of a server that performs `steps` after it has read the request.
    fileprivate func read(
        from steps: [ServerScriptStep],
        _ methodAndPayload: HTTPMethodAndPayload = .get
    ) async throws -> ReadOutput {
        try await LoopbackServer.playing({ _ in [.receiveRequest] + steps }) { server in
            await ReadOutput(.hasResponse(try await open(server, methodAndPayload)))
        }
    }

    /// Returns the response of a server, of a stream whose body is open if it is a success.
    func open(
        _ server: LoopbackServer,
        _ methodAndPayload: HTTPMethodAndPayload = .get,
        limit: Int? = nil,
        idle: Duration = .seconds(30),
        via connector: Connector? = nil
    ) async throws -> Response {
        var input = Input(url: server.url, methodAndPayload: methodAndPayload, delivery: .stream)
        input.payloadLimit = limit
        let output = await WebAPI.call(with: input, via: connector ?? self.connector(idle: idle))
        guard case .hasResponse(let response) = output else { throw Unexpected(output) }
        return response
    }

    /// Calls a function with the open response of a server that performs steps after it has read the request.
    func withOpen(
        _ steps: [ServerScriptStep],
        idle: Duration = .seconds(30),
        _ body: @Sendable (Response) async throws -> Void
    ) async throws {
        try await LoopbackServer.playing({ _ in [.receiveRequest] + steps }) { server in
            try await body(try await open(server, idle: idle))
        }
    }
}
