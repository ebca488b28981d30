import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct TimeoutTests {
    private let clock = ManualClock()
    private let sent = Recorder<Input>()

    private static let ok = Output.hasResponse(Fixture.ok)

    private func timeout(_ seconds: Int = 10) -> Wrapper { .timeout(.seconds(seconds), clock: clock) }

    @Test("a call that sees inside that its time is over has timed out, and was not cancelled")
    func seenInside() async {
        let clock = ManualClock()
        let late = Wrapper { _, next in
            clock.advance(by: .seconds(9))
            return (next.context.remainingTime ?? .zero) > .zero
                ? .noResponse(.hostNotFound(.noTimeLeft)) : .noResponse(.cancelled)
        }
        let app = Connector.stub(.status(.ok)).wrapped(by: .timeout(.seconds(5), clock: clock), late)
        #expect(await WebAPI.call(with: Fixture.input, via: app).connectionError?.name == "timedOut")
    }

    @Test("the inner call keeps the task locals of the caller")
    func taskLocals() async {
        enum Local { @TaskLocal static var value = "none" }
        let connector = Connector { _ in .text(Local.value) }.wrapped(by: timeout())
        await Local.$value.withValue("mine") {
            #expect(await Fixture.endpoint.fetch(via: connector).right == "mine")
        }
    }

    @Test("one task sleeps for any number of waiting calls, and none when they have ended")
    func oneSleeper() async {
        let (begun, latch) = (Recorder<Input>(), Latch())
        let waiting = Connector.stub(recording: begun) { _ in
            await latch.wait()
            return Self.ok
        }
        let connector = waiting.wrapped(by: timeout())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<1_000 { group.addTask { _ = await WebAPI.call(with: Fixture.input, via: connector) } }
            await eventually { begun.elements.count == 1_000 }
            await clock.waitForSleepers(count: 1)
            #expect(clock.sleeperCount == 1)
            latch.open()
        }
        #expect(clock.sleeperCount == 0)
    }

    @Test("the smaller of two limits ends the call, with its error")
    func handedDown() async {
        let waited = Latch()
        let waiting = Wrapper { [clock] input, next in
            try? await clock.sleep(for: .seconds(7))
            return await next(input)
        }
        let connector = Connector.silent(begun: waited).wrapped(by: timeout(10), waiting, timeout(5))
        async let output = WebAPI.call(with: Fixture.input, via: connector)
        await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(7))
        await waited.wait()
        await clock.waitForSleepers(count: 2)
        #expect(clock.remaining == [.seconds(3), .seconds(5)])
        clock.advance(by: .seconds(3))
        #expect(await output.connectionError?.cause?.text == "timed out after 10.0 seconds")
    }

    @Test("the inner call knows its remaining time, and the outer one has no limit")
    func timeLeft() async {
        let left = Recorder<Duration?>()
        let connector = Connector { [clock] _, context in
            left.append(context.remainingTime)
            clock.advance(by: .seconds(3))
            left.append(context.remainingTime)
            return Self.ok
        }
        _ = await WebAPI.call(with: Fixture.input, via: connector.wrapped(by: timeout()))
        _ = await WebAPI.call(with: Fixture.input, via: connector)
        #expect(left.elements == [.seconds(10), .seconds(7), nil, nil])
    }

    @Test("outside of a retry, a limit is for all attempts together, and inside for each", arguments: [true, false])
    func order(isOutside: Bool) async {
        // Each of three attempts takes four seconds, and only the third is answered.
        let slow = Connector { [clock, sent] input in
            sent.append(input)
            try? await clock.sleep(for: .seconds(4))
            return sent.elements.count < 3 ? .noResponse(Fixture.lost) : Self.ok
        }
        let wrappers = [timeout(9), .retry(clock: clock, random: { 0 })]
        async let output = WebAPI.call(
            with: Fixture.input,
            via: slow.wrapped(by: .all(isOutside ? wrappers : wrappers.reversed()))
        )
        for _ in 0..<3 {
            await clock.waitForSleepers(count: 2)
            clock.advance(by: clock.remaining[0])
        }
        #expect(await output.connectionError?.name == (isOutside ? "timedOut" : nil))
        #expect(clock.now.offset == .seconds(isOutside ? 9 : 12))
    }

    @Test("over a socket: a silent server is waited for no longer than the limit")
    func loopback() async throws {
        let (asked, latch) = (Latch(), Latch())
        let silent = Connector { _ in
            asked.open()
            await latch.wait()
            return Self.ok
        }
        try await LoopbackServer.serving(silent) { server in
            let connector = Connector.standard.wrapped(by: timeout())
            async let fetched = Endpoint.text(.get(server.url.absoluteString)).fetch(via: connector)
            await asked.wait()
            clock.advance(by: .seconds(10))
            #expect(await fetched.left?.left?.name == "timedOut")
            latch.open()
        }
    }

    @Test(
        "the longest possible limit allows every call, and the real clock can count it",
        arguments: [Duration.seconds(Int64.max), Duration(attoseconds: .max)]
    )
    func longest(_ limit: Duration) async {
        let connector = Connector.stub(Self.ok).wrapped(by: .timeout(limit))
        #expect(await WebAPI.call(with: Fixture.input, via: connector) == Self.ok)
    }

    // Tasks that listeners and closures start during a call.

    @Test("a task that a listener or a wrapper starts is not limited by the call around it", arguments: [true, false])
    func leak(fromListener: Bool) async {
        let (made, latch) = (Recorder<Task<Output, Never>>(), Latch())
        // A task that makes its own call, with its own limit, when the latch opens.
        let start = { @Sendable [clock] in
            made.append(
                Task {
                    await latch.wait()
                    let own = Connector.stub(Self.ok).wrapped(by: .timeout(.seconds(60), clock: clock))
                    return await WebAPI.call(with: Fixture.input, via: own)
                }
            )
        }
        let listener = Listener { event, _ in
            if event.reported(TestEvent.self) != nil, fromListener { start() }
        }
        let starting = Wrapper { input, next in
            if !fromListener { start() }
            return await next(input)
        }
        let reporting = Connector { _, context in
            context.report(TestEvent("hello"))
            return Self.ok
        }
        let limited = reporting.wrapped(by: .listen(to: listener), timeout(1), starting)
        _ = await WebAPI.call(with: Fixture.input, via: limited)
        clock.advance(by: .seconds(10))
        latch.open()
        #expect(made.elements.count == 1)
        for task in made.elements { #expect(await task.value == Self.ok) }
    }

    // Deadlines.

    private func deadline() -> Wrapper { .deadline(ManualClock.Instant(offset: .seconds(10)), clock: clock) }

    @Test("all calls end at the deadline, whenever they began")
    func deadlines() async {
        let deadline = deadline()
        async let first = WebAPI.call(with: Fixture.input, via: .silent().wrapped(by: deadline))
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(6))
        async let second = WebAPI.call(with: Fixture.input, via: .silent().wrapped(by: deadline))
        await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(4))
        let errors = await [first, second].map { $0.connectionError?.description }
        let late = "timedOut: the deadline is over (StartSmall 0)"
        #expect(errors == [late, late])
    }

    @Test("a call that begins at the deadline or later is not made, nor retried", arguments: [10, 11])
    func pastDeadline(_ seconds: Int) async {
        clock.advance(by: .seconds(seconds))
        let tries = Recorder<Input>()
        let counting = Wrapper { input, next in
            tries.append(input)
            return await next(input)
        }
        let connector = Connector.stub(Self.ok, recording: sent)
            .wrapped(by: .retry(clock: clock, random: { 0 }), counting, deadline())
        let output = await WebAPI.call(with: Fixture.input, via: connector)
        #expect(output.connectionError?.description == "timedOut: no time was left (StartSmall 1)")
        #expect(sent.elements == [] && tries.elements.count == 1)
    }

    // Limits until the head.

    private func untilHead() -> Wrapper { .timeout(untilHead: .seconds(10), clock: clock) }

    @Test(
        "from the head on, no timer is left, and the payload may take any time",
        arguments: [HTTPStatus.ok, .notFound],
        [Delivery.memory, .stream]
    )
    func head(status: HTTPStatus, delivery: Delivery) async {
        let (head, reading, payload) = (Latch(), Latch(), Latch())
        let connector = Connector.slow(status, head: head, reading: reading, payload: payload).wrapped(by: untilHead())
        let task = Task {
            let output = await WebAPI.call(with: Input(url: Fixture.url, delivery: delivery), via: connector)
            _ = try? await output.response?.body?.next()
            return output
        }
        await clock.waitForSleepers(count: 1)
        head.open()
        await reading.wait()
        #expect(clock.sleeperCount == 0)
        clock.advance(by: .seconds(1_000))
        payload.open()
        #expect(await task.value.response?.statusCode == status)
    }

    @Test("each attempt has its own limit, with retries outside or inside", arguments: [true, false])
    func attemptsUntilHead(isInside: Bool) async {
        let (clock, sent, latch) = (clock, sent, Latch())
        let connector = Connector { input in
            sent.append(input)
            if sent.elements.count == 3 { return Self.ok }
            // The first attempt answers just in time, and the second one too late.
            if sent.elements.count == 1 {
                try? await clock.sleep(for: .seconds(9))
                return .noResponse(Fixture.lost)
            }
            await Task.detached { await latch.wait() }.value
            return Self.ok
        }
        let retry = Wrapper.retry(clock: clock, random: { 0 })
        let retrying = connector.wrapped(by: .all(isInside ? [retry, untilHead()] : [untilHead(), retry]))
        async let output = WebAPI.call(with: Fixture.input, via: retrying)
        await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(9))
        await eventually { sent.elements.count == 2 }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        #expect(await output == Self.ok)
        #expect(sent.elements.count == 3)
        latch.open()
    }

    @Test("an engine knows whether its request is limited until the head")
    func known() async {
        let known = Recorder<Bool>()
        let connector = Connector { _, context in
            known.append(context.isLimitedUntilHead)
            return Self.ok
        }
        _ = await WebAPI.call(with: Fixture.input, via: connector)
        _ = await WebAPI.call(with: Fixture.input, via: connector.wrapped(by: untilHead()))
        _ = await WebAPI.call(with: Fixture.input, via: connector.wrapped(by: timeout()))
        #expect(known.elements == [false, true, false])
    }
}
