import Foundation
import StartSmall
import Testing

@testable import StartSmallTesting

@Suite struct HTTP1ResponseWriterTests {
    private static let chunked: HTTPHeaders = ["Transfer-Encoding": "chunked"]

    private static let written: [(response: Response, method: String, bytes: String)] = [
        (response(.ok, "hi"), "GET", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"),
        (response(.ok, ""), "GET", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        (response(.from(code: 799), ""), "GET", "HTTP/1.1 799 \r\nContent-Length: 0\r\n\r\n"),
        (
            response(.ok, "hi", ["B": "1", "a": "2", "b": ""]), "GET",
            "HTTP/1.1 200 OK\r\nB: 1\r\na: 2\r\nb: \r\nContent-Length: 2\r\n\r\nhi"
        ),
        (
            response(.ok, "", ["Set-Cookie": "a=b", "Set-Cookie": "c=d"]), "GET",
            "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nSet-Cookie: c=d\r\nContent-Length: 0\r\n\r\n"
        ),
        (response(.ok, "hi", ["Content-Length": "9"]), "GET", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"),
        (
            response(.ok, "hi", chunked), "GET",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
        ),
        (response(.ok, "", chunked), "GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        (
            response(.ok, "hi", ["Content-Length": "2", "Transfer-Encoding": "Chunked"]), "GET",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
        ),
        (response(.ok, "hi"), "HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"),
        (response(.ok, ""), "HEAD", "HTTP/1.1 200 OK\r\n\r\n"),
        (response(.ok, "", ["Content-Length": "9"]), "HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"),
        (response(.ok, "hi", chunked), "HEAD", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        (response(.noContent, "hi"), "GET", "HTTP/1.1 204 No Content\r\n\r\n"),
        (response(.noContent, "", ["Content-Length": "0"]), "GET", "HTTP/1.1 204 No Content\r\n\r\n"),
        (response(.noContent, "hi", chunked), "GET", "HTTP/1.1 204 No Content\r\n\r\n"),
        (response(.notModified, ""), "GET", "HTTP/1.1 304 Not Modified\r\n\r\n"),
        (
            response(.notModified, "", ["Content-Length": "9"]), "GET",
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n"
        ),
        (response(.earlyHints, "hi"), "GET", "HTTP/1.1 103 Early Hints\r\n\r\n"),
    ]

    @Test(arguments: written)
    func writesWhatTheResponseSays(response: Response, method: String, bytes: String) {
        #expect(Self.text(HTTP1ResponseWriter.bytes(of: response, to: method)) == bytes)
    }

    @Test func endsAConnectionByAField() {
        let response = Self.response(.ok, "", ["connection": "keep-alive"])
        let bytes = HTTP1ResponseWriter.bytes(of: response, to: "GET", closing: true)
        #expect(Self.text(bytes) == "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    }

    @Test func aClientThatKnowsNoChunksGetsALength() {
        let bytes = HTTP1ResponseWriter.bytes(of: Self.response(.ok, "hi", Self.chunked), to: "GET", chunked: false)
        #expect(Self.text(bytes) == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
    }

    @Test func aLargePayloadComesInSeveralChunks() {
        let text = String(repeating: "a", count: HTTP1ResponseWriter.chunkBytes + 1)
        let bytes = HTTP1ResponseWriter.bytes(of: Self.response(.ok, text, Self.chunked), to: "GET")
        let expected = "\r\n\r\n2000\r\n\(text.dropLast())\r\n1\r\na\r\n0\r\n\r\n"
        #expect(Self.text(bytes).hasSuffix(expected))
    }

    @Test func aPayloadThatIsASliceIsWrittenWhole() {
        var response = Response(statusCode: .ok, payload: Data("abc".utf8).dropFirst())
        #expect(Self.text(HTTP1ResponseWriter.bytes(of: response, to: "GET")).hasSuffix("Content-Length: 2\r\n\r\nbc"))
        response.headers = Self.chunked
        #expect(Self.text(HTTP1ResponseWriter.bytes(of: response, to: "GET")).hasSuffix("\r\n\r\n2\r\nbc\r\n0\r\n\r\n"))
    }

    @Test(arguments: [("a b", "c"), ("", "c"), ("a:", "c"), ("a", "c\r\nd: e"), ("a", "c\n"), ("a", "\0")])
    func aFieldThatWouldBreakTheMessageIsAnsweredWith500(name: String, value: String) {
        let bytes = HTTP1ResponseWriter.bytes(
            of: Self.response(.ok, "hi", HTTPHeaders([.init(name: name, value: value)])),
            to: "GET"
        )
        #expect(Self.text(bytes).hasPrefix("HTTP/1.1 500 Internal Server Error\r\nContent-Length: "))
    }

    private static func response(_ status: HTTPStatus, _ payload: String, _ headers: HTTPHeaders = [:]) -> Response {
        Response(statusCode: status, headers: headers, payload: Data(payload.utf8))
    }

    private static func text(_ bytes: Data) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
