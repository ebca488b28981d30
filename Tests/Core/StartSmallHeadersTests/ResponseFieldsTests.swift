import Foundation
import StartSmall
import Testing

struct ResponseFieldsTests {
    private let response = Response(
        statusCode: .ok,
        headers: [
            "content-type": "text/plain; charset=utf-8", "etag": "W/\"a\"", "cache-control": "no-store",
            "last-modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Cache-Control": "max-age=1",
        ]
    )

    @Test("each field is parsed as its type")
    func fields() {
        #expect(response.contentType?.essence == "text/plain")
        #expect(response.etag == ETag(opaque: "a", isWeak: true))
        #expect(response.lastModified == Date(timeIntervalSince1970: 784_111_777))
        #expect(response.cacheControl.description == "no-store, max-age=1")
        #expect(response.validators == CacheValidators(etag: response.etag, lastModified: response.lastModified))
    }

    @Test(
        "a response's media type omits malformed parameters, and is otherwise unchanged",
        arguments: [
            ("Text/HTML;Charset=\"utf-8\" ", "Text/HTML;Charset=\"utf-8\" "), ("rubbish", "rubbish"), ("", ""),
            ("text/html, a/b", "text/html, a/b"), ("text/html x", "text/html x"), ("a/b;;", "a/b;;"),
            ("Text/html; charset=", "Text/html"), ("a/b;c", "a/b"), ("a/b; c =d; E=f", "a/b; e=f"),
            ("a/b; c= d", "a/b"), ("a/b;c=\"d;e=f", "a/b"), ("a/b;c=\"d;e\"f; g=\"h;i\"", "a/b; g=\"h;i\""),
            ("a/b;=c;d=e", "a/b; d=e"), ("a/b;ä=1;c=2;d=3 4;e=5", "a/b; c=2; e=5"), ("a/b;c", "a/b"),
        ]
    )
    func readableContentType(_ text: String, _ expected: String) {
        let response = Response(statusCode: .ok, headers: ["Content-Type": text])
        #expect(response.contentType?.rawValue == expected)
        #expect(response.headers.contentType?.rawValue == text)
    }

    @Test(
        "a missing or malformed field is nil or empty",
        arguments: [[:], ["ETag": "a, b", "Last-Modified": "today"]] as [HTTPHeaders]
    )
    func none(_ headers: HTTPHeaders) {
        let response = Response(statusCode: .ok, headers: headers)
        #expect(response.contentType == nil)
        #expect(response.validators == CacheValidators())
        #expect(response.cacheControl.directives.isEmpty)
    }
}
