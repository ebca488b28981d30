import Foundation
import StartSmall
import StartSmallAuth
import StartSmallCaching
import StartSmallDownloads
import StartSmallResilience
import StartSmallTesting
import Synchronization
import TestSupport
import Testing

/// The time that each request of a call has left, by the limits of its wrappers and the options of its caller.
@Suite(.timeLimit(.minutes(1))) struct TimeLimitOptionTests {
    private static let clock = ManualClock()

    /// A stack, the options, and the seconds that the engine sees for each request; nil without a limit.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var wrappers: [Wrapper]
        var options: [CallOption]
        var left: [Int?]
        var defaults: [CallOption] = []
        var delivery = Delivery.memory

        init(
            _ text: String,
            _ wrappers: [Wrapper],
            _ options: [CallOption],
            _ left: [Int?],
            defaults: [CallOption] = [],
            delivery: Delivery = .memory
        ) {
            (testDescription, self.wrappers, self.options, self.left) = (text, wrappers, options, left)
            (self.defaults, self.delivery) = (defaults, delivery)
        }
    }

    private static func timeout(_ seconds: Int) -> Wrapper { .timeout(.seconds(seconds), clock: clock) }
    private static func limit(_ seconds: Int) -> CallOption { .timeLimit(.seconds(seconds), clock: clock) }
    private static func attempt(_ seconds: Int) -> CallOption { .attemptTimeLimit(.seconds(seconds)) }
    private static let none = CallOption.timeLimit(nil)
    private static let noneOfAttempt = CallOption.attemptTimeLimit(nil)
    private static let retry = Wrapper.retry(RetryPolicy(backoff: Backoff { $0.number < 2 ? .zero : nil }))
    private static let hedge = Wrapper.hedge(after: .fixed(.seconds(1)), clock: clock)
    private static let deadline = Wrapper.deadline(clock.now.advanced(by: .seconds(5)), clock: clock)
    private static let mirror = Connector.stub(.status(.ok))

    static let rows = [
        Row("no wrapper, no option", [], [], [nil]),
        Row("the limit of the call, without a wrapper", [], [limit(20)], [20]),
        Row("shorter than .timeout", [timeout(30)], [limit(20)], [20]),
        Row("longer than .timeout", [timeout(10)], [limit(20)], [20]),
        Row("only around a retry", [timeout(15), retry, timeout(10)], [limit(20)], [10, 10]),
        Row("the limit of an attempt, longer", [retry, timeout(10)], [attempt(12)], [12, 12]),
        Row("within the limit of the call", [retry, timeout(10)], [attempt(4), limit(3)], [3, 3]),
        Row("no retry is chosen", [retry, timeout(10)], [.retries(0), limit(20)], [20]),
        Row("inside of a hedge", [hedge, timeout(10)], [limit(20)], [10]),
        Row("a request that is never hedged", [hedge, timeout(10)], [limit(20)], [20], delivery: .stream),
        Row("inside of a fallback", [.fallback(to: mirror), timeout(10)], [limit(20)], [10]),
        Row("a resumed download", [.resumeDownloads(clock: clock), timeout(10)], [limit(20)], [10], delivery: .stream),
        Row("no download", [.resumeDownloads(clock: clock), timeout(10)], [limit(20)], [20]),
        Row("a deadline stays", [deadline, timeout(10)], [limit(20)], [5]),
        Row("until the head", [.timeout(untilHead: .seconds(3), clock: clock)], [limit(20)], [20]),
        Row("the limit of an attempt, without attempts", [timeout(10)], [attempt(12)], [10]),
        Row("inside of the limit of all", [timeout(15), retry, timeout(10)], [attempt(12)], [12, 12]),
        Row("a shorter one, too", [timeout(15), retry, timeout(10)], [attempt(2)], [2, 2]),
        Row("the limit of the only attempt", [retry, timeout(10)], [attempt(12), .retries(0)], [12]),
        Row("both, without attempts", [timeout(10)], [attempt(12), limit(20)], [20]),
        Row("a default", [timeout(10)], [], [20], defaults: [limit(20)]),
        Row("the caller's own choice, and not the default", [], [limit(25)], [25], defaults: [limit(20)]),
        Row("no limit, and neither the default nor .timeout", [timeout(10)], [none], [nil], defaults: [limit(20)]),
        Row("no limit by default", [timeout(10)], [], [nil], defaults: [none]),
        Row("no limit by default, and the caller's choice", [timeout(10)], [limit(20)], [20], defaults: [none]),
        Row("no limit of the call, but of an attempt", [timeout(15), retry, timeout(10)], [none], [10, 10]),
        Row("no limit of an attempt", [timeout(15), retry, timeout(10)], [noneOfAttempt], [15, 15]),
        Row("no limit at all", [timeout(15), retry, timeout(10)], [none, noneOfAttempt], [nil, nil]),
        Row(
            "no limit of a stream",
            [timeout(15), retry, timeout(10)],
            [none, noneOfAttempt],
            [nil, nil],
            delivery: .stream
        ),
        Row("a deadline, without any other limit", [deadline, retry, timeout(9)], [none, noneOfAttempt], [5, 5]),
        Row("the later one of two defaults", [], [], [30], defaults: [limit(20), limit(30)]),
    ]

    @Test("the time of a request follows the rule", arguments: rows, [true, false])
    func rule(row: Row, defaultsFirst: Bool) async throws {
        let left = Recorder<Duration?>()
        let engine = Connector { _, context in
            left.append(context.remainingTime)
            return .noResponse(Fixture.lost)
        }
        let app =
            defaultsFirst
            ? engine.with(defaults: row.defaults).wrapped(by: .all(row.wrappers))
            : engine.wrapped(by: .all(row.wrappers)).with(defaults: row.defaults)
        let built = Either<ConnectionError, Input>.right(Fixture.input.with { $0.delivery = row.delivery })
        _ = await WebAPI.call(with: try #require(built.with(row.options).right), via: app)
        #expect(left.elements == row.left.map { $0.map { .seconds($0) } })
    }

    private static func ended(_ fetched: Fetched<TransformError<Never>, String>) -> String? {
        fetched.connectionError?.cause?.text
    }

    @Test("the error names the limit that ended the call")
    func names() async {
        let clock = ManualClock()
        let slow = Connector { _ in
            try? await clock.sleep(for: .seconds(100))
            return .noResponse(.cancelled)
        }
        let app = slow.wrapped(by: .retry(.once, clock: clock, random: { 0 }), .timeout(.seconds(10), clock: clock))
        let options: [([CallOption], String)] = [
            ([.timeLimit(.seconds(2), clock: clock)], "timed out after 2.0 seconds (timeLimit)"),
            ([.attemptTimeLimit(.seconds(3)), .retries(0)], "timed out after 3.0 seconds (attemptTimeLimit)"),
            ([.retries(0)], "timed out after 10.0 seconds"),
        ]
        for (options, text) in options {
            async let fetched = Fixture.endpoint.fetch(via: app, options: options)
            await clock.waitForSleepers(count: 2)
            while clock.remaining.count > 1 { clock.advance(by: clock.remaining[0]) }
            clock.advance(by: clock.remaining.first ?? .zero)
            #expect(await Self.ended(fetched) == text)
        }
    }

    @Test("an open body ends at the limit of the call")
    func stream() async throws {
        let clock = ManualClock()
        let server = OpenServer(isSilent: true)
        let input = try #require(Either.right(OpenServer.input).with(.timeLimit(.seconds(5), clock: clock)).right)
        async let read = ReadOutput(await WebAPI.call(with: input, via: server.connector))
        await server.isTaken.wait()
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(5))
        #expect(await read.error?.cause?.text == "timed out after 5.0 seconds (timeLimit)")
        #expect(await read.text == "abc")
    }

    @Test("the requests of a composite call end together, and a part keeps its own shorter limit")
    func composite() async {
        let clock = ManualClock()
        let left = Recorder<Duration?>()
        let app = Connector { _, context in
            left.append(context.remainingTime)
            clock.advance(by: .seconds(4))
            return .text("ok")
        }
        let short = Fixture.endpoint.with(.timeLimit(.seconds(1), clock: clock))
        let calls = Fixture.endpoint.flatMap { _ in short }.flatMap { _ in Fixture.endpoint }
            .flatMap { _ in Fixture.endpoint }
        let fetched = await calls.fetch(via: app, options: [.timeLimit(.seconds(10), clock: clock)])
        #expect(left.elements == [.seconds(10), .seconds(1), .seconds(2)])
        #expect(Self.ended(fetched) == "timed out after 10.0 seconds (timeLimit)")
    }

    @Test("of a call that waits for another one, a longer limit makes a call of its own", arguments: [true, false])
    func shared(isLonger: Bool) async {
        let (clock, sent, latch) = (ManualClock(), Recorder<Input>(), Latch())
        let app = Connector.stub(recording: sent) { _ in
            await latch.wait()
            return .text("ok")
        }
        .wrapped(by: .shareInFlight(), .timeout(.seconds(1), clock: clock))
        let limits = isLonger ? [5, 8] : [8, 5]
        async let first = Fixture.endpoint.fetch(via: app, options: [.timeLimit(.seconds(limits[0]), clock: clock)])
        await eventually { sent.elements.count == 1 }
        async let second = Fixture.endpoint.fetch(via: app, options: [.timeLimit(.seconds(limits[1]), clock: clock)])
        await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(5))
        #expect(Self.ended(isLonger ? await first : await second) == "timed out after 5.0 seconds (timeLimit)")
        latch.open()
        #expect(await (isLonger ? second : first).right == "ok")
        #expect(sent.elements.count == (isLonger ? 2 : 1))
    }

    @Test("a validation in the background, and a new token, have no limit of the call", arguments: [true, false])
    func background(defaultsFirst: Bool) async {
        let left = Recorder<Duration?>()
        let date = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        let fields: HTTPHeaders = [
            "Cache-Control": "max-age=0, stale-while-revalidate=60", "Date": "Fri, 15 Jan 2027 08:00:00 GMT",
        ]
        let engine = Connector { _, context in
            left.append(context.remainingTime)
            return .text("ok", headers: fields)
        }
        let cache = Wrapper.cache(in: .memory(), now: { date.withLock { $0 } })
        let limit = CallOption.timeLimit(.seconds(20), clock: Self.clock)
        let app =
            defaultsFirst
            ? engine.with(defaults: limit).wrapped(by: cache, Self.timeout(10))
            : engine.wrapped(by: cache, Self.timeout(10)).with(defaults: limit)
        _ = await Fixture.endpoint.fetch(via: app)
        date.withLock { $0 = Date(timeIntervalSince1970: 1_800_000_030) }
        _ = await Fixture.endpoint.fetch(via: app, options: [.attemptTimeLimit(.seconds(3))])
        await eventually { left.elements.count == 2 }
        #expect(left.elements == [.seconds(20), .seconds(10)])
    }

    /// Returns a server whose call is abandoned after three seconds without an answer.
    private static func slow(_ clock: ManualClock, _ sent: Recorder<Input>) -> Connector {
        .stub(recording: sent) { _ in
            clock.advance(by: .seconds(3))
            return .noResponse(.cancelled)
        }
    }

    @Test("a limit that the caller has chosen opens no circuit")
    func circuit() async {
        let (clock, sent) = (ManualClock(), Recorder<Input>())
        let breaker = Wrapper.circuitBreaker(CircuitBreakerPolicy(trip: .consecutiveFailures(1)), clock: clock)
        let app = Self.slow(clock, sent).wrapped(by: breaker)
        let own = [CallOption.timeLimit(.seconds(2), clock: clock)]
        for _ in 0..<3 { _ = await Fixture.endpoint.fetch(via: app, options: own) }
        #expect(sent.elements.count == 3)
        // Neither does one of an attempt, inside or outside of the breaker; a limit of the connector still does.
        let (retry, limit) = (Wrapper.retry(.never), Wrapper.timeout(.seconds(2), clock: clock))
        for stack in [[retry, breaker, limit], [retry, limit, breaker]] {
            let asked = Recorder<Input>()
            let app = Self.slow(clock, asked).wrapped(by: .all(stack))
            for _ in 0..<3 { _ = await Fixture.endpoint.fetch(via: app, options: [.attemptTimeLimit(.seconds(1))]) }
            #expect(asked.elements.count == 3)
            for _ in 0..<3 { _ = await Fixture.endpoint.fetch(via: app, options: [.timeLimit(.seconds(9))]) }
            #expect(asked.elements.count == 4)
        }
        let slow = Self.slow(clock, sent).wrapped(by: retry, breaker, limit)
        for _ in 0..<3 { _ = await Fixture.endpoint.fetch(via: slow.with(defaults: .attemptTimeLimit(.seconds(1)))) }
        #expect(sent.elements.count == 4)
        let limited = app.with(defaults: own)
        for _ in 0..<3 { _ = await Fixture.endpoint.fetch(via: limited) }
        #expect(sent.elements.count == 5)
    }

    @Test("the other server of a fallback keeps its own limit")
    func fallback() async {
        let left = Recorder<Duration?>()
        let mirror = Connector { _, context in
            left.append(context.remainingTime)
            return .text("ok")
        }
        let app = Connector.stub(.noResponse(Fixture.lost))
            .wrapped(by: .fallback(to: mirror.wrapped(by: Self.timeout(7))), Self.timeout(5))
        #expect(await Fixture.endpoint.fetch(via: app, options: [Self.limit(20)]).right == "ok")
        #expect(left.elements == [.seconds(7)])
    }

    @Test("calls with limits of different lengths share one request of a cache")
    func cached() async {
        let (sent, latch) = (Recorder<Input>(), Latch())
        let app = Connector.stub(recording: sent) { _ in
            await latch.wait()
            return .text("ok", headers: ["Cache-Control": "max-age=60"])
        }
        .wrapped(by: .cache(in: .memory()))
        async let first = Fixture.endpoint.fetch(via: app, options: [Self.limit(20)])
        await eventually { sent.elements.count == 1 }
        async let second = Fixture.endpoint.fetch(via: app, options: [Self.limit(30)])
        for _ in 0..<1_000 { await Task.yield() }
        latch.open()
        #expect(await [first.right, second.right] == ["ok", "ok"])
        #expect(sent.elements.count == 1)
    }
}
