import Foundation
@testable import StartSmall
import StartSmallTesting
import Testing

extension ConnectorContract {
    /// Payloads that are produced while they are sent arrive whole, or the request visibly fails.
    @Suite("contract of engines: streamed request payloads") struct ProductionTests {
        private static let chunkings: [[Int]] = [
            [], [0, 0, 0], [1], [0, 1, 0], [65_535, 65_536, 65_537], Array(repeating: 1, count: 3000),
            [8 * 1024 * 1024],
            Array(repeating: 10_000, count: 200),
        ]

        @Test(
            "all chunks arrive, in chunked coding or with Content-Length (RFC 9112 6.2, 7.1), if their length is known",
            arguments: EngineUnderTest.all,
            chunkings + (0..<6).map(randomSizes)
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

        private static func randomSizes(seed: UInt64) -> [Int] {
            var random = SplitMix64(seed: seed)
            return (0..<Int.random(in: 0...50, using: &random)).map { _ in
                Int.random(in: 0...2, using: &random) * Int.random(in: 0...100_000, using: &random)
            }
        }

        @Test("a form with a stream arrives, its length known or not", arguments: EngineUnderTest.all, [true, false])
        func form(engine: EngineUnderTest, hasLength: Bool) async throws {
            let bytes = Data.pattern(count: 300_000)
            func form(_ part: MultipartForm.Part) -> MultipartForm {
                MultipartForm([.text("a", "é"), part, .text("z", "1")], boundary: "B")
            }
            let streamed = form(
                .stream("s", length: hasLength ? bytes.count : nil) { AsyncStream(elements: bytes.split(by: 7000)) }
            )
            let payload = Payload(.multipart(streamed), mediaType: streamed.mediaType)
            let message = try await engine.arrived(.post(payload: payload))
            #expect(message.methodAndPayload.body?.isSame(as: try form(.data("s", bytes)).bytes()) == true)
            #expect(message.headers.contains("Content-Length") == hasLength)
        }

        @Test("bytes are sent when they are produced, and not later", arguments: EngineUnderTest.all, [true, false])
        func slowProducer(engine: EngineUnderTest, hasLength: Bool) async throws {
            let arrived = Latch()
            let (first, rest) =
                hasLength ? (5, 6) : ("5\r\nhello\r\n".utf8.count, "6\r\nworld!\r\n0\r\n\r\n".utf8.count)
            let steps: [ServerScriptStep] = [
                .receiveHead, .discard(first), .open(arrived), .discard(rest), .send(.noContent),
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
                .send(.noContent),
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

        @Test(
            "a payload that can be produced only once is sent once, and the error says so",
            arguments: EngineUnderTest.namingErrors
        )
        func once(engine: EngineUnderTest) async throws {
            let stream = PayloadStream(replayable: false) { try await $0.write(Data(count: 100_000)) }
            try await LoopbackServer.playing({ _ in [.receiveRequest, .reset] }) { server in
                let put = HTTPMethodAndPayload.put(payload: Payload(.stream(stream), mediaType: nil))
                let connector = engine.connector().wrapped(by: .retry(.exponential(baseDelay: .zero), random: { 0 }))
                let output = await WebAPI.call(with: Input(url: server.url, methodAndPayload: put), via: connector)
                #expect(output.connectionError?.name == "connectionLost", "\(output)")
                #expect(output.connectionError?.debugInfo.contains("only once") == true)
                #expect(server.received.elements.count == 1)
            }
        }

        @Test("calls after a streamed payload contain nothing of it", arguments: EngineUnderTest.all)
        func afterwards(engine: EngineUnderTest) async throws {
            let received = Recorder<Input>()
            let answering = Connector.stub(.hasResponse(Response(statusCode: .noContent)), recording: received)
            let (chunked, known) = (
                Payload.produced([200_000]).payload, Payload.produced([300_000], hasLength: true).payload
            )
            let small = Payload(.data(Data("hi".utf8)), mediaType: nil)
            let large = Payload(.data(.pattern(count: 400_000)), mediaType: nil)
            let others: [HTTPMethodAndPayload] = [
                .get, .put(payload: small), .head, .post(payload: small), .delete(payload: nil),
            ]
            // Each of the payloads before each of the other calls, and before each other.
            let calls = [chunked, known, large].flatMap { payload in
                others.flatMap { [HTTPMethodAndPayload.post(payload: payload), $0] } + [.put(payload: payload)]
            }
            try await LoopbackServer.serving(answering) { server in
                let connector = engine.connector()
                for method in calls {
                    let output = await WebAPI.call(
                        with: Input(url: server.url, methodAndPayload: method),
                        via: connector
                    )
                    #expect(output.response?.statusCode == .noContent, "\(output)")
                }
            }
            let sizes = [(chunked, 200_000), (known, 300_000), (large, 400_000), (small, 2)]
            #expect(
                received.elements.map { "\($0.methodAndPayload.method) \($0.methodAndPayload.body?.count ?? 0)" }
                    == calls.map { call in "\(call.method) \(sizes.first { $0.0 == call.payload }?.1 ?? 0)" }
            )
            #expect(
                received.elements.map { $0.headers.contains("Transfer-Encoding") }
                    == calls.map { $0.payload == chunked }
            )
        }
    }
}

extension String {
    /// A response without a payload, after which the connection stays open.
    fileprivate static let noContent = "HTTP/1.1 204 No Content\r\n\r\n"
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
