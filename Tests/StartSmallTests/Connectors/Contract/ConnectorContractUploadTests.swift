import Foundation
@testable import StartSmall
import StartSmallTesting
import Testing

extension ConnectorContract {
    /// Payloads with files in them arrive whole, or not at all.
    @Suite("contract of engines: upload") struct UploadTests {
        private static let noContent = "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"
        private static let sizes = [0, 1, 65_535, 65_536, 65_537, 3 * 1024 * 1024]

        @Test("a file arrives byte for byte", arguments: EngineUnderTest.all, sizes)
        func file(engine: EngineUnderTest, count: Int) async throws {
            try await withFile(.pattern(count: count)) { file in
                let message = try await engine.sent("/", .put(payload: Payload(.file(file), mediaType: "image/png")))
                #expect(message.requestLine == "PUT / HTTP/1.1")
                #expect(message.body.isSame(as: .pattern(count: count)))
                #expect(message.headers.values(of: "Content-Length") == ["\(count)"])
                #expect(message.headers.values(of: "Content-Type") == ["image/png"])
                #expect(message.headers.values(of: "Transfer-Encoding") == [])
            }
        }

        @Test("a multipart form with a file arrives byte for byte", arguments: EngineUnderTest.all, sizes)
        func multipart(engine: EngineUnderTest, count: Int) async throws {
            try await withFile(.pattern(count: count)) { file in
                let form: MultipartForm = [
                    .text("a", "é"), .file("b", file), .data("c", Data([0, 1])), .file("d", file),
                ]
                let payload = Payload(.multipart(form), mediaType: form.mediaType)
                let message = try await engine.sent("/", .post(payload: payload))
                let bytes = try form.bytes()
                #expect(message.body.isSame(as: bytes))
                #expect(message.headers.values(of: "Content-Length") == ["\(bytes.count)"])
                #expect(message.headers.values(of: "Content-Type") == [form.mediaType.rawValue])
            }
        }

        @Test("a file without a media type is sent without Content-Type", arguments: EngineUnderTest.all)
        func additions(engine: EngineUnderTest) async throws {
            try await withFile(Data([1])) { file in
                let message = try await engine.sent("/", .post(payload: Payload(.file(file), mediaType: nil)))
                try await engine.check(.untypedPayload) { #expect(message.headers["Content-Type"] == nil) }
                #expect(message.headers["Expect"] == nil)
            }
        }

        @Test(
            "a file that shrinks while it is sent is an error, unless all its bytes were sent",
            arguments: EngineUnderTest.all
        )
        func shrinking(engine: EngineUnderTest) async throws {
            try await expectNoShortMessage(engine) { Payload(.file($0), mediaType: nil) }
            try await expectNoShortMessage(engine) { Payload(.multipart([.file("a", $0)]), mediaType: nil) }
        }

        @Test("a file that contains the boundary is an error, and nothing is sent", arguments: EngineUnderTest.all)
        func boundary(engine: EngineUnderTest) async throws {
            try await withFile(Data(count: 100_000) + Data("--XXX".utf8) + Data(count: 100_000)) { file in
                let form = MultipartForm([.file("a", file)], boundary: "XXX")
                let (output, received) = try await upload(Payload(.multipart(form), mediaType: nil), engine)
                #expect(output.connectionError?.name == "malformedPayload")
                #expect(received.allSatisfy { $0.body.count < 100_000 })
            }
        }

        @Test("a file that no longer exists is an error, and nothing is sent", arguments: EngineUnderTest.all)
        func gone(engine: EngineUnderTest) async throws {
            let payload = Payload(.file(URL(fileURLWithPath: "/no/such/file")), mediaType: nil)
            let (output, received) = try await upload(payload, engine)
            #expect(output.connectionError?.name == "malformedPayload")
            #expect(received.isEmpty)
        }

        @Test(".retry sends a file, and a form with a file, whole again", arguments: EngineUnderTest.namingErrors)
        func retried(engine: EngineUnderTest) async throws {
            let first: [[ServerScriptStep]] = [
                [.receiveRequest, .send("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"), .close],
                [.receiveRequest, .reset], [.receiveHead, .reset],
            ]
            try await withFile(.pattern(count: 3_000_000)) { file in
                for content in [Payload.Content.file(file), .multipart([.text("a", "b"), .file("c", file)])] {
                    let bytes = try content.bytes()
                    for steps in first {
                        let again: [ServerScriptStep] = [.receiveRequest, .send(Self.noContent)]
                        try await LoopbackServer.playing({ $0 == 0 ? steps : again }) { server in
                            let put = HTTPMethodAndPayload.put(payload: Payload(content, mediaType: nil))
                            let connector = engine.connector().wrapped(by: .retry(random: { 0 }))
                            let input = Input(url: server.url, methodAndPayload: put)
                            let output = await WebAPI.call(with: input, via: connector)
                            #expect(output.response?.statusCode == .noContent, "\(output) after \(steps)")
                            let body = server.received.elements.last.map { RawMessage($0).body }
                            #expect(body?.isSame(as: bytes) == true, "after \(steps)")
                        }
                    }
                }
            }
        }

        @Test(
            "a file that changes between two requests of a call is an error, and its new bytes are not sent",
            arguments: EngineUnderTest.all,
            ["503 Service Unavailable", "307 Temporary Redirect\r\nLocation: /"]
        )
        func changedBetweenRequests(engine: EngineUnderTest, status: String) async throws {
            for content in [Data(repeating: 2, count: 1000), Data(repeating: 2, count: 2000)] {
                try await withFile(Data(repeating: 1, count: 1000)) { file in
                    for payload in [Payload.Content.file(file), .multipart([.file("a", file)])] {
                        try Data(repeating: 1, count: 1000).write(to: file)
                        let changing = Wrapper { input, next in
                            let output = await next(input)
                            do { try content.write(to: file, options: .atomic) } catch { Issue.record(error) }
                            return output
                        }
                        let answer = "HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n"
                        try await LoopbackServer.playing({ _ in [.receiveRequest, .send(answer)] }) { server in
                            let connector = engine.connector().wrapped(
                                by: .retry(.exponential(baseDelay: .zero), random: { 0 }),
                                .redirect(),
                                changing
                            )
                            let put = HTTPMethodAndPayload.put(payload: Payload(payload, mediaType: nil))
                            let input = Input(url: server.url, methodAndPayload: put)
                            let output = await WebAPI.call(with: input, via: connector)
                            #expect(output.connectionError?.name == "malformedPayload")
                            #expect("\(output)".contains("changed after an earlier request"), "\(output)")
                            #expect(server.received.elements.count == 1)
                        }
                    }
                }
            }
        }

        @Test(
            "a file payload is not lost on a connection that the server has closed",
            arguments: EngineUnderTest.namingErrors
        )
        func stale(engine: EngineUnderTest) async throws {
            try await withFile(.pattern(count: 200_000)) { file in
                let put = HTTPMethodAndPayload.put(payload: Payload(.file(file), mediaType: nil))
                let first: [ServerScriptStep] = [.receiveRequest, .send(Self.noContent), .receiveHead, .close]
                try await LoopbackServer.playing({ $0 == 0 ? first : [.receiveRequest, .send(Self.noContent)] }) {
                    server in
                    let connector = engine.connector(idle: .seconds(5))
                    _ = await WebAPI.call(with: Input(url: server.url), via: connector)
                    let output = await WebAPI.call(
                        with: Input(url: server.url, methodAndPayload: put),
                        via: connector
                    )
                    let error = output.connectionError?.name
                    #expect(error == nil || error == "connectionLost")
                    if error == nil {
                        let bodies = server.received.elements.dropFirst().map { RawMessage($0).body }
                        #expect(bodies.contains { $0.isSame(as: .pattern(count: 200_000)) })
                    }
                }
            }
        }

        @Test("an upload of a file can be cancelled", arguments: EngineUnderTest.all)
        func cancelled(engine: EngineUnderTest) async throws {
            try await withFile(Data(count: 16 * 1024 * 1024)) { file in
                let put = HTTPMethodAndPayload.put(payload: Payload(.file(file), mediaType: nil))
                let (reached, closed) = (Latch(), Latch())
                let steps: [ServerScriptStep] = [.receiveHead, .open(reached), .waitForClose, .open(closed)]
                try await LoopbackServer.playing({ _ in steps }) { server in
                    let input = Input(url: server.url, methodAndPayload: put)
                    let call = Task { await WebAPI.call(with: input, via: engine.connector()) }
                    await reached.wait()
                    call.cancel()
                    #expect(await call.value == .noResponse(.cancelled))
                    await closed.wait()
                }
            }
        }

        /// The output of an upload to a server that accepts it, and the messages that the server received.
        private func upload(_ payload: Payload, _ engine: EngineUnderTest) async throws -> (Output, [RawMessage]) {
            try await LoopbackServer.playing({ _ in [.receiveRequest, .send(Self.noContent)] }) { server in
                let input = Input(url: server.url, methodAndPayload: .put(payload: payload))
                let output = await WebAPI.call(with: input, via: engine.connector())
                return (output, server.received.elements.map(RawMessage.init))
            }
        }

        /// Expects no short message from a file, larger than a socket buffers, that shrinks after the head has arrived.
        private func expectNoShortMessage(_ engine: EngineUnderTest, _ payload: (URL) -> Payload) async throws {
            try await withFile(Data(count: 16 * 1024 * 1024)) { file in
                let payload = payload(file)
                let (begun, shrunk) = (Latch(), Latch())
                let steps: [ServerScriptStep] = [
                    .receiveHead, .open(begun), .wait(shrunk), .receiveRequest, .send(Self.noContent),
                ]
                try await LoopbackServer.playing({ _ in steps }) { server in
                    let input = Input(url: server.url, methodAndPayload: .put(payload: payload))
                    let call = Task { await WebAPI.call(with: input, via: engine.connector()) }
                    await begun.wait()
                    #expect(truncate(file.path, 1000) == 0)
                    shrunk.open()
                    let output = await call.value
                    #expect(output.connectionError?.name == "malformedPayload")
                }
            }
        }
    }
}
