import Foundation
import Testing

import StartSmall
@testable import StartSmallURLSession

@Suite struct URLSessionMessagesTests {
    private let url = URL(string: "https://example.com/a%20b?c=%2B") ?? URL(filePath: "/")

    @Test("Content-Length is left to Foundation")
    func length() throws {
        let request = try request(Input(url: url, headers: ["Content-Length": "0"]))
        #expect(request.value(forHTTPHeaderField: "Content-Length") == nil)
    }

    @Test("a payload is sent with its media type, or as an untyped one")
    func mediaType() throws {
        var request = try request(Input(url: url))
        #expect(request.withMediaType.value(forHTTPHeaderField: "Content-Type") == URLRequest.untyped)
        request.setValue("text/plain", forHTTPHeaderField: "content-type")
        #expect(request.withMediaType.value(forHTTPHeaderField: "Content-Type") == "text/plain")
    }

    @Test("the fields of a response are sorted, and its cookies separate")
    func response() throws {
        let head = HTTPURLResponse(
            url: url,
            statusCode: 418,
            httpVersion: nil,
            headerFields: [
                "Set-Cookie": "a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT, b=2", "Allow": "GET, PUT", "x": "",
            ]
        )
        let response = try #require(Response(head: head))
        #expect(response.statusCode.code == 418)
        #expect(
            response.headers.fields.map(\.value)
                == ["GET, PUT", "a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT", "b=2", ""]
        )
    }

    @Test("a reply that is not HTTP is not a response")
    func notHTTP() {
        #expect(Response(head: nil) == nil)
        let other = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        #expect(Response(head: other) == nil)
    }

    @Test(
        "bytes of UTF-8 that were decoded as ISO-8859-1 become the original text",
        arguments: ["é", "あ", "naïve – 😀", "a\u{301}", "\u{80}"]
    )
    func repaired(text: String) {
        let decoded = String(String.UnicodeScalarView(text.utf8.map { Unicode.Scalar($0) }))
        #expect(Array(LatinText.repaired(decoded).utf8) == Array(text.utf8))
    }

    @Test(
        "other texts stay unchanged: ASCII, ISO-8859-1 that is not UTF-8, and text decoded otherwise",
        arguments: ["", "text/html; charset=utf-8", "caf\u{E9}", "\u{FF}", "Ã\u{A9}あ", "あ"]
    )
    func unchanged(text: String) {
        #expect(Array(LatinText.repaired(text).utf8) == Array(text.utf8))
    }

    private func request(_ input: Input) throws -> URLRequest {
        URLRequest(try ValidatedRequest.from(input).get(), options: ConnectionOptions())
    }
}
