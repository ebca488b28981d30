import Foundation
import Testing

@testable import StartSmall

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct URLSessionMessagesTests {
    private let url = URL(string: "https://example.com/a%20b?c=%2B") ?? URL(filePath: "/")

    @Test("method and URL are kept unchanged")
    func methodAndURL() throws {
        let request = try request(Input(url: url, methodAndPayload: .custom(method: "purge", payload: nil)))
        #expect(request.httpMethod == "purge")
        #expect(request.url?.absoluteString == url.absoluteString)
    }

    @Test("fields of one name are joined, in the given order")
    func joined() throws {
        let request = try request(Input(url: url, headers: ["X-A": "1", "X-B": "2", "x-a": "3"]))
        #expect(request.value(forHTTPHeaderField: "X-A") == "1, 3")
        #expect(request.value(forHTTPHeaderField: "X-B") == "2")
    }

    @Test("cookies are joined with a semicolon")
    func cookies() throws {
        let request = try request(Input(url: url, headers: ["Cookie": "a=1", "cookie": "b=2"]))
        #expect(request.value(forHTTPHeaderField: "Cookie") == "a=1; b=2")
    }

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

    private func request(_ input: Input) throws -> URLRequest {
        URLRequest(try ValidatedRequest.from(input).get(), options: ConnectionOptions())
    }
}
