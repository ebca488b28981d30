import Foundation
import StartSmall
import Testing

@testable import StartSmallTesting

@Suite(.timeLimit(.minutes(1))) struct HTTP1ServiceTests {
    /// A connector that responds with the method, the path with its query, and the payload.
    private static let echo = Connector.stub { input in
        let url = input.url.absoluteString
        let path = url.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }
        let body = String(decoding: input.methodAndPayload.body ?? Data(), as: UTF8.self)
        let text = "\(input.methodAndPayload.method) \(path) \(body)"
        return .hasResponse(Response(statusCode: .ok, headers: ["X": "y"], payload: Data(text.utf8)))
    }

    private static let closing = "Host: a\r\nConnection: close\r\n"

    private static func answer(_ text: String, closing: Bool = false) -> String {
        let connection = closing ? "Connection: close\r\n" : ""
        return "HTTP/1.1 200 OK\r\nX: y\r\n\(connection)Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
    }

    @Test func answersRequestsThatCameTogetherInTheirOrder() async throws {
        let requests = (0..<50).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
        let got = try await exchange(requests + "GET /50 HTTP/1.1\r\n\(Self.closing)\r\n")
        let expected = (0..<50).map { Self.answer("GET /\($0) ") }.joined() + Self.answer("GET /50 ", closing: true)
        #expect(got == expected)
    }

    @Test func theConnectorMayEndTheConnection() async throws {
        let response = Response(statusCode: .ok, headers: ["Connection": "close"])
        let two = String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 2)
        let got = try await exchange(two, via: .stub(.hasResponse(response)))
        #expect(got == "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    }

    @Test func asksForABodyThatWaitsToBeAskedFor() async throws {
        let got = try await LoopbackServer.serving(Self.echo) { server in
            await RawClient.converse(with: server) { client in
                client.send("POST / HTTP/1.1\r\n\(Self.closing)Expect: 100-Continue\r\nContent-Length: 2\r\n\r\n")
                let first = client.read(HTTP1Service.resume.count)
                client.send("hi")
                return [first, client.readToEnd().text]
            }
        }
        #expect(got == ["HTTP/1.1 100 Continue\r\n\r\n", Self.answer("POST / hi", closing: true)])
    }

    @Test func endsTheConnectionWithoutAnAnswerIfThereIsNone() async throws {
        let (text, error) = try await LoopbackServer.serving(.stub(.noResponse(.cancelled))) { server in
            await RawClient.converse(with: server) { client in
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                return client.readToEnd()
            }
        }
        #expect(text == "")
        #expect(error == 0)
    }

    @Test(arguments: ["GET /\r\n\r\n", "\u{16}\u{3}\u{1}", "GET a HTTP/1.1\r\nHost: a\r\n\r\n"])
    func refusesAndEndsTheConnection(request: String) async throws {
        let sent = Recorder<Input>()
        let got = try await exchange(request, via: .stub(.noResponse(.cancelled), recording: sent))
        #expect(got.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(got.contains("\r\nConnection: close\r\n"))
        #expect(sent.elements.isEmpty)
    }

    @Test func aClientThatSaysNothingMoreIsStillAnswered() async throws {
        let got = try await LoopbackServer.serving(Self.echo) { server in
            await RawClient.converse(with: server) { client in
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                client.endOutput()
                return client.readToEnd().text
            }
        }
        #expect(got == Self.answer("GET / "))
    }

    private func exchange(_ text: String, via connector: Connector = echo) async throws -> String {
        try await LoopbackServer.serving(connector) { await RawClient.exchange(text, with: $0) }
    }
}

/// The bytes of responses.
@Suite struct HTTP1ResponseTests {
    private static let chunked: HTTPHeaders = ["Transfer-Encoding": "Chunked"]

    private static let written: [(response: Response, method: String, bytes: String)] = [
        (
            response(.ok, "hi", ["B": "1", "a": "2", "b": ""]), "GET",
            "HTTP/1.1 200 OK\r\nB: 1\r\na: 2\r\nb: \r\nContent-Length: 2\r\n\r\nhi"
        ),
        (response(.from(code: 799), ""), "GET", "HTTP/1.1 799 \r\nContent-Length: 0\r\n\r\n"),
        (response(.ok, "hi", ["Content-Length": "9"]), "GET", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"),
        (
            response(.ok, "hi", chunked.merging(["Content-Length": "2"])), "GET",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
        ),
        (response(.ok, "", chunked), "GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n"),
        (response(.ok, "hi"), "HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"),
        (response(.ok, "", ["Content-Length": "9"]), "HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"),
        (response(.ok, "hi", chunked), "HEAD", "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n"),
        (response(.noContent, "hi", ["Content-Length": "0"]), "GET", "HTTP/1.1 204 No Content\r\n\r\n"),
        (response(.noContent, "hi", chunked), "GET", "HTTP/1.1 204 No Content\r\n\r\n"),
        (response(.notModified, ""), "GET", "HTTP/1.1 304 Not Modified\r\n\r\n"),
        (response(.earlyHints, "hi"), "GET", "HTTP/1.1 103 Early Hints\r\n\r\n"),
    ]

    @Test("a response is written with the framing that it allows", arguments: written)
    func bytes(response: Response, method: String, bytes: String) {
        #expect(Self.text(HTTP1Service.bytes(of: response, to: method)) == bytes)
    }

    @Test("a large payload has several chunks")
    func chunks() {
        let text = String(repeating: "a", count: HTTP1Service.chunkBytes + 1)
        let bytes = HTTP1Service.bytes(of: Self.response(.ok, text, Self.chunked), to: "GET")
        #expect(Self.text(bytes).hasSuffix("\r\n\r\n2000\r\n\(text.dropLast())\r\n1\r\na\r\n0\r\n\r\n"))
    }

    @Test(
        "a field that would break the message is answered with 500",
        arguments: [("a b", "c"), ("", "c"), ("a", "c\r\nd: e"), ("a", "c\n"), ("a", "\0")]
    )
    func broken(name: String, value: String) {
        let response = Self.response(.ok, "hi", HTTPHeaders([.init(name: name, value: value)]))
        #expect(
            Self.text(HTTP1Service.bytes(of: response, to: "GET")).hasPrefix("HTTP/1.1 500 Internal Server Error\r\n")
        )
    }

    private static func response(_ status: HTTPStatus, _ payload: String, _ headers: HTTPHeaders = [:]) -> Response {
        Response(statusCode: status, headers: headers, payload: Data(payload.utf8))
    }

    private static func text(_ bytes: Data) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
