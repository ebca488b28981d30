import Testing

@testable import StartSmall

struct ContentRangeTests {
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
