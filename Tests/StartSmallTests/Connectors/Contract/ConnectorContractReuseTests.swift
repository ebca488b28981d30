import Foundation
import StartSmall
import StartSmallTesting
import Testing

extension ConnectorContract {
    /// The calls before and after a streamed payload on its connection.
    @Suite("contract of engines: connections of streamed request payloads") struct ReuseTests {
        private static let noContent = "HTTP/1.1 204 No Content\r\n\r\n"

        private func put(_ stream: PayloadStream, _ url: URL) -> Input {
            Input(url: url, methodAndPayload: .put(payload: Payload(.stream(stream), mediaType: nil)))
        }

        @Test(
            "an upload, a GET, a POST of bytes and another upload use one connection",
            arguments: EngineUnderTest.ofSharedConnections
        )
        func one(engine: EngineUnderTest) async throws {
            let exchange: [ServerScriptStep] = [.receiveRequest, .send(Self.noContent)]
            let connections = Array(repeating: exchange, count: 4).flatMap(\.self)
            try await LoopbackServer.playing({ $0 == 0 ? connections : [.reset] }) { server in
                let connector = engine.connector()
                let (chunked, known) = (
                    PayloadStream { try await $0.write(Data("hello".utf8)) },
                    PayloadStream(length: 6) { try await $0.write(Data("world!".utf8)) }
                )
                let bytes = Payload(.data(Data("hi".utf8)), mediaType: nil)
                let inputs = [
                    put(chunked, server.url), Input(url: server.url),
                    Input(url: server.url, methodAndPayload: .post(payload: bytes)), put(known, server.url),
                ]
                for input in inputs {
                    let output = await WebAPI.call(with: input, via: connector)
                    #expect(output.response?.statusCode == .noContent, "\(output)")
                }
                let messages = server.received.elements.map(RawMessage.init)
                #expect(messages.map { $0.requestLine.prefix(4) } == ["PUT ", "GET ", "POST", "PUT "])
                #expect(
                    messages.map { String(decoding: $0.body, as: UTF8.self) } == [
                        "5\r\nhello\r\n0\r\n\r\n", "", "hi", "world!",
                    ]
                )
            }
        }

        @Test(
            "a connection whose response preceded the end of the upload is not used again (RFC 9112 9.3)",
            arguments: EngineUnderTest.all,
            ["200 OK", "413 Content Too Large"]
        )
        func early(engine: EngineUnderTest, status: String) async throws {
            let begun = Latch()
            let stream = PayloadStream { writer in
                try await writer.write(Data("hello".utf8))
                begun.open()
                await Latch().wait()
            }
            let head = "HTTP/1.1 \(status)\r\nContent-Length: 2\r\n\r\nhi"
            let first: [ServerScriptStep] = [.receiveHead, .wait(begun), .discard(10), .send(head), .waitForClose]
            let script: @Sendable (Int) -> [ServerScriptStep] = { number in
                number == 0 ? first : [.receiveRequest, .send(Self.noContent)]
            }
            try await engine.check(.earlyResponse) {
                try await LoopbackServer.playing(script) { server in
                    let connector = engine.connector()
                    let output = await WebAPI.call(with: put(stream, server.url), via: connector)
                    #expect(output.response?.payload == Data("hi".utf8), "\(output)")
                    let next = await WebAPI.call(with: Input(url: server.url), via: connector)
                    #expect(next.response?.statusCode == .noContent, "\(next)")
                    #expect(server.received.elements.map { RawMessage($0).requestLine.prefix(4) } == ["GET "])
                }
            }
        }

        @Test(
            "a call that is cancelled at any write of its producer ends as cancelled, or is whole",
            arguments: EngineUnderTest.all
        )
        func cancelled(engine: EngineUnderTest) async throws {
            let received = Recorder<Input>()
            try await LoopbackServer.serving(.stub(.status(.noContent), recording: received)) { server in
                let connector = engine.connector()
                for last in 0...4 {
                    for ignores in [false, true] {
                        let cancelling = Latch()
                        let stream = PayloadStream { writer in
                            for number in 0...4 {
                                if number == last { cancelling.open() }
                                let data = Data(count: number * 20_000)
                                if ignores { try? await writer.write(data) } else { try await writer.write(data) }
                            }
                        }
                        let input = put(stream, server.url)
                        let call = Task { await WebAPI.call(with: input, via: connector) }
                        await cancelling.wait()
                        call.cancel()
                        let output = await call.value
                        #expect(output == .noResponse(.cancelled) || output.response?.statusCode == .noContent)
                    }
                }
                let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                #expect(output.response?.statusCode == .noContent, "\(output)")
            }
            let bodies = received.elements.compactMap(\.methodAndPayload.body)
            #expect(bodies.allSatisfy { $0.count == 200_000 })
        }
    }
}
