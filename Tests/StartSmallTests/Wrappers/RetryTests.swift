import Foundation
import StartSmall
import StartSmallResilience
import StartSmallTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct RetryTests {
    private let clock = ManualClock()
    private let sent = Recorder<Input>()
    private let log = EventLog()

    private static let unavailable = Output.status(.serviceUnavailable, headers: ["X-Try": "1"])
    private static let lost = Output.noResponse(Fixture.lost)
    private static let ok = Output.hasResponse(Fixture.ok)

    /// Returns the output of a call with these answers, without any delay.
    private func output(
        _ answers: [Output],
        _ policy: RetryPolicy = .standard,
        from input: Input = Fixture.input
    ) async -> Output {
        let connector = Connector.stub(sequence: answers, recording: sent)
            .wrapped(by: .listen(to: log.listener), .retry(policy, clock: clock, random: { 0 }))
        return await WebAPI.call(with: input, via: connector)
    }

    private var retrying: [Retrying] {
        log.events.compactMap { $0.reported(Retrying.self) }
    }

    // Conditions.

    @Test("a transient failure is not visible outside", arguments: [unavailable, lost])
    func passes(_ failure: Output) async {
        #expect(await output([failure, failure, Self.ok]) == Self.ok)
        #expect(sent.elements == [Fixture.input, Fixture.input, Fixture.input])
    }

    // Delays.

    @Test("after the last attempt its output is returned whole, and the events report the outputs before it")
    func usedUp() async {
        let last = Output.status(.badGateway, headers: ["X-Try": "3"])
        #expect(await output([Self.unavailable, Self.lost, last]) == last)
        #expect(sent.elements.count == 3)
        #expect(
            retrying == [
                Retrying(attempt: 2, delay: .zero, after: Self.unavailable),
                Retrying(attempt: 3, delay: .zero, after: Self.lost),
            ]
        )
    }

    @Test("a policy retries never, once, a number of times, or by custom functions", .parity("D4"))
    func policies() async {
        let own = RetryPolicy(
            condition: RetryCondition { _, output in output.response?.statusCode == .notFound },
            backoff: Backoff { $0.number < 5 ? .zero : nil }
        )
        let missing = Output.status(.notFound)
        for (policy, answer, expected) in [
            (.never, Self.lost, 1), (.once, Self.lost, 2), (.exponential(attempts: 4), Self.lost, 4),
            (own, missing, 5), (own, Self.lost, 1), (.standard, Self.lost, 3),
        ] as [(RetryPolicy, Output, Int)] {
            let sent = Recorder<Input>()
            let connector = Connector.stub(answer, recording: sent)
                .wrapped(by: .retry(policy, clock: clock, random: { 0 }))
            #expect(await WebAPI.call(with: Fixture.input, via: connector) == answer)
            #expect(sent.elements.count == expected)
        }
    }

    @Test("the call waits for the reported delay, and is not retried before")
    func waits() async {
        let connector = Connector.stub(sequence: [Self.lost, Self.lost, Self.ok], recording: sent)
            .wrapped(by: .retry(clock: clock, random: { 1 << 63 }))
        async let output = WebAPI.call(with: Fixture.input, via: connector)
        for (delay, count) in [(Duration.milliseconds(250), 1), (.milliseconds(500), 2)] {
            await clock.waitForSleepers(count: 1)
            #expect(clock.remaining == [delay])
            #expect(sent.elements.count == count)
            clock.advance(by: delay)
        }
        #expect(await output == Self.ok)
    }

    @Test("no delay outlasts the remaining time: the last output is returned at once", arguments: [249, 250, 251])
    func timeLeft(_ milliseconds: Int) async {
        let connector = Connector.stub(sequence: [Self.unavailable, Self.ok], recording: sent).wrapped(
            by: .timeout(.milliseconds(milliseconds), clock: clock),
            .retry(clock: clock, random: { 1 << 63 })
        )
        async let output = WebAPI.call(with: Fixture.input, via: connector)
        if milliseconds > 250 {
            await clock.waitForSleepers(count: 2)
            clock.advance(by: .milliseconds(250))
        }
        #expect(await output == (milliseconds > 250 ? Self.ok : Self.unavailable))
    }

    // Budget.

    @Test("no retry storm hits a service that is down: of a thousand calls, a hundred are retried")
    func storm() async {
        let connector = Connector.stub(Self.unavailable, recording: sent)
            .wrapped(by: .retry(clock: clock, random: { 0 }))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<1_000 { group.addTask { _ = await WebAPI.call(with: Fixture.input, via: connector) } }
        }
        #expect(sent.elements.count == 1_100)
    }

    @Test(
        "a budget grows with successes, 2xx and 304, and with no other output",
        arguments: [
            (.status(.ok), true), (.status(.noContent), true), (.status(.notModified), true),
            (.status(.movedPermanently), false), (.status(.badRequest), false), (.status(.notFound), false),
            (.status(.notImplemented), false), (.status(.serviceUnavailable), false),
            (.noResponse(.rejected(Fixture.ok, reason: "")), false), (.noResponse(.cancelled), false),
        ] as [(Output, Bool)]
    )
    func feeds(_ output: Output, _ expected: Bool) async {
        let budget = RetryBudget(freePerSecond: 0, percent: 100, clock: clock)
        func call(_ answers: Output...) async -> Output {
            let retry = Wrapper.retry(budget: budget, clock: clock, random: { 0 })
            return await WebAPI.call(with: Fixture.input, via: .stub(sequence: answers).wrapped(by: retry))
        }
        _ = await call(output)
        #expect(await call(Self.lost, Self.ok) == (expected ? Self.ok : Self.lost))
    }

    // Hints of the server.

    @Test(
        "a hint adds a retry, or prevents one, within the attempts",
        arguments: [("true", 404, 3), ("false", 503, 1)]
    )
    func hint(_ value: String, _ status: Int, _ count: Int) async {
        let answer = Output.status(.from(code: status), headers: ["X-Should-Retry": value])
        #expect(await output([answer, answer, answer, Self.ok]) == answer)
        #expect(sent.elements.count == count)
    }

    @Test("a server that always wants a retry gets no more than the attempts, and the budget of all calls")
    func hintForEver() async {
        let budget = RetryBudget(freePerSecond: 1, percent: 0, clock: clock)
        let connector = Connector.stub(.status(.notFound, headers: ["X-Should-Retry": "true"]), recording: sent)
            .wrapped(by: .retry(.exponential(attempts: 4), budget: budget, clock: clock, random: { 0 }))
        for _ in 0..<20 { _ = await WebAPI.call(with: Fixture.input, via: connector) }
        #expect(sent.elements.count == 20 + 10)
    }

    @Test("a hint does not make a delay shorter, nor one that is too long bearable", arguments: [60, 61, 31_536_000])
    func hintAndDelay(_ seconds: Int) async {
        let headers: HTTPHeaders = ["X-Should-Retry": "true", "Retry-After": "\(seconds)"]
        let connector = Connector.stub(sequence: [.status(.conflict, headers: headers), Self.ok], recording: sent)
            .wrapped(by: .retry(clock: clock, random: { 0 }))
        async let output = WebAPI.call(with: Fixture.input, via: connector)
        if seconds == 60 {
            await clock.waitForSleepers(count: 1)
            #expect(clock.remaining == [.seconds(60)])
            clock.advance(by: .seconds(60))
        }
        #expect(await output.response?.statusCode == (seconds == 60 ? .ok : .conflict))
    }

    // Order, events, cancellation.

    /// Returns a wrapper that numbers the calls through it.
    private func stamping() -> Wrapper {
        let count = Mutex(0)
        return Wrapper { input, next in
            var input = input
            input.headers["X-Timestamp"] = "\(count.withLock { $0 += 1; return $0 })"
            return await next(input)
        }
    }

    @Test("an inner wrapper runs again for each attempt, and an outer one's input is repeated", .parity("B16"))
    func order() async {
        func stamps(_ wrappers: Wrapper...) async -> [String?] {
            let sent = Recorder<Input>()
            let connector = Connector.stub(sequence: [Self.lost, Self.lost, Self.ok], recording: sent)
            _ = await WebAPI.call(with: Fixture.input, via: connector.wrapped(by: .all(wrappers)))
            return sent.elements.map { $0.headers["X-Timestamp"] }
        }
        let retry = Wrapper.retry(clock: clock, random: { 0 })
        #expect(await stamps(retry, stamping()) == ["1", "2", "3"])
        #expect(await stamps(stamping(), retry) == ["1", "1", "1"])
    }

    @Test(
        "with retry, a call starts and ends once, with a retrying event for each retry; two calls start and end twice",
        .parity("B17")
    )
    func events() async {
        _ = await output([Self.unavailable, Self.lost, Self.ok])
        #expect(log.names == ["started", "retrying", "retrying", "received", "succeeded", "ended"])
        let again = EventLog()
        let connector = Connector.stub(sequence: [Self.lost, Self.ok]).wrapped(by: .listen(to: again.listener))
        for _ in 0..<2 { _ = await WebAPI.call(with: Fixture.input, via: connector) }
        #expect(
            again.names == ["started", "noResponse", "failed", "ended", "started", "received", "succeeded", "ended"]
        )
    }

    @Test("the description of a retry is one line, without credentials")
    func described() {
        let output = Output.status(.serviceUnavailable, headers: ["Set-Cookie": "sid=secret"])
        let text = "\(Event.reported(Retrying(attempt: 2, delay: .milliseconds(300), after: output)))"
        #expect(text.contains("retrying: attempt 2 in 0.3 seconds, after") && text.contains("503"))
        #expect(!text.contains("secret") && !text.contains("\n"))
    }

    @Test("cancelling ends the delay at once, and no sleeper is left")
    func cancelling() async {
        let connector = Connector.stub(Self.unavailable, recording: sent)
            .wrapped(by: .listen(to: log.listener), .retry(clock: clock, random: { 1 << 63 }))
        let task = Task { await WebAPI.call(with: Fixture.input, via: connector) }
        await clock.waitForSleepers(count: 1)
        task.cancel()
        #expect(await task.value == .noResponse(.cancelled))
        #expect(clock.sleeperCount == 0)
        #expect(sent.elements.count == 1)
        #expect(log.names == ["started", "retrying", "cancelled", "failed", "ended"])
    }

    @Test("the longest possible delay is a hundred years, which the real clock can count")
    func longestDelay() async {
        let policy = RetryPolicy(backoff: Backoff { _ in .seconds(Int64.max) })
        let cancelling = Listener { event in
            // A delay cancelled before it begins ends at once, but the clock still counts its duration.
            if event.name == "retrying" { withUnsafeCurrentTask { $0?.cancel() } }
        }
        let connector = Connector.stub(Self.lost).wrapped(by: .listen(to: log.listener + cancelling), .retry(policy))
        let output = await Task { await WebAPI.call(with: Fixture.input, via: connector) }.value
        #expect(output == .noResponse(.cancelled))
        #expect(retrying.map(\.delay) == [.seconds(100 * 365 * 86_400)])
    }
}

/// Retries of calls whose body is still to be read.
@Suite(.timeLimit(.minutes(1))) struct RetriedStreamTests {
    private let clock = ManualClock()
    private let good = OpenServer()

    private func retry(_ policy: RetryPolicy = .standard, budget: RetryBudget = .unlimited) -> Wrapper {
        .retry(policy, budget: budget, clock: clock, random: { 0 })
    }

    @Test("a stream that breaks off is retried before its first chunk, and never after it", arguments: 0...3)
    func breaks(after count: Int) async {
        let chunks = Array(["a", "b", "c"].prefix(count))
        let (broken, sent) = (OpenServer(chunks: chunks, failure: Fixture.lost), Recorder<Input>())
        let connector = Connector.stub(sequence: [broken.output, good.output], recording: sent)
        let output = await WebAPI.call(with: OpenServer.input, via: connector.wrapped(by: retry()))
        let read = await ReadOutput(output)
        #expect(read.chunks == (count == 0 ? ["ab", "c"] : chunks).map { Data($0.utf8) })
        #expect(read.error == (count == 0 ? nil : Fixture.lost))
        #expect(sent.elements.count == (count == 0 ? 2 : 1))
        #expect(broken.ends.elements == [.failed(Fixture.lost)])
    }

    @Test("a silent stream holds its head back, and a cancellation ends it")
    func silent() async {
        let (server, isReturned) = (OpenServer(chunks: [], isSilent: true), Recorder<Void>())
        let call = Task {
            let output = await server.open(via: retry())
            isReturned.append(())
            return output
        }
        await eventually { server.sent.elements.count == 1 }
        for _ in 0..<100 { await Task.yield() }
        #expect(isReturned.elements.isEmpty)
        call.cancel()
        #expect(await call.value == .noResponse(.cancelled))
        #expect(server.ends.elements == [.failed(.cancelled)])
    }

    @Test("a stream that is given up ends before the delay, so that its permit is free, and no event keeps its body")
    func givenUp() async {
        let (server, log) = (OpenServer(kept: Recorder()), EventLog())
        let again = RetryPolicy(
            condition: RetryCondition { _, _ in server.sent.elements.count < 2 },
            backoff: Backoff { _ in .seconds(1) }
        )
        async let output = server.open(via: .listen(to: log.listener), retry(again), .limitConcurrency(1, waiting: 0))
        await clock.waitForSleepers(count: 1)
        #expect(server.ends.elements == [.discarded])
        clock.advance(by: .seconds(1))
        #expect(await ReadOutput(output).text == "abc")
        #expect(server.ends.elements == [.discarded, .complete])
        let attempt = Retrying(attempt: 2, delay: .seconds(1), after: .hasResponse(OpenServer.head))
        #expect(log.events.contains(.reported(attempt)))
    }

    @Test("a budget grows when a stream has ended well, and not before or otherwise", arguments: BodyEnding.allCases)
    func budget(_ ending: BodyEnding) async {
        let budget = RetryBudget(freePerSecond: 0, percent: 100, clock: clock)
        func isRetried() async -> Bool {
            let sent = Recorder<Input>()
            let outputs = [Output.noResponse(Fixture.lost), .hasResponse(Fixture.ok)]
            let connector = Connector.stub(sequence: outputs, recording: sent)
            _ = await WebAPI.call(with: Fixture.input, via: connector.wrapped(by: retry(budget: budget)))
            return sent.elements.count == 2
        }
        let end = await ending.end {
            await good.open(via: retry(budget: budget))
        } while: {
            #expect(await !isRetried())
        }
        await good.ended.wait()
        #expect(await isRetried() == (end == .complete))
    }
}
