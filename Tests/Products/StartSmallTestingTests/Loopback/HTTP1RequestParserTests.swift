import Foundation
import StartSmall
import Testing

@testable import StartSmallTesting

@Suite struct HTTP1RequestParserTests {
    private static let host = "Host: a\r\n"

    /// Bytes and all requests that they contain.
    private static let readable: [(bytes: String, requests: [HTTP1Request])] = [
        ("\r\n\r\nGET / HTTP/1.1\r\n\(host)\r\n", [get()]),
        ("GET / HTTP/1.1\r\n\(host)\r\nGET /2 HTTP/1.1\r\n\(host)\r\n", [get(), get("/2")]),
        (
            "GET / HTTP/1.1\r\n\(host)A: \t b c:d \t\r\na:\r\n\r\n",
            [get(headers: ["Host": "a", "A": "b c:d", "a": ""])]
        ),
        ("GET / HTTP/1.1\r\n\(host)A: é\r\n\r\n", [get(headers: ["Host": "a", "A": "é"])]),
        ("POST / HTTP/1.1\r\n\(host)Content-Length: 0003\r\n\r\na\r\n", [post("a\r\n", ["Content-Length": "0003"])]),
        (
            "POST / HTTP/1.1\r\n\(host)Content-Length: 1\r\n\r\naGET / HTTP/1.1\r\n\(host)\r\n",
            [post("a", ["Content-Length": "1"]), get()]
        ),
        (chunked("3\r\nabc\r\n0B\r\n0123456789a\r\n0\r\n\r\n"), [post("abc0123456789a", chunks)]),
        (chunked("2;a=\"b;c\"\r\n\r\n\r\n00\r\nT: 1\r\nU: 2\r\n\r\n"), [post("\r\n", chunks)]),
        (chunked("0\r\n\r\nGET / HTTP/1.1\r\n\(host)\r\n"), [post("", chunks), get()]),
    ]

    @Test("requests are complete with their last byte, wherever the bytes are cut", arguments: readable)
    func read(bytes: String, requests: [HTTP1Request]) {
        let bytes = Array(bytes.utf8)
        for cut in 0...bytes.count {
            #expect(Self.steps(in: [bytes[..<cut], bytes[cut...]]).compactMap(\.request) == requests, "cut at \(cut)")
        }
        let cutShort = Self.steps(in: [bytes.dropLast()])
        #expect(cutShort.compactMap(\.request) == requests.dropLast() && !cutShort.contains(where: \.isRefusal))
    }

    private static let malformed = [
        " GET / HTTP/1.1\r\n\(host)\r\n", "\u{16}\u{3}\u{1}", "GET / HTTP/1.1\n\(host)\r\n",
        "GET / HTTP/1.1\r\n\(host)\n", "GET / HTTP/1.1\r\n\(host)A: b\rc\r\n\r\n", "GET / HTTP/1.1\r\r\n\(host)\r\n",
        "GET /\r\n\r\n", "GET  / HTTP/1.1\r\n\(host)\r\n", "GET / a HTTP/1.1\r\n\(host)\r\n",
        "G(T / HTTP/1.1\r\n\(host)\r\n", "GET /\u{e9} HTTP/1.1\r\n\(host)\r\n", "GET / http/1.1\r\n\(host)\r\n",
        "GET / HTTP/1.0\r\n\(host)\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\n\(host)\(host)\r\n", "GET / HTTP/1.1\r\n\(host)no colon\r\n\r\n",
        "GET / HTTP/1.1\r\n\(host): no name\r\n\r\n", "GET / HTTP/1.1\r\n\(host)A : b\r\n\r\n",
        "GET / HTTP/1.1\r\n\(host)A: b\r\n folded\r\n\r\n", "GET / HTTP/1.1\r\n\(host)A: \u{0}\r\n\r\n",
        "POST / HTTP/1.1\r\n\(host)Content-Length: -1\r\n\r\n", "POST / HTTP/1.1\r\n\(host)Content-Length: +1\r\n\r\na",
        "POST / HTTP/1.1\r\n\(host)Content-Length: 1, 1\r\n\r\na", "POST / HTTP/1.1\r\n\(host)Content-Length:\r\n\r\n",
        "POST / HTTP/1.1\r\n\(host)Content-Length: 18446744073709551617\r\n\r\n",
        "POST / HTTP/1.1\r\n\(host)Content-Length: 1\r\nContent-Length: 1\r\n\r\na",
        "POST / HTTP/1.1\r\n\(host)Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: gzip, chunked\r\n\r\n", chunked("\r\n\r\n"), chunked(";a\r\n"),
        chunked("g\r\n"), chunked("-1\r\n"), chunked("+1\r\na\r\n"), chunked(" 1\r\na\r\n"), chunked("1\na\r\n0\r\n"),
        chunked("1\r\nab\r\n"), chunked("1\r\na\n\n"), chunked("FFFFFFFFFFFFFFFFF\r\n"),
    ]

    @Test("bytes that are no request are refused, and so is all that follows", arguments: malformed)
    func refused(bytes: String) {
        var parser = HTTP1RequestParser()
        parser.append(bytes.utf8)
        if case .head = parser.next() { _ = parser.next() }
        let refusal = parser.next()
        #expect(refusal.isRefusal)
        parser.append("GET / HTTP/1.1\r\n\(Self.host)\r\n".utf8)
        #expect(parser.next() == refusal)
    }

    @Test(
        "a target that is a path or a URL is the URL of the input",
        arguments: [
            ("/a/b?c=d&c=e%20f#", "http://127.0.0.1:80/a/b?c=d&c=e%20f#"), ("//evil/a", "http://127.0.0.1:80//evil/a"),
            ("/a/../b/%2e", "http://127.0.0.1:80/a/../b/%2e"), ("http://example.com/a?b", "http://example.com/a?b"),
            ("*", nil), ("a/b", nil), (":80", nil), ("http:", nil), ("/\"", nil), ("/%zz", nil),
        ]
    )
    func targets(target: String, url: String?) {
        #expect(HTTP1Request(method: "GET", target: target).input(origin: Self.origin)?.url.absoluteString == url)
    }

    @Test(
        "a body, or a media type where a body is usual, is a payload",
        arguments: [
            ("GET", nil, "a", true), ("PURGE", "text/plain", "a", true), ("POST", "text/plain", "", true),
            ("POST", nil, "", false), ("GET", "text/plain", "", false),
        ]
    )
    func payloads(method: String, mediaType: String?, body: String, hasPayload: Bool) {
        var headers: HTTPHeaders = ["b": "1", "B": "2"]
        headers["Content-Type"] = mediaType
        let request = HTTP1Request(method: method, target: "/", headers: headers, body: Data(body.utf8))
        let expected = Payload(.data(Data(body.utf8)), mediaType: mediaType.map { MediaType(rawValue: $0) })
        let input = request.input(origin: Self.origin)
        #expect(input?.methodAndPayload.method == method && input?.headers == headers)
        #expect(input?.methodAndPayload.payload == (hasPayload ? expected : nil))
    }

    @Test(
        "a connection ends with a request that says so",
        arguments: [
            ([:], false), (["Connection": "close,\u{301}"], true), (["Connection": "Keep-Alive, Close"], true),
            (["Connection": "closed"], false),
        ] as [(HTTPHeaders, Bool)]
    )
    func wantsClose(headers: HTTPHeaders, wantsClose: Bool) {
        #expect(HTTP1Request(method: "GET", target: "/", headers: headers).wantsClose == wantsClose)
    }
}

extension HTTP1RequestParserTests {
    private static let origin = "http://127.0.0.1:80"
    private static let chunks: HTTPHeaders = ["Transfer-Encoding": "Chunked"]

    /// Returns a parser's results for bytes that arrive in these pieces, without its requests for more.
    private static func steps(in pieces: [ArraySlice<UInt8>]) -> [HTTP1RequestParser.Step] {
        var parser = HTTP1RequestParser()
        return pieces.reduce(into: []) { steps, piece in
            parser.append(piece)
            while steps.last?.isRefusal != true {
                let step = parser.next()
                if step == .needsBytes { return }
                steps.append(step)
            }
        }
    }

    private static func get(_ target: String = "/", headers: HTTPHeaders = ["Host": "a"]) -> HTTP1Request {
        HTTP1Request(method: "GET", target: target, headers: headers)
    }

    private static func post(_ body: String, _ headers: HTTPHeaders) -> HTTP1Request {
        let fields = [HTTPHeaders.Field(name: "Host", value: "a")] + headers.fields
        return HTTP1Request(method: "POST", target: "/", headers: HTTPHeaders(fields), body: Data(body.utf8))
    }

    private static func chunked(_ body: String) -> String {
        "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: Chunked\r\n\r\n\(body)"
    }
}

extension HTTP1RequestParser.Step {
    fileprivate var request: HTTP1Request? {
        if case .request(let request) = self { request } else { nil }
    }

    fileprivate var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }
}
