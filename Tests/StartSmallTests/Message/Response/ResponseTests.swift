import Foundation
import StartSmall
import Testing
import ParityTrait

struct ResponseTests {
    @Test("a response is compared and hashed by its status, headers and payload", .parity("A4"))
    func parts() {
        let response = Response(statusCode: .ok, headers: ["A": "1"], payload: Data([1]))
        #expect(Response(statusCode: .ok) == Response(statusCode: .ok, headers: [:], payload: Data(), redirections: []))
        #expect(
            Set([response, Response(statusCode: .from(code: 200), headers: ["a": "1"], payload: Data([1]))]).count == 1
        )
        #expect(response != Response(statusCode: .ok, headers: ["A": "1"], payload: Data([2])))
    }

    @Test("a response is described on one line, without its payload and with its redirections")
    func description() {
        let response = Response(
            statusCode: .notFound,
            headers: ["Content-Type": "text/plain", "Set-Cookie": "hunter2", "X": "a\r\nb"],
            payload: Data("hunter2".utf8),
            redirections: [
                Redirection(
                    from: URL(string: "https://u:hunter2@h/a")!,
                    statusCode: .found,
                    to: URL(string: "https://h/b")!
                )
            ]
        )
        #expect(
            response.description
                == #"404 Not Found [Content-Type: text/plain, Set-Cookie: <redacted>, X: a\r\nb], 7 bytes, "#
                + "after 302 Found: https://<redacted>@h/a → https://h/b"
        )
        #expect(Response(statusCode: .ok).description == "200 OK, 0 bytes")
        #expect(response.description(redacting: .none).contains("Set-Cookie: hunter2"))
    }
}
