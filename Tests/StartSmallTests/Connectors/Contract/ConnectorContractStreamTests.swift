import Foundation
import ParityTrait
import StartSmall
import StartSmallTesting
import Testing

extension ConnectorContract {
    /// A response whose payload goes to a consumer arrives in parts, and the consumer sets the pace.
    @Suite("contract of engines: streams") struct StreamTests {
        private static let whole = Data.pattern(count: 8 * 1024 * 1024)

        @Test("8 MiB arrive as a head and then chunks, in order and complete", arguments: EngineUnderTest.all)
        func length(engine: EngineUnderTest) async throws {
            let answer = Response(statusCode: .ok, headers: ["A": "b"], payload: Self.whole)
            let (output, parts) = try await engine.taken(from: answer)
            #expect(output.response?.statusCode == .ok)
            #expect(parts.heads.map { $0.headers["A"] } == ["b"])
            #expect(parts.heads.map(\.payload) == [Data()])
            #expect(parts.payload.isSame(as: Self.whole))
            #expect(parts.first?.isHead == true)
        }

        @Test("8 MiB in chunked transfer coding arrive complete", arguments: EngineUnderTest.all)
        func chunked(engine: EngineUnderTest) async throws {
            let headers: HTTPHeaders = ["Transfer-Encoding": "chunked"]
            let answer = Response(statusCode: .ok, headers: headers, payload: Self.whole)
            let parts = try await engine.taken(from: answer).parts
            #expect(parts.payload.isSame(as: Self.whole))
        }

        @Test("a compressed payload arrives decompressed", arguments: EngineUnderTest.all)
        func gzip(engine: EngineUnderTest) async throws {
            let zipped = try #require(Data(base64Encoded: gzippedMebibyteOfZeros))
            let answer = Response(statusCode: .ok, headers: ["Content-Encoding": "gzip"], payload: zipped)
            let parts = try await engine.taken(from: answer).parts
            #expect(parts.payload.isSame(as: Data(count: 1024 * 1024)))
            #expect(parts.heads.first?.headers["Content-Encoding"] == "gzip")
        }

        @Test("the response is returned with its headers, and without the payload", arguments: EngineUnderTest.all)
        func returned(engine: EngineUnderTest) async throws {
            let answer = Response(statusCode: .created, headers: ["A": "b"], payload: Data("hi".utf8))
            let response = try await engine.taken(from: answer).output.response
            #expect(response?.statusCode == .created)
            #expect(response?.headers["A"] == "b")
            #expect(response?.payload == Data())
        }

        @Test("the head of an interim response is not the response's head", arguments: EngineUnderTest.all)
        func interim(engine: EngineUnderTest) async throws {
            let early = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
            let parts = try await engine.taken(from: [.send(early + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")])
                .parts
            #expect(
                parts == [.head(Response(statusCode: .ok, headers: ["Content-Length": "2"])), .chunk(Data("hi".utf8))]
            )
        }

        @Test(
            "a response without a payload gives a head and no chunk",
            arguments: EngineUnderTest.all,
            ["200 OK\r\nContent-Length: 0", "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0", "204 No Content"]
        )
        func empty(engine: EngineUnderTest, answer: String) async throws {
            let (output, parts) = try await engine.taken(from: [.send("HTTP/1.1 \(answer)\r\n\r\n")])
            #expect(output.response?.statusCode.isSuccess == true)
            #expect(parts.map(\.isHead) == [true])
        }

        @Test("HEAD gives a head and no chunk, whatever its Content-Length", arguments: EngineUnderTest.all)
        func head(engine: EngineUnderTest) async throws {
            let steps: [ServerScriptStep] = [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")]
            let (output, parts) = try await engine.taken(from: steps, .head)
            #expect(output.response?.headers["Content-Length"] == "5")
            #expect(parts.map(\.isHead) == [true])
        }

        @Test("an unsuccessful response stays in memory", arguments: EngineUnderTest.all, [304, 400, 404, 503])
        func refused(engine: EngineUnderTest, code: Int) async throws {
            let payload = code == 304 ? Data() : Data("no".utf8)
            let answer = Response(statusCode: .from(code: code), payload: payload)
            let (output, parts) = try await engine.taken(from: answer)
            #expect(output.response?.payload == payload)
            #expect(parts.isEmpty)
        }

        @Test("the limit of payloads in memory does not apply to a consumer", arguments: EngineUnderTest.all)
        func noLimit(engine: EngineUnderTest) async throws {
            try await engine.check(.consumerWithoutLimit) {
                let answer = Response(statusCode: .ok, payload: Data("hello".utf8))
                let (output, parts) = try await engine.taken(from: answer, limit: 4)
                #expect(output.response?.statusCode == .ok)
                #expect(parts.payload == answer.payload)
            }
        }

        @Test("the limit of payloads in memory applies to a refusal", arguments: EngineUnderTest.all)
        func limitOfRefusal(engine: EngineUnderTest) async throws {
            let answer = Response(statusCode: .notFound, payload: Data("hello".utf8))
            let (output, parts) = try await engine.taken(from: answer, limit: 4)
            guard case .noResponse(.payloadTooLarge(let response, limit: 4)) = output else { throw Unexpected(output) }
            #expect(response.payload == Data("hell".utf8))
            #expect(parts.isEmpty)
        }

        @Test("the head arrives before the payload", arguments: EngineUnderTest.all)
        func headAtOnce(engine: EngineUnderTest) async throws {
            let latch = Latch()
            let steps: [ServerScriptStep] = [
                .send("HTTP/1.1 200 OK\r\n\(unsniffed)Content-Length: 2\r\n\r\n"), .wait(latch), .send("hi"),
            ]
            let output = try await engine.output(of: steps, idle: .seconds(1)) { _ in latch.open() }
            #expect(output.response?.statusCode == .ok)
        }

        @Test("each chunk is delivered as it arrives", arguments: EngineUnderTest.all)
        func chunkAtOnce(engine: EngineUnderTest) async throws {
            let (latches, taken) = ([Latch(), Latch()], Recorder<String>())
            let steps: [ServerScriptStep] = [
                .send("HTTP/1.1 200 OK\r\n\(unsniffed)Content-Length: 3\r\n\r\na"), .wait(latches[0]), .send("b"),
                .wait(latches[1]), .send("c"),
            ]
            let output = try await engine.output(of: steps, idle: .seconds(1)) { part in
                guard case .chunk(let data) = part else { return }
                taken.append(String(decoding: data, as: UTF8.self))
                if taken.elements.count <= latches.count { latches[taken.elements.count - 1].open() }
            }
            #expect(output.response?.statusCode == .ok)
            #expect(taken.elements == ["a", "b", "c"])
        }

        @Test("all bytes before a broken connection are delivered, then the error", arguments: EngineUnderTest.all)
        func brokenOff(engine: EngineUnderTest) async throws {
            let begun = Data.pattern(count: 1_000_000)
            let steps: [ServerScriptStep] = [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n"), .sendBytes(Array(begun)), .close,
            ]
            let (output, parts) = try await engine.taken(from: steps)
            #expect(output.connectionError?.name == "connectionLost")
            #expect(output.connectionError?.cause?.partial?.statusCode == .ok)
            #expect(output.connectionError?.cause?.partial?.payload == Data())
            #expect(parts.payload.isSame(as: begun))
        }

        @Test("an error of the consumer ends the call and its connection", arguments: EngineUnderTest.all)
        func consumerFails(engine: EngineUnderTest) async throws {
            let (taken, block) = (Recorder<Bool>(), Data(count: 64 * 1024))
            let steps: [ServerScriptStep] = [
                .receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 67108864\r\n\r\n"),
                .sendRepeatedly(block, times: 1024),
            ]
            let small: [ServerScriptStep] = [.receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")]
            try await LoopbackServer.playing({ $0 == 0 ? steps : small }) { server in
                let connector = engine.connector()
                let full = PayloadConsumer { part in
                    taken.append(part.isHead)
                    if !part.isHead { throw CocoaError(.fileWriteOutOfSpace) }
                }
                let input = Input(url: server.url, destination: .consumer(full))
                let output = await WebAPI.call(with: input, via: connector)
                #expect(output.connectionError?.name == "unwritableDestination")
                #expect(taken.elements == [true, false])
                let next = await WebAPI.call(with: Input(url: server.url), via: connector)
                #expect(next.response?.payload == Data("hi".utf8))
            }
        }

        @Test(
            "a call that is cancelled while its consumer runs ends when the consumer returns",
            arguments: EngineUnderTest.all
        )
        func cancelled(engine: EngineUnderTest) async throws {
            let (held, closed, taken) = (Latch(), Latch(), Recorder<PayloadConsumer.Part>())
            let steps: [ServerScriptStep] = [
                .receiveRequest, .send("HTTP/1.1 200 OK\r\n\(unsniffed)Content-Length: 5\r\n\r\nhello"), .waitForClose,
                .open(closed),
            ]
            try await LoopbackServer.playing({ _ in steps }) { server in
                let holding = PayloadConsumer { part in
                    taken.append(part)
                    held.open()
                    // A latch that nobody opens: only the end of the task resumes it.
                    await Latch().wait()
                }
                let input = Input(url: server.url, destination: .consumer(holding))
                let connector = engine.connector()
                let call = Task { await WebAPI.call(with: input, via: connector) }
                await held.wait()
                call.cancel()
                #expect(await call.value == .noResponse(.cancelled))
                #expect(taken.elements.count == 1)
            }
        }

        @Test("a slow consumer does not count as a silent server", .exhaustive, arguments: EngineUnderTest.all)
        func slowConsumer(engine: EngineUnderTest) async throws {
            let block = Data(count: 64 * 1024)
            let steps: [ServerScriptStep] = [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 33554432\r\n\r\n"), .sendRepeatedly(block, times: 512),
            ]
            let count = Recorder<Int>()
            let output = try await engine.output(of: steps, idle: .seconds(1)) { part in
                guard case .chunk(let data) = part else { return }
                count.append(data.count)
                // Longer than the limit of idle time, by another call's whole limit.
                if count.elements.count == 2 {
                    let error = try await engine.error(of: [.waitForClose], idle: .seconds(2))
                    #expect(error.name == "timedOut")
                }
            }
            #expect(output.response?.statusCode == .ok)
            #expect(count.sum == 33_554_432)
        }
    }
}

extension EngineUnderTest {
    /// The parts that a consumer receives of a response, and the output of the call.
    fileprivate func taken(from response: Response, limit: Int? = nil) async throws
        -> (output: Output, parts: [PayloadConsumer.Part])
    {
        try await LoopbackServer.serving(.stub(.hasResponse(response))) { server in
            await taken(from: server, .get, limit)
        }
    }

    /// The parts and the output of a server that performs `steps` after it has read the request.
    fileprivate func taken(from steps: [ServerScriptStep], _ methodAndPayload: HTTPMethodAndPayload = .get) async throws
        -> (output: Output, parts: [PayloadConsumer.Part])
    {
        try await LoopbackServer.playing({ _ in [.receiveRequest] + steps }) { server in
            await taken(from: server, methodAndPayload, nil)
        }
    }

    private func taken(
        from server: LoopbackServer,
        _ methodAndPayload: HTTPMethodAndPayload,
        _ limit: Int?
    ) async -> (output: Output, parts: [PayloadConsumer.Part]) {
        let parts = Recorder<PayloadConsumer.Part>()
        let consumer = PayloadConsumer { parts.append($0) }
        var input = Input(url: server.url, methodAndPayload: methodAndPayload, destination: .consumer(consumer))
        input.payloadLimit = limit
        let output = await WebAPI.call(with: input, via: connector())
        return (output, parts.elements)
    }

    /// The output of a call whose parts `consumer` receives.
    fileprivate func output(
        of steps: [ServerScriptStep],
        idle: Duration,
        _ take: @escaping @Sendable (PayloadConsumer.Part) async throws -> Void
    ) async throws -> Output {
        try await LoopbackServer.playing({ _ in [.receiveRequest] + steps }) { server in
            let input = Input(url: server.url, destination: .consumer(PayloadConsumer(take)))
            return await WebAPI.call(with: input, via: connector(idle: idle))
        }
    }
}

extension Recorder<Int> {
    fileprivate var sum: Int { elements.reduce(0, +) }
}

extension PayloadConsumer.Part {
    fileprivate var isHead: Bool { if case .head = self { true } else { false } }
}

extension [PayloadConsumer.Part] {
    fileprivate var heads: [Response] { compactMap { if case .head(let response) = $0 { response } else { nil } } }

    fileprivate var payload: Data { reduce(into: Data()) { if case .chunk(let data) = $1 { $0 += data } } }
}
