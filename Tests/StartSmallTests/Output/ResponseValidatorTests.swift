import Testing

@testable import StartSmall

struct ResponseValidatorTests {
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

    @Test(
        "where a part starts",
        arguments: [
            ("bytes 500-999/1234", 500), ("Bytes 0-0/*", 0), ("bytes */1234", nil), ("bytes", nil), ("", nil),
            ("lines 1-2/3", nil), ("bytes -5/10", nil), ("bytes x-5/10", nil),
            ("bytes 99999999999999999999-5/10", nil),
        ]
    )
    func rangeStart(_ range: String, _ expected: Int?) {
        #expect(Response(statusCode: .partialContent, headers: ["Content-Range": range]).rangeStart == expected)
    }

    @Test("only a 206 is a part")
    func otherStatus() {
        #expect(Response(statusCode: .ok, headers: ["Content-Range": "bytes 5-9/10"]).rangeStart == nil)
    }
}
