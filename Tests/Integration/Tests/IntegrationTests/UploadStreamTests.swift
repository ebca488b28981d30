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
}
