import Foundation
import StartSmall
import Testing

struct BackoffTests {
    private static let unavailable = Output.hasResponse(Response(statusCode: .serviceUnavailable))
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

    private func asking(_ seconds: Int) -> Output {
        .hasResponse(Response(statusCode: .serviceUnavailable, headers: ["Retry-After": "\(seconds)"]))
    }

    @Test("the default is three attempts in total, and a number below one counts as one", arguments: [-1, 0, 1, 3, 7])
    func attempts(_ attempts: Int) {
        let numbers = (1...10).filter { Backoff.exponential(attempts: attempts)(attempt($0)) != nil }
        #expect(numbers == Array(1..<max(1, attempts)))
        #expect((1...10).filter { Backoff.exponential()(attempt($0)) != nil } == [1, 2])
    }

    @Test("a policy has the parameters of its backoff")
    func policy() {
        let policy = RetryPolicy.exponential(
            attempts: 5,
            baseDelay: .seconds(1),
            maxDelay: .seconds(2),
            maxRetryAfter: .seconds(61),
            maxElapsed: .seconds(90),
            condition: .dangerouslyReplayingAnyMethod
        )
        #expect(
            (1...6).map { policy.backoff(attempt($0)) } == [
                .milliseconds(500), .seconds(1), .seconds(1), .seconds(1), nil, nil,
            ]
        )
        #expect(policy.backoff(attempt(1, asking(61), randomBits: 0)) == .seconds(61))
        #expect(policy.backoff(attempt(1, asking(62), randomBits: 0)) == nil)
        #expect(policy.backoff(attempt(1, elapsed: .seconds(90), randomBits: Self.half)) == nil)
        let post = Input(url: Fixture.url, methodAndPayload: .post(payload: nil))
        #expect(policy.condition(post, .hasResponse(Response(statusCode: .serviceUnavailable))))
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

    @Test("a Retry-After is honoured, and the random delay is added to it")
    func wish() {
        #expect(Backoff.exponential()(attempt(1, asking(7), randomBits: 0)) == .seconds(7))
        #expect(Backoff.exponential()(attempt(1, asking(7))) == .milliseconds(7_250))
        let date = Response(statusCode: .tooManyRequests, headers: ["X-RateLimit-Reset": "1795255230"])
        #expect(Backoff.exponential()(attempt(1, .hasResponse(date), randomBits: 0)) == .seconds(30))
    }

    @Test("a Retry-After is also honoured for a response that a custom rule refused")
    func wishOfRejected() throws {
        let rejected = Output.noResponse(.rejected(try #require(asking(7).response), reason: "not now"))
        #expect(Backoff.exponential()(attempt(1, rejected, randomBits: 0)) == .seconds(7))
        let tooLong = Output.noResponse(.rejected(try #require(asking(61).response), reason: "not now"))
        #expect(Backoff.exponential()(attempt(1, tooLong, randomBits: 0)) == nil)
    }

    @Test("a Retry-After over the maximum ends the retries")
    func maxRetryAfter() {
        #expect(Backoff.exponential()(attempt(1, asking(60), randomBits: 0)) == .seconds(60))
        #expect(Backoff.exponential()(attempt(1, asking(61), randomBits: 0)) == nil)
        #expect(Backoff.exponential(maxRetryAfter: .seconds(61))(attempt(1, asking(61), randomBits: 0)) == .seconds(61))
    }

    @Test("the last attempt begins within the maximum elapsed time")
    func total() {
        let schedule = Backoff.exponential(maxElapsed: .seconds(10))
        #expect(schedule(attempt(1, asking(7), elapsed: .seconds(3), randomBits: 0)) == .seconds(7))
        #expect(schedule(attempt(1, asking(7), elapsed: .seconds(3), randomBits: Self.half)) == nil)
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
