import Foundation
import StartSmall
import Testing

struct RateLimitStatusTests {
    /// Sat, 21 Nov 2026 10:00:00 GMT.
    private static let now = Date(timeIntervalSince1970: 1_795_255_200)

    private func limits(_ headers: HTTPHeaders, _ status: HTTPStatus = .ok) -> [RateLimitStatus] {
        Response(statusCode: status, headers: headers).rateLimits(now: Self.now)
    }

    @Test("RateLimit of draft 10 is a list of policies, with their limits from RateLimit-Policy")
    func structured() {
        #expect(
            limits(["RateLimit": "\"default\";r=50;t=30"]) == [
                RateLimitStatus(policy: "default", remaining: 50, reset: .seconds(30))
            ]
        )
        let both: HTTPHeaders = [
            "RateLimit": "\"burst\";r=0;t=1, \"daily\";r=998",
            "RateLimit-Policy": "\"burst\";q=100;w=60,\"daily\";q=1000;w=86400;pk=:c29tZQ==:",
        ]
        #expect(
            limits(both) == [
                RateLimitStatus(policy: "burst", limit: 100, remaining: 0, reset: .seconds(1)),
                RateLimitStatus(policy: "daily", limit: 1000, remaining: 998),
            ]
        )
    }

    @Test("RateLimit on several lines is one list, and parameters of other types are skipped")
    func lines() {
        let headers = HTTPHeaders([
            .init(name: "RateLimit", value: "\"burst\";r=9;t=1;x=%\"a b\";y=?1"),
            .init(name: "ratelimit", value: "\"daily\";r=0;t=3600"),
        ])
        #expect(limits(headers).map(\.remaining) == [9, 0])
    }

    @Test("a quota of another unit than requests counts only when nothing is left")
    func unit() {
        func limits(left: Int) -> [RateLimitStatus] {
            self.limits([
                "RateLimit": "\"bytes\";r=\(left);t=9", "RateLimit-Policy": "\"bytes\";q=9;qu=\"content-bytes\"",
            ])
        }
        #expect(limits(left: 1).isEmpty)
        #expect(limits(left: 0) == [RateLimitStatus(policy: "bytes", limit: 9, remaining: 0, reset: .seconds(9))])
    }

    @Test("names are tokens or strings in ASCII, and a member with a name of more than 128 bytes is skipped")
    func names() {
        let longest = String(repeating: "a", count: 128)
        for name in ["per-second:10", "*", "a/b"] {
            #expect(limits(["RateLimit": "\(name);r=1;t=2"]).map(\.policy) == [name])
        }
        #expect(limits(["RateLimit": "\"\(longest)\";r=1, \"\(longest)a\";r=2, b;r=3"]).map(\.remaining) == [1, 3])
    }

    @Test("of two members of the dictionary with one key, the last counts")
    func duplicates() {
        #expect(
            limits(["RateLimit": "remaining=9, limit=10, remaining=5;w=1, reset=3"]) == [
                RateLimitStatus(limit: 10, remaining: 5, reset: .seconds(3))
            ]
        )
    }

    @Test("anything is read in linear time", arguments: ["\"", "\\", "a", "1", "a,", ";r=1", Hostile.accents])
    func hostile(_ pattern: String) {
        Hostile.expectLinear(pattern) { text in
            for field in [text, "\"\(text)\";r=1;t=1", "a;r=1;t=1;x=\"\(text)\"", "remaining=1, \(text)=1"] {
                let limits = limits(["RateLimit": field, "RateLimit-Policy": field])
                #expect(Set(limits).count == limits.count)
            }
        }
    }

    @Test(
        "a malformed RateLimit is ignored as a whole",
        arguments: [
            "", "\"a", "\"a\";r", "\"a\";r=", "\"a\";r=-1;t=3", "\"a\";r=1;t=3,", "\"a\";r=1;;t=3", "\"a\" \"b\";r=1",
            "\"é\";r=1", "\"a\u{301}\";r=1", "\"a\tb\";r=1", "\"a\\b\";r=1", "\"a\";R=1", "\"a\";r=1;x=é", "a;r=1,b=2",
            "\"a\";r=1;x=:a:", "\"a\";r=1;x=?2", "\"a\";r=1;x=%\"%C3%BC\"", "\"a\";r=1;x=1.", "remaining=1,limit=+2",
            "Remaining=1, reset=2", "\"a\";r=1234567890123456", "\"a\";r=\"1\"", "a;r=1 t=2", "remaining=", ";r=1",
            "=1", "\"a\";r=1.5;t=2",
            String(repeating: "\"a\";r=1,", count: 17) + "\"a\";r=1",
        ]
    )
    func malformed(_ text: String) {
        #expect(limits(["RateLimit": text]).isEmpty)
    }

    @Test(
        "each group of fields is read",
        arguments: [
            (["RateLimit": "limit=100, remaining=50, reset=30"], 100, 50, 30),
            (["RateLimit-Limit": "100", "RateLimit-Remaining": "50", "RateLimit-Reset": "30"], 100, 50, 30),
            // GitHub
            (
                ["x-ratelimit-limit": "5000", "x-ratelimit-remaining": "4999", "x-ratelimit-reset": "1795255260"],
                5000, 4999, 60
            ),
            // GitLab
            (["RateLimit-Limit": "60", "RateLimit-Remaining": "0", "RateLimit-Reset": "1795255230"], 60, 0, 30),
            // Discord: the time from now counts, whatever the clocks are
            (
                [
                    "X-RateLimit-Limit": "5", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1470173023.5",
                    "X-RateLimit-Reset-After": "2",
                ], 5, 0, 2
            ),
            // X
            (
                ["x-rate-limit-limit": "40000", "x-rate-limit-remaining": "3", "x-rate-limit-reset": "1795255201"],
                40000, 3, 1
            ),
            // Qiita
            (["Rate-Limit": "1000", "Rate-Remaining": "995", "Rate-Reset": "1795255300"], 1000, 995, 100),
            // OpenAI
            (
                [
                    "x-ratelimit-limit-requests": "60", "x-ratelimit-remaining-requests": "59",
                    "x-ratelimit-reset-requests": "1m1s",
                ], 60, 59, 61
            ),
        ] as [(HTTPHeaders, Int, Int, Int)]
    )
    func families(_ headers: HTTPHeaders, _ limit: Int, _ remaining: Int, _ seconds: Int) {
        #expect(limits(headers) == [RateLimitStatus(limit: limit, remaining: remaining, reset: .seconds(seconds))])
    }

    @Test("numbers beyond any limit are bounded, and a number that can't be read is no number")
    func numbers() {
        let digits = String(repeating: "9", count: 30)
        #expect(limits(["X-RateLimit-Remaining": "96.9"]) == [RateLimitStatus(remaining: 96)])
        #expect(limits(["X-RateLimit-Remaining": digits]) == [RateLimitStatus(remaining: Int(Int32.max))])
        for text in ["", "-1", "+1", " 1", "1.", ".1", "x", "٣"] {
            #expect(limits(["X-RateLimit-Remaining": text, "X-RateLimit-Reset": "3"]).isEmpty, "\(text)")
        }
    }

    @Test("a 429 without the number of remaining requests reports that none remains", arguments: [200, 429, 503])
    func throttled(_ status: Int) {
        let expected = status == 200 ? [] : [RateLimitStatus(remaining: 0, reset: .seconds(3))]
        #expect(limits(["X-RateLimit-Reset": "3"], .from(code: status)) == expected)
    }

    @Test("a retry waits for the longest reset of the limits that are used up")
    func retryAfter() {
        let response = Response(
            statusCode: .tooManyRequests,
            headers: ["RateLimit": "\"a\";r=0;t=2, \"b\";r=0;t=7, \"c\";r=1;t=60"]
        )
        #expect(RetryAfter.delay(of: response, now: Self.now) == .seconds(7))
    }
}
