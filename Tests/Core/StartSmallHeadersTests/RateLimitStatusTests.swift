import Foundation
import StartSmall
import Testing

struct RateLimitStatusTests {
    /// Sat, 21 Nov 2026 10:00:00 GMT.
    private static let now = Date(timeIntervalSince1970: 1_795_255_200)

    private func limit(_ headers: HTTPHeaders, _ status: HTTPStatus = .ok) -> RateLimitStatus? {
        Response(statusCode: status, headers: headers).rateLimit(now: Self.now)
    }

    @Test(
        "each group of fields is read",
        arguments: [
            (["RateLimit-Limit": "100", "RateLimit-Remaining": "50", "RateLimit-Reset": "30"], 100, 50, 30),
            // GitLab
            (["RateLimit-Limit": "60", "RateLimit-Remaining": "0", "RateLimit-Reset": "1795255230"], 60, 0, 30),
            // GitHub
            (
                ["x-ratelimit-limit": "5000", "x-ratelimit-remaining": "49", "x-ratelimit-reset": "1795255260"],
                5000, 49, 60
            ),
            // Discord: the time from now counts, whatever the clocks are
            (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1.5", "X-RateLimit-Reset-After": "2"], nil, 0, 2),
            // X
            (
                ["x-rate-limit-limit": "40", "x-rate-limit-remaining": "3", "x-rate-limit-reset": "1795255201"],
                40, 3, 1
            ),
            // Qiita
            (["Rate-Limit": "1000", "Rate-Remaining": "995", "Rate-Reset": "1795255300"], 1000, 995, 100),
            // OpenAI
            (["x-ratelimit-remaining-requests": "59", "x-ratelimit-reset-requests": "1m1s"], nil, 59, 61),
        ] as [(HTTPHeaders, Int?, Int, Int)]
    )
    func families(_ headers: HTTPHeaders, _ limit: Int?, _ remaining: Int, _ seconds: Int) {
        let expected = RateLimitStatus(limit: limit, remaining: remaining, reset: .seconds(seconds))
        #expect(self.limit(headers) == expected)
    }

    @Test(
        "the fields of drafts, of Anthropic, and resets of any form are read",
        arguments: [
            // draft-ietf-httpapi-ratelimit-headers-08 to 10
            (["RateLimit": #""default";r=0;t=30"#], nil, 0, 30), (["RateLimit": "default;r=50;t=30"], nil, 50, 30),
            (["RateLimit": #""a";r=0;t=30, "b, r=0;t=99" ; r=0; t=60;pk=:cHNk:, "c";r=5;t=90"#], nil, 0, 60),
            (["RateLimit": #""a";r=3;t=30"#, "ratelimit": #""b";r=2;t=1"#], nil, 2, 1),
            (["RateLimit": #""a";q=100;r=0"#], nil, 0, nil),
            // draft-ietf-httpapi-ratelimit-headers-07
            (["RateLimit": "limit=100, remaining=0, reset=30"], 100, 0, 30),
            (["RateLimit": "limit=100;w=60,remaining=7,reset=1"], 100, 7, 1),
            // draft-ietf-httpapi-ratelimit-headers-03 to 06
            (["RateLimit-Limit": "100, 100;w=60", "RateLimit-Remaining": "1", "RateLimit-Reset": "9"], 100, 1, 9),
            // Anthropic
            (
                [
                    "anthropic-ratelimit-requests-limit": "50", "anthropic-ratelimit-requests-remaining": "0",
                    "anthropic-ratelimit-requests-reset": "2026-11-21T10:00:30Z",
                ], 50, 0, 30
            ),
            (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2026-11-21T11:00:30+01:00"], nil, 0, 30),
            (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "Sat, 21 Nov 2026 10:00:30 GMT"], nil, 0, 30),
            (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1795255230000000"], nil, 0, 30),
            (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1795255230000000000"], nil, 0, 30),
        ] as [(HTTPHeaders, Int?, Int, Int?)]
    )
    func forms(_ headers: HTTPHeaders, _ limit: Int?, _ remaining: Int, _ seconds: Int?) {
        let expected = RateLimitStatus(limit: limit, remaining: remaining, reset: seconds.map { .seconds($0) })
        #expect(self.limit(headers) == expected)
    }

    @Test("a field RateLimit of another form is no limit", arguments: ["", "100", "r", "r=x;t=1", "\"r=0;t=1", ";,=;"])
    func noForm(_ field: String) {
        #expect(limit(["RateLimit": field]) == nil)
        #expect(limit(["RateLimit": "r;t=1"], .tooManyRequests) == RateLimitStatus(remaining: 0, reset: .seconds(1)))
    }

    @Test("numbers beyond any limit are bounded, and a number that can't be read is no number")
    func numbers() {
        let digits = String(repeating: "9", count: 30)
        #expect(limit(["X-RateLimit-Remaining": "96.9"]) == RateLimitStatus(remaining: 96))
        #expect(limit(["X-RateLimit-Remaining": digits]) == RateLimitStatus(remaining: Int(Int32.max)))
        for text in ["", "-1", "+1", " 1", "1.", ".1", "x", "٣"] {
            #expect(limit(["X-RateLimit-Remaining": text, "X-RateLimit-Reset": "3"]) == nil, "\(text)")
        }
    }

    @Test("a 429 without the number of remaining requests reports that none remains", arguments: [200, 429, 503])
    func throttled(_ status: Int) {
        let expected = status == 200 ? nil : RateLimitStatus(remaining: 0, reset: .seconds(3))
        #expect(limit(["X-RateLimit-Reset": "3"], .from(code: status)) == expected)
    }
}
