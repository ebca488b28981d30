import Foundation
import StartSmall
import Testing

struct RateLimitsTests {
    /// Sat, 21 Nov 2026 10:00:00 GMT.
    private static let now = Date(timeIntervalSince1970: 1_795_255_200)

    private func limits(_ headers: HTTPHeaders, _ status: HTTPStatus = .ok) -> RateLimits? {
        Response(statusCode: status, headers: headers).rateLimits(now: Self.now)
    }

    private func limit(_ headers: HTTPHeaders, _ status: HTTPStatus = .ok) -> RateLimitStatus? {
        limits(headers, status)?.requests
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

    private static let reports: [(HTTPHeaders, RateLimits)] = [
        // OpenAI, Azure, Groq
        (
            [
                "x-ratelimit-limit-requests": "60", "x-ratelimit-remaining-requests": "59",
                "x-ratelimit-reset-requests": "1s", "x-ratelimit-limit-tokens": "150000",
                "x-ratelimit-remaining-tokens": "149984", "x-ratelimit-reset-tokens": "6m0s",
            ],
            RateLimits(
                requests: RateLimitStatus(limit: 60, remaining: 59, reset: .seconds(1)),
                tokens: RateLimitStatus(limit: 150_000, remaining: 149_984, reset: .seconds(360))
            )
        ),
        // Anthropic
        (
            [
                "anthropic-ratelimit-requests-remaining": "0",
                "anthropic-ratelimit-requests-reset": "2026-11-21T10:00:30Z",
                "anthropic-ratelimit-tokens-limit": "96000", "anthropic-ratelimit-tokens-remaining": "9000",
                "anthropic-ratelimit-tokens-reset": "2026-11-21T10:00:40Z",
                "anthropic-ratelimit-input-tokens-remaining": "9000",
                "anthropic-ratelimit-input-tokens-reset": "2026-11-21T10:00:10Z",
                "anthropic-ratelimit-output-tokens-limit": "16000",
                "anthropic-ratelimit-output-tokens-remaining": "12000",
            ],
            RateLimits(
                requests: RateLimitStatus(remaining: 0, reset: .seconds(30)),
                tokens: RateLimitStatus(limit: 96_000, remaining: 9_000, reset: .seconds(40)),
                inputTokens: RateLimitStatus(remaining: 9_000, reset: .seconds(10)),
                outputTokens: RateLimitStatus(limit: 16_000, remaining: 12_000)
            )
        ),
        // Cerebras: the window of which the least remains, and then the longest one
        (
            [
                "x-ratelimit-remaining-requests-day": "10", "x-ratelimit-reset-requests-day": "3600",
                "x-ratelimit-remaining-requests-minute": "10", "x-ratelimit-reset-requests-minute": "12.5",
                "x-ratelimit-remaining-tokens-minute": "6500", "x-ratelimit-reset-tokens-minute": "12.5",
                "x-ratelimit-remaining-tokens-hour": "65000", "x-ratelimit-reset-tokens-hour": "60",
            ],
            RateLimits(
                requests: RateLimitStatus(remaining: 10, reset: .seconds(3_600)),
                tokens: RateLimitStatus(remaining: 6_500, reset: .seconds(12.5))
            )
        ),
        // Fireworks
        (
            [
                "x-ratelimit-limit-tokens-prompt": "7200000", "x-ratelimit-remaining-tokens-prompt": "7193993",
                "x-ratelimit-limit-tokens-generated": "72000", "x-ratelimit-remaining-tokens-generated": "69338",
            ],
            RateLimits(
                inputTokens: RateLimitStatus(limit: 7_200_000, remaining: 7_193_993),
                outputTokens: RateLimitStatus(limit: 72_000, remaining: 69_338)
            )
        ),
        // Gateways
        (
            [
                "X-RateLimit-Remaining-Input-Tokens": "5", "X-RateLimit-Reset-Input-Tokens": "2",
                "X-RateLimit-Remaining-Output-Tokens": "6", "X-RateLimit-Reset-Output-Tokens": "3",
            ],
            RateLimits(
                inputTokens: RateLimitStatus(remaining: 5, reset: .seconds(2)),
                outputTokens: RateLimitStatus(remaining: 6, reset: .seconds(3))
            )
        ),
        // Together
        (
            [
                "x-ratelimit-limit": "10", "x-ratelimit-remaining": "9", "x-ratelimit-reset": "1",
                "x-tokenlimit-limit": "3000", "x-tokenlimit-remaining": "0",
            ],
            RateLimits(
                requests: RateLimitStatus(limit: 10, remaining: 9, reset: .seconds(1)),
                tokens: RateLimitStatus(limit: 3_000, remaining: 0)
            )
        ),
    ]

    @Test("the limits of tokens are read beside those of requests", arguments: reports)
    func tokens(_ headers: HTTPHeaders, _ expected: RateLimits) {
        #expect(limits(headers) == expected)
    }

    @Test(
        "the delay is the longest reset of a limit of which nothing remains",
        arguments: [
            (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "5"], 5),
            (["x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1m"], 60),
            (
                [
                    "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "5s",
                    "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "9s",
                ], 9
            ),
            (
                [
                    "x-ratelimit-remaining-requests": "1", "x-ratelimit-reset-requests": "60s",
                    "anthropic-ratelimit-output-tokens-remaining": "0",
                    "anthropic-ratelimit-output-tokens-reset": "2026-11-21T10:00:07Z",
                ], 7
            ),
            (["x-ratelimit-remaining-tokens": "1", "x-ratelimit-reset-tokens": "1m"], nil),
            (["x-ratelimit-remaining-tokens": "0"], nil),
        ] as [(HTTPHeaders, Int?)]
    )
    func delay(_ headers: HTTPHeaders, _ seconds: Int?) {
        #expect(limits(headers)?.delay == seconds.map { .seconds($0) })
        let response = Response(statusCode: .tooManyRequests, headers: headers)
        #expect(RetryAfter.delay(of: response, now: Self.now) == seconds.map { .seconds($0) })
    }

    @Test(
        "a reset is a date of RFC 3339 in any of its forms, and one in the past is no delay",
        arguments: [
            ("2026-11-21T10:00:30Z", 30), ("2026-11-21t10:00:30z", 30),
            ("2026-11-21T10:00:30.5Z", 30.5), ("2026-11-21T10:00:30.500000000Z", 30.5),
            ("2026-11-21T10:00:30+00:00", 30), ("2026-11-21T10:00:30-00:00", 30), ("2026-11-21T19:30:30+09:30", 30),
            ("2026-11-21T06:00:30-04:00", 30), ("2026-11-21T09:59:59Z", 0), ("1970-01-01T00:00:00Z", 0),
            ("0001-01-01T00:00:00Z", 0), ("2026-12-31T23:59:60Z", 3_506_400), ("2026-11-21T10:00:30.5", nil),
            ("2026-11-21T10:00:30", nil), ("2026-11-21", nil), ("2026-13-21T10:00:30Z", nil),
            ("2026-11-21T10:00:30.Z", nil), ("2026-11-21T10:00:30+24:00", nil), ("٢٠٢٦-11-21T10:00:30Z", nil),
        ] as [(String, Double?)]
    )
    func rfc3339(_ text: String, _ seconds: Double?) {
        let limit = limit(["anthropic-ratelimit-requests-remaining": "1", "anthropic-ratelimit-requests-reset": text])
        #expect(limit == RateLimitStatus(remaining: 1, reset: seconds.map { .seconds($0) }))
    }

    @Test("a date in the far future is a very long time, which can be added")
    func farFuture() throws {
        let headers: HTTPHeaders = ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9999-12-31T23:59:60Z"]
        let reset = try #require(limit(headers)?.reset)
        #expect(reset == .seconds(100_000_000_000) && reset + reset > reset)
    }

    @Test("a field that is sent twice counts as the first one, and a larger rest than the limit is passed on")
    func twice() {
        let twice = HTTPHeaders([
            .init(name: "X-RateLimit-Remaining-Tokens", value: "7"),
            .init(name: "x-ratelimit-remaining-tokens", value: "0"),
            .init(name: "X-RateLimit-Limit-Tokens", value: "5"),
        ])
        #expect(limits(twice)?.tokens == RateLimitStatus(limit: 5, remaining: 7))
    }

    @Test("a field of a megabyte, or with a name of one, is no limit")
    func long() {
        let long = String(repeating: "1", count: 1 << 20)
        #expect(limits(["X-RateLimit-Remaining-Tokens": long]) == nil)
        #expect(limits(HTTPHeaders([.init(name: "x-ratelimit-" + long, value: "0")])) == nil)
        #expect(
            limits(["X-RateLimit-Remaining-Tokens": "1", "X-RateLimit-Reset-Tokens": "2026-11-21T10:00:30." + long])
                == RateLimits(tokens: RateLimitStatus(remaining: 1))
        )
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
