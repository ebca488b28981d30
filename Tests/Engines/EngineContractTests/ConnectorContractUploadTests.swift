import Foundation
import StartSmall
import StartSmallForms
import StartSmallSupport
@testable import StartSmallCore
import StartSmallTesting
import TestSupport
import Testing

extension ConnectorContract {
    /// Payloads of files, forms and streams arrive whole, or the request visibly fails.
    @Suite("contract of engines: upload") struct UploadTests {
        /// A response without a payload, after which the connection stays open.
        private static let noContent = "HTTP/1.1 204 No Content\r\n\r\n"

        // Files.

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
                let put = HTTPMethodAndPayload.put(payload: Payload(.multipart(form), mediaType: nil))
                try await LoopbackServer.playing({ _ in [.receiveRequest, .send(Self.noContent)] }) { server in
                    let input = Input(url: server.url, methodAndPayload: put)
                    let output = await WebAPI.call(with: input, via: engine.connector())
                    #expect(output.connectionError?.name == "malformedPayload")
                    #expect(server.received.elements.allSatisfy { RawMessage($0).body.count < 100_000 })
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

        // Streams.

        private static let chunkings: [[Int]] = [
            [], [0, 0, 0], [1], [0, 1, 0], [65_535, 65_536, 65_537], Array(repeating: 1, count: 3000),
            [8 * 1024 * 1024],
            Array(repeating: 10_000, count: 200),
        ]

        @Test(
            "all chunks arrive, in chunked coding or with Content-Length (RFC 9112 6.2, 7.1), if their length is known",
            arguments: EngineUnderTest.all,
            chunkings
        )
        func chunks(engine: EngineUnderTest, sizes: [Int]) async throws {
            for hasLength in [false, true] {
                let (payload, bytes) = Payload.produced(sizes, hasLength: hasLength)
                let message = try await engine.arrived(hasLength ? .post(payload: payload) : .put(payload: payload))
                #expect(message.methodAndPayload.method == (hasLength ? "POST" : "PUT"))
                #expect((message.methodAndPayload.body ?? Data()).isSame(as: bytes), "\(sizes)")
                #expect(message.headers.values(of: "Transfer-Encoding") == (hasLength ? [] : ["chunked"]))
                #expect(message.headers.values(of: "Content-Length") == (hasLength ? ["\(bytes.count)"] : []))
                #expect(message.headers.values(of: "Content-Type") == ["image/png"])
                #expect(message.headers["Expect"] == nil)
            }
        }

        @Test("bytes are sent when they are produced, and not later", arguments: EngineUnderTest.all, [true, false])
        func slowProducer(engine: EngineUnderTest, hasLength: Bool) async throws {
            let arrived = Latch()
            let (first, rest) =
                hasLength ? (5, 6) : ("5\r\nhello\r\n".utf8.count, "6\r\nworld!\r\n0\r\n\r\n".utf8.count)
            let steps: [ServerScriptStep] = [
                .receiveHead, .discard(first), .open(arrived), .discard(rest), .send(Self.noContent),
            ]
            let stream = PayloadStream(length: hasLength ? 11 : nil) { writer in
                try await writer.write(Data("hello".utf8))
                await arrived.wait()
                try await writer.write(Data("world!".utf8))
            }
            let output = try await engine.output(of: stream, to: steps)
            #expect(output.response?.statusCode == .noContent, "\(output)")
        }

        @Test("an upload that a server reads slowly keeps little in memory", arguments: EngineUnderTest.all)
        func slowServer(engine: EngineUnderTest) async throws {
            let mebibyte = 1024 * 1024
            let (reached, resume, produced) = (Latch(), Latch(), Locked(0))
            let stream = PayloadStream(length: 64 * mebibyte) { writer in
                for _ in 0..<1024 {
                    try await writer.write(Data(count: 64 * 1024))
                    produced.withLock { $0 += 64 * 1024 }
                }
            }
            let steps: [ServerScriptStep] = [
                .receiveHead, .discard(mebibyte), .open(reached), .wait(resume), .discard(63 * mebibyte),
                .send(Self.noContent),
            ]
            try await LoopbackServer.playing({ _ in steps }) { server in
                let put = HTTPMethodAndPayload.put(payload: Payload(.stream(stream), mediaType: nil))
                async let output = WebAPI.call(
                    with: Input(url: server.url, methodAndPayload: put),
                    via: engine.connector(idle: .seconds(50))
                )
                await reached.wait()
                try await Self.letTimePass()
                // The sockets of both sides hold up to 4 MiB and 32 MiB (Linux 6.16), and each buffer of this process
                // 64 KiB.
                #expect(produced.withLock { $0 } < 40 * mebibyte)
                resume.open()
                #expect(await output.response?.statusCode == .noContent)
                #expect(produced.withLock { $0 } == 64 * mebibyte)
            }
        }

        /// Makes other calls, in whose time an unbounded producer would produce gigabytes.
        private static func letTimePass() async throws {
            try await LoopbackServer.serving(.stub(.status(.noContent))) { server in
                for _ in 0..<100 {
                    let output = await WebAPI.call(
                        with: Input(url: server.url),
                        via: EngineUnderTest.all[0].connector()
                    )
                    #expect(output.response?.statusCode == .noContent)
                }
            }
        }

        @Test(".retry and .redirect produce the payload anew", arguments: EngineUnderTest.all, 0..<4)
        func replayed(engine: EngineUnderTest, kind: Int) async throws {
            try await withFile(.pattern(count: 200_000)) { file in
                let form: MultipartForm = [.text("a", "b"), .file("a", file)]
                let payload = [
                    Payload.produced([100_000, 0, 200_000]).payload,
                    Payload.produced([100_000, 0, 200_000], hasLength: true).payload,
                    Payload(.file(file), mediaType: "image/png"), Payload(.multipart(form), mediaType: form.mediaType),
                ][kind]
                let bytes = kind < 2 ? Data.pattern(count: 300_000) : try payload.content.bytes()
                for status in [HTTPStatus.serviceUnavailable, .temporaryRedirect] {
                    let received = Recorder<Input>()
                    let answering = Connector { input in
                        received.append(input)
                        if received.elements.count > 1 { return .status(.noContent) }
                        return .status(status, headers: ["Location": "/there"])
                    }
                    try await LoopbackServer.serving(answering) { server in
                        let connector = engine.connector().wrapped(
                            by: .retry(.exponential(baseDelay: .zero), random: { 0 }),
                            .redirect()
                        )
                        let input = Input(url: try server.url("/"), methodAndPayload: .put(payload: payload))
                        let output = await WebAPI.call(with: input, via: connector)
                        #expect(output.response?.statusCode == .noContent, "\(output)")
                    }
                    #expect(received.elements.map(\.url.path) == ["/", status == .temporaryRedirect ? "/there" : "/"])
                    #expect(received.elements.map(\.methodAndPayload.method) == ["PUT", "PUT"])
                    #expect(received.elements.allSatisfy { $0.methodAndPayload.body?.isSame(as: bytes) == true })
                    #expect(received.elements.allSatisfy { $0.headers["Content-Type"] == payload.mediaType?.rawValue })
                }
            }
        }

        // Failures.

        private struct Broken: Error {}

        private static let unfit: [(length: Int?, produced: Int, reason: String)] = [
            (nil, 200_000, "Broken"), (300_000, 1, "Broken"), (300_000, 299_999, "of 300000 bytes"),
            (300_000, 300_001, "of 300000 bytes"), (0, 1, "of 0 bytes"),
        ]

        @Test(
            "a producer that fails, or has another length, ends its call alone, and its request never looks complete",
            arguments: EngineUnderTest.all,
            unfit.indices
        )
        func failing(engine: EngineUnderTest, index: Int) async throws {
            let (length, produced, reason) = Self.unfit[index]
            let stream = PayloadStream(length: length) { writer in
                try await writer.write(Data(count: produced))
                if reason == "Broken" { throw Broken() }
            }
            let received = Recorder<Input>()
            try await LoopbackServer.serving(.stub(.status(.noContent), recording: received)) { server in
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
            "a response before the end of the upload is delivered, cancels the producer, and ends the connection",
            arguments: EngineUnderTest.all,
            ["413 Content Too Large", "401 Unauthorized", "200 OK", "204 No Content", "303 See Other"]
        )
        func early(engine: EngineUnderTest, status: String) async throws {
            let hasPayload = !status.hasPrefix("204")
            let answer = "HTTP/1.1 \(status)\r\n" + (hasPayload ? "Content-Length: 2\r\n\r\nhi" : "\r\n")
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
                    let first = [ServerScriptStep.receiveHead, .wait(begun), .send(answer)] + ending
                    try await engine.check(.earlyResponse) {
                        try await LoopbackServer.playing({ $0 == 0 ? first : [.receiveRequest, .send(Self.noContent)] })
                        { server in
                            let connector = engine.connector(idle: .seconds(2), connect: .seconds(30))
                            let put = HTTPMethodAndPayload.put(payload: Payload(.stream(stream), mediaType: nil))
                            let upload = Input(url: server.url, methodAndPayload: put)
                            let output = await WebAPI.call(with: upload, via: connector)
                            #expect(output.response?.statusCode.code == Int(status.prefix(3)), "\(output)")
                            #expect(output.response?.payload == Data((hasPayload ? "hi" : "").utf8), "\(output)")
                            if output.response != nil { await cancelled.wait() }
                            // The connection is not used again (RFC 9112 9.3).
                            let next = await WebAPI.call(with: Input(url: server.url), via: connector)
                            #expect(next.response?.statusCode == .noContent, "\(next)")
                            #expect(server.received.elements.map { RawMessage($0).requestLine.prefix(4) } == ["GET "])
                        }
                    }
                }
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
                .receiveHead, .send("HTTP/1.1 \(code) No\r\nContent-Length: 0\r\n\r\n"), .waitForClose,
            ]
            try await engine.check(.refusedExpectation) {
                let output = try await engine.output(of: stream, to: steps, ["Expect": "100-continue"])
                #expect(output.response?.statusCode.code == code, "\(output)")
                #expect(begun.elements == [])
            }
        }
    }
}

extension Payload {
    /// A payload of chunks of these sizes, and its bytes.
    static func produced(_ sizes: [Int], hasLength: Bool = false) -> (payload: Payload, bytes: Data) {
        let bytes = Data.pattern(count: sizes.reduce(0, +))
        var (chunks, start) = ([Data](), 0)
        for size in sizes {
            chunks.append(bytes[start..<(start + size)])
            start += size
        }
        let stream = PayloadStream(length: hasLength ? bytes.count : nil) { [chunks] in AsyncStream(elements: chunks) }
        return (Payload(.stream(stream), mediaType: "image/png"), bytes)
    }
}

extension EngineUnderTest {
    /// The request as a server reads it, with its payload in memory.
    fileprivate func arrived(_ methodAndPayload: HTTPMethodAndPayload) async throws -> Input {
        let received = Recorder<Input>()
        return try await LoopbackServer.serving(.stub(.status(.noContent), recording: received)) { server in
            let output = await WebAPI.call(
                with: Input(url: server.url, methodAndPayload: methodAndPayload),
                via: connector()
            )
            guard output.response?.statusCode == .noContent, let input = received.elements.first else {
                throw Unexpected(output)
            }
            return input
        }
    }

    /// The output of an upload to a server that performs these steps.
    func output(
        of stream: PayloadStream,
        to steps: [ServerScriptStep],
        _ headers: HTTPHeaders = [:],
        idle: Duration = .seconds(30)
    ) async throws -> Output {
        try await LoopbackServer.playing({ _ in steps }) { server in
            let put = HTTPMethodAndPayload.put(payload: Payload(.stream(stream), mediaType: nil))
            let input = Input(url: server.url, headers: headers, methodAndPayload: put)
            return await WebAPI.call(with: input, via: connector(idle: idle, connect: .seconds(30)))
        }
    }
}
