import StartSmall
import StartSmallResilience
import StartSmallTesting
import Foundation

/// A stack of wrappers whose behavior is compared with that of others.
struct Stack: Sendable {
    let name: String

    /// Returns the wrappers, the outermost first.
    let wrappers: @Sendable (ManualClock, _ random: @escaping @Sendable () -> UInt64) -> [Wrapper]

    static let all: [Stack] = [
        Stack(name: "no wrapper but a time limit") { clock, _ in
            [.timeout(.seconds(10), clock: clock)]
        },
        Stack(name: "retries without a budget") { clock, random in
            [
                .timeout(.seconds(10), clock: clock),
                .retry(budget: .unlimited, clock: clock, random: random, now: { date(clock) }),
                .timeout(.seconds(3), clock: clock),
            ]
        },
        Stack(name: "retries within their budget") { clock, random in
            [
                .timeout(.seconds(10), clock: clock),
                .retry(clock: clock, random: random, now: { date(clock) }),
                .timeout(.seconds(3), clock: clock),
            ]
        },
        Stack(name: "all wrappers for load") { clock, random in
            [
                .timeout(.seconds(10), clock: clock),
                .retry(clock: clock, random: random, now: { date(clock) }),
                .hedge(after: .percentile(95), clock: clock),
                .rateLimit(clock: clock, now: { date(clock) }),
                .limitConcurrency(.adaptive(slowerThan: .milliseconds(500)), waiting: 50, clock: clock),
                .circuitBreaker(clock: clock, now: { date(clock) }),
                .timeout(.seconds(3), clock: clock),
            ]
        },
    ]

    private static func date(_ clock: ManualClock) -> Date {
        Date(timeIntervalSince1970: 1_800_000_000 + clock.now.offset / .seconds(1))
    }
}
