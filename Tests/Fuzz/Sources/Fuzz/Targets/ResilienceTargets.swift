import Foundation

@testable import StartSmall
@testable import StartSmallCore
@testable import StartSmallHeaders
@testable import StartSmallResilience

extension Target {
    /// The limits that servers report.
    static let resilience = [rateLimitReset]

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
