import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// Request payloads that are produced while they are sent, over HTTP/1.1 and HTTP/2 with TLS.
@Suite("streamed request payloads", .timeLimit(.minutes(1)))
struct UploadStreamTests {
    /// The options of the engine, and a server, for both versions.
    private func running(
        http2: Bool,
        _ body: (TestServer, Connector) async throws -> Void
    ) async throws {
        try await Certificates.made { certificates in
            let tls = try certificates.good.server
            try await TestServer.running(http2 ? .http2OverTLS(tls) : .http1OverTLS(tls)) { server in
                let options = ConnectionOptions(proxy: .none, caFile: certificates.caFile)
                try await body(server, .curl(options: options))
            }
        }
    }

    private func put(_ stream: PayloadStream, _ url: URL) -> Input {
        Input(url: url, methodAndPayload: .put(payload: Payload(.stream(stream), mediaType: .octetStream)))
    }

    private static func stream(_ bytes: Data, length: Int?) -> PayloadStream {
        PayloadStream(length: length) { writer in
            var rest = bytes[...]
            for size in [0, 1, 65_536, 100_000, 3] + Array(repeating: 50_000, count: 1000) {
                try await writer.write(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
        }
    }

    @Test("all chunks arrive, whether their length is known or not", arguments: [false, true], [false, true])
    func bytes(http2: Bool, hasLength: Bool) async throws {
        try await running(http2: http2) { server, connector in
            for count in [0, 1, 70_000, 20_000_000] {
                let stream = Self.stream(Routes.bytes(count), length: hasLength ? count : nil)
                let output = await WebAPI.call(with: put(stream, server.url("/bytes/\(count)")), via: connector)
                #expect(output.response?.statusCode == .created, "\(count) bytes: \(output)")
                #expect(output.response?.headers["X-HTTP-Version"] == (http2 ? "2" : "1.1"))
            }
            #expect(server.accepted.elements.count == 1)
        }
    }

    @Test("a producer that waits delays no other call on its connection of HTTP/2")
    func slowProducer() async throws {
        try await running(http2: true) { server, connector in
            _ = await WebAPI.call(with: Input(url: server.url("/hello")), via: connector)
            let (begun, resume) = (Latch(), Latch())
            let bytes = Routes.bytes(200_000)
            let stream = PayloadStream { writer in
                try await writer.write(bytes.prefix(100_000))
                begun.open()
                await resume.wait()
                try await writer.write(bytes.dropFirst(100_000))
            }
            async let upload = WebAPI.call(with: put(stream, server.url("/bytes/200000")), via: connector)
            await begun.wait()
            for _ in 0..<20 {
                let output = await WebAPI.call(with: Input(url: server.url("/hello")), via: connector)
                #expect(output.response?.statusCode == .ok, "\(output)")
            }
            resume.open()
            #expect(await upload.response?.statusCode == .created)
            #expect(server.accepted.elements.count == 1)
        }
    }

    @Test("twenty concurrent streams arrive whole on one connection of HTTP/2")
    func many() async throws {
        try await running(http2: true) { server, connector in
            _ = await WebAPI.call(with: Input(url: server.url("/hello")), via: connector)
            let outputs = await withTaskGroup(of: Output.self) { group in
                for number in 1...20 {
                    group.addTask {
                        let stream = Self.stream(Routes.bytes(number * 50_000), length: nil)
                        return await WebAPI.call(
                            with: put(stream, server.url("/bytes/\(number * 50_000)")),
                            via: connector
                        )
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for output in outputs { #expect(output.response?.statusCode == .created, "\(output)") }
            #expect(server.accepted.elements.count == 1)
        }
    }

    @Test("a failing producer ends its call alone, with its own error", arguments: [false, true])
    func failing(http2: Bool) async throws {
        struct Broken: Error {}
        try await running(http2: http2) { server, connector in
            let stream = PayloadStream { writer in
                try await writer.write(Data(count: 100_000))
                throw Broken()
            }
            let output = await WebAPI.call(with: put(stream, server.url("/bytes/200000")), via: connector)
            #expect(output.connectionError?.name == "malformedPayload", "\(output)")
            #expect(output.connectionError?.debugInfo.contains("Broken") == true)
            let later = await WebAPI.call(with: Input(url: server.url("/hello")), via: connector)
            #expect(later.response?.statusCode == .ok, "\(later)")
        }
    }

    @Test("a response that does not wait for the upload is delivered", arguments: [false, true])
    func early(http2: Bool) async throws {
        try await running(http2: http2) { server, connector in
            let stream = PayloadStream { writer in
                while true { try await writer.write(Data(count: 10_000)) }
            }
            // The route does not exist, and the server does not read the payload.
            let output = await WebAPI.call(with: put(stream, server.url("/nowhere")), via: connector)
            #expect(output.response?.statusCode == .notFound, "\(output)")
        }
    }

    @Test("a cancelled upload cancels its producer", arguments: [false, true])
    func cancelled(http2: Bool) async throws {
        try await running(http2: http2) { server, connector in
            let (begun, ended) = (Latch(), Latch())
            let stream = PayloadStream { writer in
                try await writer.write(Data(count: 10_000))
                begun.open()
                await Latch().wait()
                ended.open()
            }
            let call = Task { await WebAPI.call(with: put(stream, server.url("/bytes/20000")), via: connector) }
            await begun.wait()
            call.cancel()
            #expect(await call.value == .noResponse(.cancelled))
            await ended.wait()
        }
    }
}
