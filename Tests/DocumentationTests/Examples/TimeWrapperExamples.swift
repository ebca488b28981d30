import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// The Swift blocks of Sources/StartSmall/StartSmall.docc/Wrappers.md on retries and on time.
@Suite(.timeLimit(.minutes(1))) struct TimeWrapperExamples {
    private let clock = ManualClock()
    private let sent = Recorder<Input>()
    private let zen = Endpoint.text(.get("https://api.github.com/zen"))

    /// Returns a connector that responds with these statuses in turn, and then with a phrase.
    private func failing(_ statuses: HTTPStatus...) -> Connector {
        .stub(sequence: statuses.map { .status($0) } + [.text("Design for failure.")], recording: sent)
    }

    @Test("a call is retried with the default policy")
    func retry() async {
        let stub = failing(.serviceUnavailable)

        let connector = stub.wrapped(by: .retry(.exponential(attempts: 3)), .timeout(.seconds(10)))

        _ = connector
        let instant = stub.wrapped(by: .retry(.exponential(attempts: 3), random: { 0 }), .timeout(.seconds(10)))
        #expect(await zen.fetch(via: instant).right == "Design for failure.")
    }

    @Test("an app can have its own retry policy")
    func policy() async {
        let stub = failing(.serviceUnavailable, .serviceUnavailable)
        let budget = RetryBudget(freePerSecond: 1, percent: 10)

        let patient = RetryPolicy(
            backoff: .exponential(attempts: 5, baseDelay: .seconds(1), maxRetryAfter: .seconds(300))
        )
        let connector = stub.wrapped(by: .retry(patient, budget: budget, clock: clock, random: { 0 }))

        #expect(await zen.fetch(via: connector).right == "Design for failure.")
    }

    @Test("a backoff is a function, and so is a condition")
    func own() async {
        let stub = failing(.notFound, .notFound)

        let pending = RetryCondition { input, output in
            RetryCondition.isSafeToReplay(input) && output.response?.statusCode == .notFound
        }
        let untilThere = RetryPolicy(
            condition: pending,
            backoff: Backoff { attempt in attempt.number < 10 ? .seconds(1) : nil }
        )
        let connector = stub.wrapped(by: .retry(untilThere, clock: clock))

        async let fetched = zen.fetch(via: connector)
        for _ in 0..<2 {
            await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(1))
        }
        #expect(await fetched.right == "Design for failure.")
    }

    @Test("a test of a timeout does not wait")
    func timeout() async {
        let silent = Connector { _ in
            await Latch().wait()
            return .noResponse(.cancelled)
        }

        let clock = ManualClock()
        let connector = silent.wrapped(by: .timeout(.seconds(10), clock: clock))
        async let errorOrZen = zen.fetch(via: connector)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))

        #expect(await errorOrZen.left?.left?.name == "timedOut")
    }

    @Test("a server that sends no head in time is a timeout")
    func timeoutUntilHead() async {
        let thinking = Connector { _ in
            await Latch().wait()
            return .noResponse(.cancelled)
        }

        let connector = thinking.wrapped(by: .timeout(untilHead: .seconds(120), clock: clock))
        async let errorOrZen = zen.fetch(via: connector)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(120))

        #expect(await errorOrZen.left?.left?.name == "timedOut")
    }

    @Test("many calls have one deadline")
    func deadline() async {
        let stub = Connector.stub(.text("Design for failure."), recording: sent)

        let end = ContinuousClock.now + .seconds(3)
        let connector = stub.wrapped(by: .deadline(end), .retry())

        #expect(await zen.fetch(via: connector).right == "Design for failure.")
    }

    @Test("the wrong order: a limit of 10 seconds for all attempts leaves no time for the second")
    func wrongOrder() async {
        let connector = dozing().wrapped(by: .timeout(.seconds(10), clock: clock), .retry(clock: clock, random: { 0 }))

        let error = await fetch(via: connector).left?.left
        #expect(error?.name == "timedOut")
        #expect(sent.elements.count == 1)
        #expect(clock.now.offset == .seconds(10))
    }

    @Test("the right order: each attempt has 10 seconds, and all of them a minute")
    func rightOrder() async {
        let connector = dozing().wrapped(
            by: .timeout(.seconds(60), clock: clock),
            .retry(clock: clock, random: { 0 }),
            .timeout(.seconds(10), clock: clock)
        )

        #expect(await fetch(via: connector).right == "Design for failure.")
        #expect(sent.elements.count == 2)
    }

    @Test("the orders in the guide compile as written")
    func order() {
        let stub = dozing()

        let wrong = stub.wrapped(by: .timeout(.seconds(10)), .retry())
        let right = stub.wrapped(by: .timeout(.seconds(60)), .retry(), .timeout(.seconds(10)))

        _ = (wrong, right)
    }

    /// Returns a connector that never answers the first call.
    private func dozing() -> Connector {
        .stub(recording: sent) { [sent] _ in
            if sent.elements.count == 1 { await Latch().wait() }
            return .text("Design for failure.")
        }
    }

    /// Returns the result of a call during which ten seconds pass.
    private func fetch(via connector: Connector) async -> Fetched<TransformError<Never>, String> {
        async let fetched = zen.fetch(via: connector)
        while sent.elements.isEmpty { await Task.yield() }
        clock.advance(by: .seconds(10))
        return await fetched
    }
}
