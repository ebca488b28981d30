import Foundation
import StartSmall
import StartSmallDiagnostics
import StartSmallTesting
import Testing

private let path = ProcessInfo.processInfo.environment["STARTSMALL_HAR"]

/// The HAR that `Tests/HARReaders/read.py` has other programs read, a part of `make integration`.
@Suite(.enabled(if: path != nil), .timeLimit(.minutes(1))) struct HARReadersTests {
    @Test("redirects, retries, forms, bytes, an empty response and a lost connection are entries of a HAR")
    func write() async throws {
        let file = URL(filePath: try #require(path))
        let answers: [Output] = [
            .status(.found, headers: ["Location": "/b"]), .status(.serviceUnavailable), .text("größe"),
            .text("", status: .created, headers: ["Set-Cookie": "a=b; Path=/"]),
            .data(Data([0xFF, 0xD8, 0]), mediaType: "image/jpeg"), .status(.noContent), .noResponse(.cancelled),
        ]
        try await LoopbackServer.serving(.stub(sequence: answers)) { server in
            let app = Connector.engine.wrapped(by: .har(to: file), .redirect(), .retry(random: { 0 }))
            let form = Payload(.data(Data("a=1+2&password=hunter2".utf8)), mediaType: .form)
            let bytes = Payload(.data(Data([0xFF])), mediaType: nil)
            let payloads: [HTTPMethodAndPayload] = [.get, .post(payload: form), .get, .get, .post(payload: bytes)]
            for methodAndPayload in payloads {
                let url = server.url.appending(path: "a")
                _ = await WebAPI.call(with: Input(url: url, methodAndPayload: methodAndPayload), via: app)
            }
        }
    }
}
