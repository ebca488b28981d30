import Foundation
import ParityTrait
import StartSmall
import StartSmallTesting
import Testing

extension ConnectorContract {
    /// A response whose payload is a stream has a body, and the reader sets the pace.
    @Suite("contract of engines: streams") struct StreamTests {
        private static let whole = Data.pattern(count: 8 * 1024 * 1024)

        @Test(
            "8 MiB arrive after their head, in order and complete, also if their connector is released first",
            arguments: EngineUnderTest.all,
            [[:], ["Transfer-Encoding": "chunked"]] as [HTTPHeaders]
        )
        func length(engine: EngineUnderTest, framing: HTTPHeaders) async throws {
            let read = try await engine.read(from: Response(statusCode: .ok, headers: framing, payload: Self.whole))
            #expect(read.head?.statusCode == .ok && read.head?.payload == Data())
            #expect(read.payload.isSame(as: Self.whole))
            #expect(read.error == nil)
        }

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
        ]

        @Test("a response without a payload has a body without a chunk", arguments: EngineUnderTest.all, emptyAnswers)
        func empty(engine: EngineUnderTest, call: (method: HTTPMethodAndPayload, answer: String)) async throws {
            let read = try await engine.read(from: [.send("HTTP/1.1 \(call.answer)\r\n\r\n")], call.method)
            #expect(read.head?.statusCode.isSuccess == true && read.head?.body != nil)
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

        @Test("a discarded body ends the connection of a payload that still arrives", arguments: EngineUnderTest.all)
        func discarded(engine: EngineUnderTest) async throws {
            let block = Data(count: 64 * 1024)
            let steps: [ServerScriptStep] = [
                .receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 67108864\r\n\r\n"),
                .sendRepeatedly(block, times: 1024),
            ]
            let small: [ServerScriptStep] = [.receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")]
            try await LoopbackServer.playing({ $0 == 0 ? steps : small }) { server in
                // The next call waits for the end of the only connection.
                let options = ConnectionOptions(idleTimeout: .seconds(30), maxConnectionsPerHost: 1)
                let connector = engine.makeWith(options)
                let input = Input(url: server.url, delivery: .stream)
                let body = try #require(await WebAPI.call(with: input, via: connector).response?.body)
                #expect(try await body.next()?.isEmpty == false)
                body.discard()
                let error = await #expect(throws: ConnectionError.self) { try await body.next() }
                #expect(error == .cancelled)
                let next = await WebAPI.call(with: Input(url: server.url), via: connector)
                #expect(next.response?.payload == Data("hi".utf8))
            }
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
}
