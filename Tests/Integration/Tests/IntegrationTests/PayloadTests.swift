import Foundation
import StartSmall
import StartSmallForms
import StartSmallStreams
import TestSupport
import Testing

/// Compressed payloads and large payloads.
@Suite("payloads", .timeLimit(.minutes(1)))
struct PayloadTests {
    // MARK: compressed

    @Test(
        "gzip and deflate are decompressed, and the header fields stay unchanged",
        arguments: Engine.allCases,
        ["gzip", "deflate"]
    )
    func compressed(engine: Engine, coding: String) async throws {
        try await TestServer.running(.http1Compressing) { server in
            let input = Input(url: server.url("/text"), headers: ["Accept-Encoding": coding])
            let response = try await engine.response(of: input)
            #expect(response.headers["Content-Encoding"] == coding)
            #expect(response.payload == Data(Routes.text.utf8))
        }
    }

    // MARK: from files

    /// The output of a call that sends `payload` to a server that echoes it.
    private func echo(_ payload: Payload, _ engine: Engine) async throws -> Output {
        try await TestServer.running { server in
            try await engine.output(of: Input(url: server.url("/echo"), methodAndPayload: .post(payload: payload)))
        }
    }

    @Test("a file and a form with a file arrive", .parity("D13"), arguments: Engine.allCases, [0, 1, 200_000])
    func files(engine: Engine, count: Int) async throws {
        let bytes = Routes.bytes(count)
        try await File.holding(bytes) { file in
            let alone = try await echo(Payload(.file(file), mediaType: .octetStream), engine)
            #expect(alone.response?.payload == bytes, "\(alone)")
            let form: MultipartForm = [.text("a", "é"), .file("b", file), .data("c", bytes), .file("d", file)]
            var reader = try PayloadSource(.multipart(form)).reader()
            var expected = Data()
            while let next = try reader.next() { expected += next }
            let inForm = try await echo(Payload(.multipart(form), mediaType: form.mediaType), engine)
            #expect(inForm.response?.payload == expected, "\(inForm)")
            #expect(inForm.response?.headers["Content-Type"] == form.mediaType.rawValue)
        }
    }

    @Test(
        "a file that can't be sent as declared ends the call: malformedPayload",
        .parity("D13"),
        arguments: Engine.allCases
    )
    func unfit(engine: Engine) async throws {
        try await File.holding(Data(count: 100_000) + Data("--XXX".utf8) + Data(count: 100_000)) { file in
            let form = MultipartForm([.file("a", file)], boundary: "XXX")
            let output = try await echo(Payload(.multipart(form), mediaType: form.mediaType), engine)
            #expect(output.connectionError?.name == "malformedPayload", "\(output)")
        }
    }

    // MARK: large

    enum Way: String, CaseIterable, Sendable {
        case http1, http1OverTLS, http2OverTLS

        func transport(_ identity: Certificates.Identity) throws -> TestServer.Transport {
            switch self {
            case .http1: .http1
            case .http1OverTLS: .http1OverTLS(try identity.server)
            case .http2OverTLS: .http2OverTLS(try identity.server)
            }
        }
    }

    /// Calls a server with a client that trusts it.
    private func output(
        _ way: Way,
        _ engine: Engine = .curl,
        _ input: (TestServer) -> Input
    ) async throws -> Output {
        try await Certificates.made { certificates in
            try await TestServer.running(way.transport(certificates.good)) { server in
                try await engine.output(of: input(server), caFile: certificates.caFile)
            }
        }
    }

    @Test("a large payload that is echoed while it is sent arrives whole", arguments: Way.allCases)
    func echo(way: Way) async throws {
        let bytes = Routes.bytes(24 * 1024 * 1024)
        let payload = Payload(.data(bytes), mediaType: .octetStream)
        let output = try await output(way) { Input(url: $0.url("/echo"), methodAndPayload: .post(payload: payload)) }
        let isWhole = output.response?.payload == bytes
        #expect(isWhole, "\(output.response?.payload.count ?? 0) bytes, \(String(describing: output.connectionError))")
    }

    @Test(
        "a payload that ends too soon: connectionLost, with the bytes that had arrived",
        arguments: Engine.withCAFile,
        [Way.http1, .http1OverTLS]
    )
    func broken(engine: Engine, way: Way) async throws {
        let error = try await output(way, engine) { Input(url: $0.url("/broken")) }.connectionError
        #expect(error?.name == "connectionLost", "\(String(describing: error))")
        #expect(error?.cause?.partial?.payload == Data("hello".utf8))
    }
}

private enum File {
    /// Runs `body` with a new file of these bytes, and removes the file.
    static func holding(_ bytes: Data, _ body: (URL) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "startsmall-\(UUID())")
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file)
    }
}
