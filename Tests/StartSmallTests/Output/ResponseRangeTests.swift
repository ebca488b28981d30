import Testing

@testable import StartSmall

struct ResponseRangeTests {
    @Test(
        "only a strong entity tag of a payload as it is names a version",
        arguments: [
            (["ETag": "\"a\""], "\"a\""),
            (["ETag": "W/\"a\""], nil),
            (["ETag": "a"], nil),
            (["ETag": "\"a\"", "Content-Encoding": "gzip"], nil),
            (["ETag": "\"a\"", "Accept-Ranges": "none"], nil),
            (["ETag": "\"a\"", "Accept-Ranges": "bytes"], "\"a\""),
            ([:], nil),
        ] as [(HTTPHeaders, String?)]
    )
    func validator(_ headers: HTTPHeaders, _ expected: String?) {
        #expect(Response(statusCode: .ok, headers: headers).rangeValidator == expected)
    }

    @Test("only a 206 is a part")
    func otherStatus() {
        let headers: HTTPHeaders = ["Content-Range": "bytes 5-9/10"]
        #expect(Response(statusCode: .ok, headers: headers).contentRange == nil)
        #expect(Response(statusCode: .partialContent, headers: headers).contentRange?.start == 5)
    }

    @Test(
        "a part goes on only where it was asked to, with the same version and bytes",
        arguments: [
            (["Content-Range": "bytes 5-9/10"], true),
            (["Content-Range": "bytes 5-9/10", "ETag": "\"a\""], true),
            (["Content-Range": "bytes 5-9/10", "ETag": "\"b\""], false),
            (["Content-Range": "bytes 5-9/10", "ETag": "W/\"a\""], false),
            (["Content-Range": "bytes 5-9/10", "Content-Encoding": "gzip"], false),
            (["Content-Range": "bytes 4-9/10"], false),
            (["Content-Range": "bytes 5-4/10"], false),
            ([:], false),
        ] as [(HTTPHeaders, Bool)]
    )
    func goesOn(_ headers: HTTPHeaders, _ expected: Bool) {
        let asked = Resumption(offset: 5, validator: "\"a\"")
        #expect(Response(statusCode: .partialContent, headers: headers).goesOn(from: asked) == expected)
    }

    @Test("what a server says is compared in time that grows with its length alone", arguments: [Hostile.accents])
    func hostile(_ pattern: String) {
        Hostile.expectLinear(pattern) { text in
            let headers: HTTPHeaders = ["Content-Range": "bytes 5-9/10", "ETag": "\"\(text)\"", "Accept-Ranges": text]
            let response = Response(statusCode: .partialContent, headers: headers)
            #expect(!response.goesOn(from: Resumption(offset: 5, validator: "\"a\"")))
            #expect(response.rangeValidator != nil)
        }
    }
}
