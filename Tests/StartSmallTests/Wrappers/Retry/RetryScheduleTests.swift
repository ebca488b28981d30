import Foundation
import StartSmall
import Testing

struct RetryScheduleTests {
    private static let unavailable = Output.hasResponse(Response(statusCode: .serviceUnavailable))
    private static let half = UInt64(1) << 63

    private func attempt(
        _ number: Int,
        _ output: Output = unavailable,
        elapsed: Duration = .zero,
        chance: UInt64 = half
    ) -> FailedAttempt {
        FailedAttempt(
            number: number,
            output: output,
            elapsed: elapsed,
            chance: chance,
            now: Date(timeIntervalSince1970: 1_795_255_200)
        )
    }

    private func asking(_ seconds: Int) -> Output {
        .hasResponse(Response(statusCode: .serviceUnavailable, headers: ["Retry-After": "\(seconds)"]))
    }

    @Test("three attempts in all unless told otherwise, and never a negative number", arguments: [-1, 0, 1, 3, 7])
    func attempts(_ attempts: Int) {
        let numbers = (1...10).filter { RetrySchedule.exponential(attempts: attempts)(attempt($0)) != nil }
        #expect(numbers == Array(1..<max(1, attempts)))
        #expect((1...10).filter { RetrySchedule.standard(attempt($0)) != nil } == [1, 2])
    }

    @Test("a policy takes the parameters of the schedule")
    func policy() {
        let policy = RetryPolicy.exponential(
            attempts: 5,
            first: .seconds(1),
            most: .seconds(2),
            longestWish: .seconds(61),
            total: .seconds(90),
            condition: .dangerouslyReplayingAnyMethod
        )
        #expect(
            (1...6).map { policy.when(attempt($0)) } == [
                .milliseconds(500), .seconds(1), .seconds(1), .seconds(1), nil, nil,
            ]
        )
        #expect(policy.when(attempt(1, asking(61), chance: 0)) == .seconds(61))
        #expect(policy.when(attempt(1, asking(62), chance: 0)) == nil)
        #expect(policy.when(attempt(1, elapsed: .seconds(90), chance: Self.half)) == nil)
        let post = Input(url: Fixture.url, methodAndPayload: .post(payload: nil))
        #expect(policy.condition(post, .hasResponse(Response(statusCode: .serviceUnavailable))))
    }

    @Test("the bound doubles from half a second up to 20 seconds")
    func doubling() {
        let schedule = RetrySchedule.exponential(attempts: .max)
        let delays = (1...8).map { schedule(attempt($0)) }
        #expect(delays == [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000].map { .milliseconds($0) })
        #expect(schedule(attempt(.max - 1)) == .seconds(10))
    }

    @Test("the wait is anything from nothing to the bound")
    func fullJitter() {
        func delay(_ chance: UInt64) -> Duration? { RetrySchedule.standard(attempt(1, chance: chance)) }
        #expect(delay(0) == .zero)
        #expect(delay(Self.half / 2) == .milliseconds(125))
        #expect(delay(Self.half) == .milliseconds(250))
        #expect(delay(.max) == .nanoseconds(499_999_999))
    }

    @Test("what the server asks for is waited, and the random time on top of it")
    func wish() {
        #expect(RetrySchedule.standard(attempt(1, asking(7), chance: 0)) == .seconds(7))
        #expect(RetrySchedule.standard(attempt(1, asking(7))) == .milliseconds(7_250))
        let date = Response(statusCode: .tooManyRequests, headers: ["X-RateLimit-Reset": "1795255230"])
        #expect(RetrySchedule.standard(attempt(1, .hasResponse(date), chance: 0)) == .seconds(30))
    }

    @Test("what the server asks for is waited where a rule of one's own refused its response, too")
    func wishOfRejected() throws {
        let rejected = Output.noResponse(.rejected(try #require(asking(7).response), reason: "not now"))
        #expect(RetrySchedule.standard(attempt(1, rejected, chance: 0)) == .seconds(7))
        let tooLong = Output.noResponse(.rejected(try #require(asking(61).response), reason: "not now"))
        #expect(RetrySchedule.standard(attempt(1, tooLong, chance: 0)) == nil)
    }

    @Test("a server that asks for more than allowed is not asked again")
    func longestWish() {
        #expect(RetrySchedule.standard(attempt(1, asking(60), chance: 0)) == .seconds(60))
        #expect(RetrySchedule.standard(attempt(1, asking(61), chance: 0)) == nil)
        #expect(RetrySchedule.exponential(longestWish: .seconds(61))(attempt(1, asking(61), chance: 0)) == .seconds(61))
    }

    @Test("the last attempt begins in the time that all have together")
    func total() {
        let schedule = RetrySchedule.exponential(total: .seconds(10))
        #expect(schedule(attempt(1, asking(7), elapsed: .seconds(3), chance: 0)) == .seconds(7))
        #expect(schedule(attempt(1, asking(7), elapsed: .seconds(3), chance: Self.half)) == nil)
        #expect(RetrySchedule.standard(attempt(1, elapsed: .seconds(120))) == nil)
        #expect(RetrySchedule.exponential(total: nil)(attempt(1, elapsed: .seconds(1_000_000))) != nil)
    }

    @Test("no numbers end the process")
    func extremes() {
        for duration in [Duration.zero, .seconds(-5), .seconds(Int64.max), .nanoseconds(1)] {
            let schedule = RetrySchedule.exponential(
                attempts: .max,
                first: duration,
                most: duration,
                longestWish: duration
            )
            for number in [Int.min, 0, 1, 2, 1_000, .max - 1] {
                let delay = schedule(attempt(number, chance: .max)) ?? .zero
                #expect(delay >= .zero && delay <= max(duration, .zero))
            }
        }
    }

    @Test("one's own is a function of the attempt")
    func own() {
        let schedule = RetrySchedule { attempt in attempt.number < 10 ? .seconds(attempt.number) : nil }
        #expect([1, 9, 10].map { schedule(attempt($0)) } == [.seconds(1), .seconds(9), nil])
        #expect(RetrySchedule.never(attempt(1)) == nil)
    }
}
