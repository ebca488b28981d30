import Foundation

@testable import StartSmall
@testable import StartSmallCore
@testable import StartSmallHeaders
@testable import StartSmallResilience

extension Target {
    /// The limits that servers report.
    static let resilience = [rateLimitReset, shouldRetry]

    private static let shouldRetry = text(
        "should-retry",
        words: ["true", "false", "TRUE", "True", " ", ",", "\u{0}"],
        starts: ["tru", "fals"],
        read: { _ = decisions(by: $0) },
        check: { text in
            let hint: Bool? =
                switch text.lowercased() {
                case "true": true
                case "false": false
                default: nil
                }
            try promise("only true and false decide", decisions(by: text) == [hint ?? false, hint ?? true])
            return hint != nil
        }
    )

    /// Returns whether a 404 and a 503 with this hint are retried.
    private static func decisions(by hint: String) -> [Bool] {
        [HTTPStatus.notFound, .serviceUnavailable].map { status in
            let response = Response(statusCode: status, headers: ["X-Should-Retry": hint])
            return RetryPolicy.standard.retries(Input(url: URL(filePath: "/")), after: .hasResponse(response))
        }
    }

    private static let rateLimitReset = text(
        "rate-limit-reset",
        words: [
            "1s", "6m0s", "20ms", "1h", "2d", "1795255260", "1795255260000", "1795255260000000", "1.5",
            "2026-11-21T10:00:30Z", ".", "٣",
        ],
        starts: ["1", "1m"],
        read: { _ = (RateLimitReset.duration($0, clock(.distantPast)), RateLimitReset.count($0)) },
        check: { text in
            for now in [Date.distantPast, Date(timeIntervalSince1970: 0), .distantFuture] {
                let reset = RateLimitReset.duration(text, clock(now)) ?? .zero
                try promise("no time is negative", reset >= .zero)
                try promise("no sum of times overflows", reset + reset >= reset)
            }
            return RateLimitReset.duration(text, clock(.distantPast)) != nil
        }
    )

    private static func clock(_ now: Date) -> ResponseClock {
        ResponseClock(of: Response(statusCode: .ok, headers: ["Date": HTTPDate.text(now)]), now: now)
    }
}
