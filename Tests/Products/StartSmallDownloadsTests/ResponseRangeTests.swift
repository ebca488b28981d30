import Testing

@testable import StartSmallCore
@testable import StartSmallDownloads
import StartSmallSupport

struct ResponseRangeTests {
    /// Returns the fields of a response with this `Date`, modified at 08:49:37.
    private static func dated(_ sent: String, _ fields: HTTPHeaders = [:]) -> HTTPHeaders {
        var fields = fields
        fields["Last-Modified"] = "Sun, 06 Nov 1994 08:49:37 GMT"
        fields["Date"] = sent
        return fields
    }

    @Test(
        "only a strong validator of an unencoded payload identifies a version",
        arguments: [
            (["ETag": "\"a\""], "\"a\""),
            (["ETag": "W/\"a\""], nil),
            (["ETag": "a"], nil),
            (["ETag": "\"a\"", "Content-Encoding": "gzip"], nil),
            (["ETag": "\"a\"", "Accept-Ranges": "none"], nil),
            (["ETag": "\"a\"", "Accept-Ranges": "bytes"], "\"a\""),
            (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], nil),
            (
                ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 UTC", "Date": "Sun, 06 Nov 1994 08:59:37 GMT"],
                "Sun, 06 Nov 1994 08:49:37 GMT"
            ),
            (dated("Sun, 06 Nov 1994 08:50:36 GMT"), nil),
            (dated("Sun, 06 Nov 1994 08:50:37 GMT"), "Sun, 06 Nov 1994 08:49:37 GMT"),
            (dated("Sun, 06 Nov 1994 08:50:37 GMT", ["ETag": "W/\"a\""]), nil),
            ([:], nil),
        ] as [(HTTPHeaders, String?)]
    )
    func validator(_ headers: HTTPHeaders, _ expected: String?) {
        #expect(Response(statusCode: .ok, headers: headers).rangeValidator == expected)
    }

    @Test(
        "a part continues only at the requested offset, with the same version and encoding",
        arguments: [
            (["Content-Range": "bytes 5-9/10"], false),
            (["Content-Range": "bytes 5-9/10", "ETag": "\"a\""], true),
            (["Content-Range": "bytes 5-8/10", "ETag": "\"a\""], true),
            (["Content-Range": "bytes 5-9/*", "ETag": "\"a\""], false),
            (["Content-Range": "bytes 5-9/10", "ETag": "\"b\""], false),
            (["Content-Range": "bytes 5-9/10", "ETag": "W/\"a\""], false),
            (["Content-Range": "bytes 5-9/10", "ETag": "\"a\"", "Content-Encoding": "gzip"], false),
            (["Content-Range": "bytes 4-9/10", "ETag": "\"a\""], false),
            (["Content-Range": "bytes 5-4/10", "ETag": "\"a\""], false),
            ([:], false),
        ] as [(HTTPHeaders, Bool)]
    )
    func continues(_ headers: HTTPHeaders, _ expected: Bool) {
        let asked = ReceivedPart(offset: 5, validator: "\"a\"")
        #expect(Response(statusCode: .partialContent, headers: headers).continues(asked) == expected)
        #expect(Response(statusCode: .ok, headers: headers).contentRange == nil)
    }

    @Test(
        "a range is parsed",
        arguments: [
            ("bytes 500-999/1234", 500, 1000, 1234), ("Bytes 0-0/*", 0, 1, nil), ("bytes 0-0/1", 0, 1, 1),
            ("bytes 0-9223372036854775806/9223372036854775807", 0, .max, .max),
        ] as [(String, Int, Int, Int?)]
    )
    func read(_ text: String, _ start: Int, _ end: Int, _ total: Int?) {
        let range = ContentRange(text)
        #expect(range?.start == start)
        #expect(range?.end == end)
        #expect(range?.total == total)
    }

    @Test(
        "an invalid or contradictory range is nil",
        arguments: [
            "", "bytes", "bytes */1234", "lines 1-2/3", "bytes -5/10", "bytes x-5/10", "bytes 1-2", "bytes 1-2/",
            "bytes 1-2/x", "bytes 1-/9", "bytes 1-2-3/9", "bytes 1-2/9/9", "bytes +1-2/9", "bytes 1-+2/9",
            "bytes 1-2/+9", "bytes 1--2/9", "bytes  1-2/9", "bytes 2-1/9", "bytes 1-2/2", "bytes \u{663}-5/10",
            "bytes 99999999999999999999-5/10", "bytes 5-99999999999999999999/*", "bytes 0-9223372036854775807/*",
            "bytes 0-1/99999999999999999999",
        ]
    )
    func none(_ text: String) {
        #expect(ContentRange(text) == nil)
    }
}
