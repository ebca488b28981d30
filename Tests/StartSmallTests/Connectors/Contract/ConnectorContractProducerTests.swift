import Foundation
@testable import StartSmall
import StartSmallTesting
import Testing

extension ConnectorContract {
    /// Producers that fail, wait or go on for ever, and servers that do not wait for them.
    @Suite("contract of engines: producers of request payloads") struct ProducerTests {
        private struct Broken: Error {}

        private static let empty = "Content-Length: 0\r\n\r\n"

        // Failures.

        @Test(
            "a failing producer ends the call with its own error, and the request never looks complete",
            arguments: EngineUnderTest.all,
            [nil, 300_000]
        )
        func failing(engine: EngineUnderTest, length: Int?) async throws {
            for size in [0, 1, 200_000] {
                let stream = PayloadStream(length: length) { writer in
                    try await writer.write(Data(count: size))
                    throw Broken()
                }
                try await expectIncomplete(stream, "Broken", engine)
            }
        }

        @Test(
            "another number of bytes than the length is an error, and the request never looks complete",
            arguments: EngineUnderTest.all,
            [(1, 0), (300_000, 299_999), (300_000, 300_001), (1, 2), (0, 1)]
        )
        func wrongLength(engine: EngineUnderTest, sizes: (length: Int, produced: Int)) async throws {
            let stream = PayloadStream(length: sizes.length) { try await $0.write(Data(count: sizes.produced)) }
            try await expectIncomplete(stream, "of \(sizes.length) bytes", engine)
        }

        /// Expects an error that contains a text, no complete request at the server, and a sound call afterwards.
        private func expectIncomplete(_ stream: PayloadStream, _ reason: String, _ engine: EngineUnderTest) async throws
        {
            let received = Recorder<Input>()
            let answering = Connector.stub(.hasResponse(Response(statusCode: .noContent)), recording: received)
            try await LoopbackServer.serving(answering) { server in
                let connector = engine.connector()
                let input = Input(url: server.url)
                #expect(await WebAPI.call(with: input, via: connector).response?.statusCode == .noContent)
                let put = HTTPMethodAndPayload.put(payload: Payload(.stream(stream), mediaType: nil))
                let output = await WebAPI.call(with: input.with { $0.methodAndPayload = put }, via: connector)
                #expect(output.connectionError?.name == "malformedPayload", "\(output)")
                #expect(output.connectionError?.debugInfo.contains(reason) == true, "\(output)")
                #expect(await WebAPI.call(with: input, via: connector).response?.statusCode == .noContent)
            }
            #expect(received.elements.map(\.methodAndPayload) == [.get, .get])
        }

        // Early responses (RFC 9110 7.5, RFC 9112 9.3).

        @Test(
            "a response that arrives before the upload ends is delivered, and the producer is cancelled",
            arguments: EngineUnderTest.all,
            ["413 Content Too Large", "401 Unauthorized", "200 OK", "204 No Content", "303 See Other"]
        )
        func early(engine: EngineUnderTest, status: String) async throws {
            let head = "HTTP/1.1 \(status)\r\n" + (status.hasPrefix("204") ? "\r\n" : Self.empty)
            for ending in [[ServerScriptStep.close], [.waitForClose]] {
                for isEndless in [true, false] {
                    let (begun, cancelled) = (Latch(), Latch())
                    let stream = PayloadStream { writer in
                        try await writer.write(Data("a".utf8))
                        begun.open()
                        while isEndless, !Task.isCancelled { try? await writer.write(Data(count: 10_000)) }
                        await Latch().wait()
                        cancelled.open()
                    }
                    let steps = [.receiveHead, .wait(begun), .send(head)] + ending
                    try await engine.check(.earlyResponse) {
                        let output = try await engine.output(of: stream, to: steps, idle: .seconds(2))
                        #expect(output.response?.statusCode.code == Int(status.prefix(3)), "\(output)")
                        if output.response != nil { await cancelled.wait() }
                    }
                }
            }
        }

        @Test(
            "a response with a payload that arrives before the upload ends is delivered whole",
            arguments: EngineUnderTest.all
        )
        func earlyPayload(engine: EngineUnderTest) async throws {
            let head = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 6\r\n\r\n"
            let (stream, begun) = Self.waiting()
            let steps: [ServerScriptStep] = [
                .receiveHead, .wait(begun), .send(head), .send("no"), .send("pe!!"), .waitForClose,
            ]
            try await engine.check(.earlyResponse) {
                let output = try await engine.output(of: stream, to: steps, idle: .seconds(2))
                #expect(output.response?.payload == Data("nope!!".utf8), "\(output)")
            }
        }

        @Test(
            "a server that ends the connection while the producer waits: connectionLost",
            arguments: EngineUnderTest.all
        )
        func closed(engine: EngineUnderTest) async throws {
            for ending in [ServerScriptStep.close, .reset] {
                let (stream, begun) = Self.waiting()
                try await engine.check(.earlyResponse) {
                    let steps = [.receiveHead, .wait(begun), ending]
                    let output = try await engine.output(of: stream, to: steps, idle: .seconds(2))
                    #expect(output.connectionError?.name == "connectionLost", "\(output) after \(ending)")
                }
            }
        }

        /// A stream that waits after its first byte, and the latch that opens then.
        private static func waiting() -> (stream: PayloadStream, begun: Latch) {
            let begun = Latch()
            let stream = PayloadStream { writer in
                try await writer.write(Data("a".utf8))
                begun.open()
                await Latch().wait()
            }
            return (stream, begun)
        }

        // Cancellation.

        @Test(
            "a cancelled call cancels its producer, and waits for nothing that the producer does",
            arguments: EngineUnderTest.all
        )
        func cancelled(engine: EngineUnderTest) async throws {
            let (ended, released) = (Latch(), Latch())
            let producers: [@Sendable (PayloadWriter) async throws -> Void] = [
                { writer in while true { try await writer.write(Data(count: 10_000)) } },
                { _ in
                    await Latch().wait()
                    ended.open()
                },
                // Ignores the cancellation.
                { _ in await Task.detached { await released.wait() }.value },
            ]
            for producer in producers {
                let begun = Latch()
                let stream = PayloadStream { writer in
                    begun.open()
                    try await producer(writer)
                }
                try await LoopbackServer.playing({ _ in [.receiveHead, .waitForClose] }) { server in
                    let put = HTTPMethodAndPayload.put(payload: Payload(.stream(stream), mediaType: nil))
                    let input = Input(url: server.url, methodAndPayload: put)
                    let call = Task { await WebAPI.call(with: input, via: engine.connector()) }
                    await begun.wait()
                    call.cancel()
                    #expect(await call.value == .noResponse(.cancelled))
                }
            }
            await ended.wait()
            released.open()
        }

        // Expect: 100-continue (RFC 9110 10.1.1).

        @Test("with Expect, nothing is produced before 100, and all of it after that", arguments: EngineUnderTest.all)
        func expected(engine: EngineUnderTest) async throws {
            let (resumed, begun) = (Latch(), Recorder<Bool>())
            let stream = PayloadStream { writer in
                begun.append(true)
                try await writer.write(Data("hello".utf8))
            }
            let steps: [ServerScriptStep] = [
                .receiveHead, .open(resumed), .send("HTTP/1.1 100 Continue\r\n\r\n"), .receiveRequest,
                .send("HTTP/1.1 204 No Content\r\n\r\n"),
            ]
            try await LoopbackServer.playing({ _ in steps }) { server in
                let put = HTTPMethodAndPayload.put(payload: Payload(.stream(stream), mediaType: nil))
                let input = Input(url: server.url, headers: ["Expect": "100-continue"], methodAndPayload: put)
                let output = await WebAPI.call(with: input, via: engine.connector())
                #expect(output.response?.statusCode == .noContent, "\(output)")
                let message = try #require(server.received.elements.first.map(RawMessage.init))
                try await engine.check(.expectation) { #expect(message.headers["Expect"] == "100-continue") }
                #expect(message.body == Data("5\r\nhello\r\n0\r\n\r\n".utf8))
                #expect(begun.elements.count == 1)
            }
        }

        @Test(
            "with Expect, a final response comes without a production",
            arguments: EngineUnderTest.all,
            [401, 413, 503]
        )
        func refused(engine: EngineUnderTest, code: Int) async throws {
            let begun = Recorder<Bool>()
            let stream = PayloadStream { _ in begun.append(true) }
            let steps: [ServerScriptStep] = [
                .receiveHead, .send("HTTP/1.1 \(code) No\r\n\(Self.empty)"), .waitForClose,
            ]
            try await engine.check(.refusedExpectation) {
                let output = try await engine.output(of: stream, to: steps, ["Expect": "100-continue"])
                #expect(output.response?.statusCode.code == code, "\(output)")
                #expect(begun.elements == [])
            }
        }
    }
}
