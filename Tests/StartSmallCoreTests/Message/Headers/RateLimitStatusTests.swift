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
