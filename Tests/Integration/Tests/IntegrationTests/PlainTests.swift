import Foundation
import StartSmall
import StartSmallStreams
import Testing

/// The requirements of every engine with an independent server.
@Suite("Hummingbird over HTTP/1.1", .timeLimit(.minutes(1)))
struct PlainTests {
    @Test("a response is returned whole", arguments: Engine.allCases)
    func roundTrip(engine: Engine) async throws {
        try await TestServer.running { server in
            let response = try await engine.response(of: Input(url: server.url("/hello")))
            #expect(response.statusCode == .ok)
            #expect(response.headers["Content-Type"] == "text/plain")
            #expect(response.payload == Data("hello".utf8))
        }
    }
}

extension Engine {
    func output(of input: Input, caFile: URL? = nil) async throws -> Output {
        try await use(caFile: caFile) { connector in await WebAPI.call(with: input, via: connector) }
    }

    func response(of input: Input, caFile: URL? = nil) async throws -> Response {
        let output = try await output(of: input, caFile: caFile)
        return try #require(output.response, "\(String(describing: output.connectionError))")
    }
}
