import Foundation
import StartSmall
import Testing

struct RetryAfterTests {
    /// Sat, 21 Nov 2026 10:00:00 GMT.
    private static let now = Date(timeIntervalSince1970: 1_795_255_200)

    private func delay(_ headers: HTTPHeaders) -> Duration? {
        delay(.serviceUnavailable, headers)
    }

    private func delay(_ status: HTTPStatus, _ headers: HTTPHeaders) -> Duration? {
        RetryAfter.delay(of: Response(statusCode: status, headers: headers), now: Self.now)
    }

    @Test(
        "Retry-After is seconds or a date, in any of its forms",
        arguments: [
            ("0", .zero), ("1", .seconds(1)), ("120", .seconds(120)), ("007", .seconds(7)),
            ("Sat, 21 Nov 2026 10:00:30 UTC", .seconds(30)), ("Sat, 21 Nov 2026 10:00:30 +0000", .seconds(30)),
            ("Sat, 21 Nov 2026 10:00:30 GMT", .seconds(30)), ("Saturday, 21-Nov-26 10:00:30 GMT", .seconds(30)),
            ("Sat Nov 21 10:00:30 2026", .seconds(30)), ("Sat, 21 Nov 2026 09:59:59 GMT", .zero),
            // A fraction of a second is rounded up, so that no request comes too early.
            ("1.5", .seconds(2)), ("299.997", .seconds(300)), ("1.0", .seconds(1)), ("0.0", .zero),
            ("0.001", .seconds(1)), ("1.000000001", .seconds(2)), ("007.1", .seconds(8)),
        ] as [(String, Duration)]
    )
    func retryAfter(_ text: String, _ expected: Duration) {
        #expect(delay(["retry-after": text]) == expected)
        #expect(delay(["Content-Type": text]) == nil)
    }

    @Test(
        "a value that is neither seconds nor a date is ignored",
        arguments: [
            "", "soon", "-1", "+1", "1.", ".5", "1 ", "0x10", "٣", "5w", "m", "1m2", "Sat, 21 Nov 2026 10:00:30 CET",
            "1e3", "-1.5", "+1.5", "1.5.5", "1,5", "5 s", "5, 10", "1.٣", "1.5 ", "nan", "inf",
            "Sat, 21 Nov 2026 10:00:30 +0100", "Sat, 21 Nov 2026 10:00:30 -0000",
        ]
    )
    func nothing(_ text: String) {
        #expect(delay(["Retry-After": text]) == nil)
        #expect(delay(.tooManyRequests, ["RateLimit-Reset": text]) == nil)
        #expect(delay(.tooManyRequests, ["X-RateLimit-Reset": text]) == nil)
    }

    @Test("a number too large to count is a very long delay, and adding it does not crash the process")
    func tooLarge() throws {
        let digits = String(repeating: "9", count: 1_000)
        for headers: HTTPHeaders in [
            ["Retry-After": digits], ["RateLimit-Reset": digits], ["X-RateLimit-Reset": digits],
            ["Retry-After": digits + ".5"],
        ] {
            let long = try #require(delay(.tooManyRequests, headers))
            #expect(long > .seconds(3_000_000_000))
            #expect(long + long > long)
        }
    }

    /// The time on the server, the age of the response, and the delay that results from a date in 30 s by its clock.
    ///
    /// - Parameter ahead: the seconds by which the clock of the server is ahead of that of this machine.
    @Test(
        "a date counts from the Date of the response, less its Age, but not for longer than this machine's clock says",
        arguments: [
            (0, nil, 30), (3_600, nil, 30), (-3_600, nil, 30), (3_600, "10", 20), (-3_600, "10", 20), (3_600, "99", 0),
            (5, nil, 30), (-5, nil, 25), (-30, nil, 30), (0, "x", 30), (0, "-5", 30),
            (3_600, "10, 20", 20), (3_600, " , 10 ", 20), (3_600, "x, 10", 30), (3_600, "9999999999", 0),
        ] as [(Int, String?, Int)]
    )
    func clocks(_ ahead: Int, _ age: String?, _ seconds: Int) {
        let date = Self.now.addingTimeInterval(TimeInterval(ahead))
        let end = date.addingTimeInterval(30)
        var headers: HTTPHeaders = ["Date": HTTPDate.text(date)]
        headers["Age"] = age
        let resets = [HTTPDate.text(end), "\(Int64(end.timeIntervalSince1970) * 1_000_000)"]
        let fields = [("Retry-After", resets[0])] + resets.map { ("X-RateLimit-Reset", $0) }
        for (name, value) in fields {
            headers[name] = value
            #expect(delay(.tooManyRequests, headers) == .seconds(seconds), "\(headers)")
            headers[name] = nil
        }
    }

    @Test("without a valid Date, this machine's clock counts, and an old Date makes no delay longer")
    func noDate() {
        let end = HTTPDate.text(Self.now.addingTimeInterval(30))
        for date in ["", "now", "Sat, 21 Nov 2026", "Thu, 01 Jan 1970 00:00:00 GMT"] {
            #expect(delay(["Date": date, "Retry-After": end]) == .seconds(30), "\(date)")
        }
        #expect(delay(["Retry-After": HTTPDate.text(Self.now.addingTimeInterval(-30))]) == .zero)
    }

    @Test(
        "milliseconds refine a delay that was rounded up, and of different delays the longest counts",
        arguments: [
            (nil, "1500", nil, 1_500), ("2", "1500", nil, 1_500), ("2", "2000", nil, 2_000), ("2", "1000", nil, 2_000),
            ("2", "999.5", nil, 2_000), ("2", "5000", nil, 5_000), ("60", "1500", nil, 60_000),
            ("2", nil, "1250", 1_250),
            ("2", "1500", "1750", 1_750), ("2", "x", nil, 2_000), ("2", "-1", "", 2_000), (nil, "0", nil, 0),
            ("Sat, 21 Nov 2026 10:00:02 GMT", "1500", nil, 1_500), ("soon", nil, "20.5", 20.5),
            ("2026-11-21T10:00:02Z", nil, nil, 2_000),
        ] as [(String?, String?, String?, Double)]
    )
    func milliseconds(_ seconds: String?, _ finer: String?, _ azure: String?, _ expected: Double) {
        var headers: HTTPHeaders = [:]
        (headers["Retry-After"], headers["retry-after-ms"], headers["x-ms-retry-after-ms"]) = (seconds, finer, azure)
        #expect(delay(headers) == .milliseconds(expected))
    }

    @Test("not even an invalid clock crashes the process", arguments: [.nan, .infinity, -.infinity, 1e300])
    func brokenClock(_ seconds: Double) {
        let response = Response(
            statusCode: .serviceUnavailable,
            headers: ["Retry-After": "Sat, 21 Nov 2026 10:00:30 GMT"]
        )
        #expect(RetryAfter.delay(of: response, now: Date(timeIntervalSince1970: seconds)) != nil)
    }

    @Test(
        "a reset is seconds, a time since 1970 from 1,000,000,000 on, or a duration",
        arguments: [
            ("60", .seconds(60)), ("1.5", .milliseconds(1_500)), ("999999999", .seconds(999_999_999)),
            ("1000000000", .zero), ("1795255200", .zero), ("1795255260", .seconds(60)),
            ("1795255260.5", .seconds(60.5)),
            ("1795255260000", .seconds(60)), ("1s", .seconds(1)), ("6m0s", .seconds(360)), ("20ms", .milliseconds(20)),
            ("1h2m3.5s", .seconds(3_723.5)), ("2d", .seconds(172_800)),
        ] as [(String, Duration)]
    )
    func reset(_ text: String, _ expected: Duration) {
        for name in ["RateLimit-Reset", "X-RateLimit-Reset", "x-rate-limit-reset", "Rate-Reset"] {
            #expect(delay(.tooManyRequests, HTTPHeaders([.init(name: name, value: text)])) == expected, "\(name)")
        }
        #expect(delay(.tooManyRequests, ["x-ratelimit-reset-requests": text]) == expected)
    }

    @Test(
        "a reset counts only if nothing remains, or for a 429 or 503 without a remaining number",
        arguments: ["RateLimit", "X-RateLimit"]
    )
    func remaining(_ prefix: String) {
        func delay(_ status: HTTPStatus, left: String?) -> Duration? {
            var headers: HTTPHeaders = ["\(prefix)-Reset": "9"]
            if let left { headers["\(prefix)-Remaining"] = left }
            return self.delay(status, headers)
        }
        #expect(delay(.tooManyRequests, left: nil) == .seconds(9))
        #expect(delay(.tooManyRequests, left: "0") == .seconds(9))
        #expect(delay(.tooManyRequests, left: "57") == nil)
        #expect(delay(.serviceUnavailable, left: nil) == .seconds(9))
        #expect(delay(.serviceUnavailable, left: "1") == nil)
        #expect(delay(.badGateway, left: nil) == nil)
        #expect(delay(.serviceUnavailable, left: "0") == .seconds(9))
        #expect(delay(.badGateway, left: "4999") == nil)
    }

    @Test("Retry-After takes precedence, then RateLimit-Reset, and a malformed field is skipped")
    func precedence() {
        let all: HTTPHeaders = ["X-RateLimit-Reset": "3", "RateLimit-Reset": "2", "Retry-After": "1"]
        #expect(delay(.tooManyRequests, all) == .seconds(1))
        #expect(delay(.tooManyRequests, ["X-RateLimit-Reset": "3", "RateLimit-Reset": "2"]) == .seconds(2))
        #expect(delay(.tooManyRequests, ["X-RateLimit-Reset": "3", "Retry-After": "soon"]) == .seconds(3))
    }
}
