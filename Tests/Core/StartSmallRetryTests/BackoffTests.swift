import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

struct BackoffTests {
    private static let unavailable = Output.status(.serviceUnavailable)
    private static let half = UInt64(1) << 63

    private func attempt(
        _ number: Int,
        _ output: Output = unavailable,
        elapsed: Duration = .zero,
        randomBits: UInt64 = half
    ) -> RetryContext {
        RetryContext(
            number: number,
            output: output,
            elapsed: elapsed,
            randomBits: randomBits,
            now: Date(timeIntervalSince1970: 1_795_255_200)
        )
    }

    private static func asking(_ seconds: Int, by name: String = "Retry-After") -> Output {
        .status(.serviceUnavailable, headers: HTTPHeaders([.init(name: name, value: "\(seconds)")]))
    }

    private static func refusing(_ seconds: Int) -> Output {
        .noResponse(.rejected(asking(seconds).response ?? Fixture.ok, reason: "not now"))
    }

    @Test("the default is three attempts in total, and a number below one counts as one", arguments: [-1, 0, 1, 3, 7])
    func attempts(_ attempts: Int) {
        let numbers = (1...10).filter { Backoff.exponential(attempts: attempts)(attempt($0)) != nil }
        #expect(numbers == Array(1..<max(1, attempts)))
        #expect((1...10).filter { Backoff.exponential()(attempt($0)) != nil } == [1, 2])
    }

    @Test("the bound doubles from half a second up to 20 seconds")
    func doubling() {
        let schedule = Backoff.exponential(attempts: .max)
        let delays = (1...8).map { schedule(attempt($0)) }
        #expect(delays == [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000].map { .milliseconds($0) })
        #expect(schedule(attempt(.max - 1)) == .seconds(10))
    }

    @Test("the delay is random, from zero to the bound")
    func fullJitter() {
        func delay(_ randomBits: UInt64) -> Duration? { Backoff.exponential()(attempt(1, randomBits: randomBits)) }
        #expect(delay(0) == .zero)
        #expect(delay(Self.half / 2) == .milliseconds(125))
        #expect(delay(Self.half) == .milliseconds(250))
        #expect(delay(.max) == .nanoseconds(499_999_999))
    }

    @Test(
        "a Retry-After is honoured, also of a response that a custom rule refused, and the random delay is added to it",
        arguments: [
            (asking(7), 0, .seconds(7)), (asking(7), half, .milliseconds(7_250)), (refusing(7), 0, .seconds(7)),
            (asking(1_795_255_230, by: "X-RateLimit-Reset"), 0, .seconds(30)),
        ] as [(Output, UInt64, Duration)]
    )
    func wish(_ output: Output, _ randomBits: UInt64, _ delay: Duration) {
        #expect(Backoff.exponential()(attempt(1, output, randomBits: randomBits)) == delay)
    }

    @Test("a Retry-After over the maximum ends the retries")
    func maxRetryAfter() {
        #expect(Backoff.exponential()(attempt(1, Self.asking(60), randomBits: 0)) == .seconds(60))
        for output in [Self.asking(61), Self.refusing(61)] {
            #expect(Backoff.exponential()(attempt(1, output, randomBits: 0)) == nil)
            let longer = Backoff.exponential(maxRetryAfter: .seconds(61))
            #expect(longer(attempt(1, output, randomBits: 0)) == .seconds(61))
        }
    }

    @Test("the last attempt begins within the maximum elapsed time")
    func total() {
        let schedule = Backoff.exponential(maxElapsed: .seconds(10))
        #expect(schedule(attempt(1, Self.asking(7), elapsed: .seconds(3), randomBits: 0)) == .seconds(7))
        #expect(schedule(attempt(1, Self.asking(7), elapsed: .seconds(3), randomBits: Self.half)) == nil)
        #expect(Backoff.exponential()(attempt(1, elapsed: .seconds(120))) == nil)
        #expect(Backoff.exponential(maxElapsed: nil)(attempt(1, elapsed: .seconds(1_000_000))) != nil)
    }

    @Test("no numbers crash the process")
    func extremes() {
        for duration in [Duration.zero, .seconds(-5), .seconds(Int64.max), .nanoseconds(1)] {
            let schedule = Backoff.exponential(
                attempts: .max,
                baseDelay: duration,
                maxDelay: duration,
                maxRetryAfter: duration
            )
            for number in [Int.min, 0, 1, 2, 1_000, .max - 1] {
                let delay = schedule(attempt(number, randomBits: .max)) ?? .zero
                #expect(delay >= .zero && delay <= max(duration, .zero))
            }
        }
    }
}
