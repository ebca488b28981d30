import Foundation
import StartSmall
import StartSmallTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct DeadlineTests {
    private let clock = ManualClock()
    private let sent = Recorder<Input>()

    private static let ok = Output.hasResponse(Fixture.ok)

    private func time(_ seconds: Int) -> ManualClock.Instant {
        ManualClock.Instant(offset: .seconds(seconds))
    }

    @Test("all calls end at the deadline, whenever they began")
    func shared() async {
        let deadline = Wrapper.deadline(time(10), clock: clock)
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

    @Test("a call that begins at the deadline or later is not made", arguments: [10, 11])
    func past(_ seconds: Int) async {
        clock.advance(by: .seconds(seconds))
        let connector = Connector.stub(Self.ok, recording: sent).wrapped(by: .deadline(time(10), clock: clock))
        let output = await WebAPI.call(with: Fixture.input, via: connector)
        #expect(output.connectionError?.description == "timedOut: no time was left (StartSmall 1)")
        #expect(sent.elements == [])
    }

    @Test("a call that is not made because of the deadline is not retried, since no time will be left")
    func pastInside() async {
        clock.advance(by: .seconds(10))
        let tries = Recorder<Input>()
        let counting = Wrapper { input, next in
            tries.append(input)
            return await next(input)
        }
        let connector = Connector.stub(Self.ok, recording: sent)
            .wrapped(by: .retry(clock: clock, random: { 0 }), counting, .deadline(time(10), clock: clock))
        #expect(await WebAPI.call(with: Fixture.input, via: connector).connectionError?.name == "timedOut")
        #expect(tries.elements.count == 1)
    }

    @Test("delays and attempts share the remaining time: no delay is longer than that")
    func sharedBudget() async {
        let unavailable = Output.status(.serviceUnavailable, headers: ["Retry-After": "6"])
        let connector = Connector.stub(unavailable, recording: sent).wrapped(
            by: .deadline(time(10), clock: clock),
            .retry(.exponential(attempts: 5), clock: clock, random: { 0 })
        )
        async let output = WebAPI.call(with: Fixture.input, via: connector)
        await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(6))
        #expect(await output == unavailable)
        #expect(sent.elements.count == 2)
        #expect(clock.now == time(6))
    }

    @Test("inside of a time limit, the earlier end counts", arguments: [(4, 4), (20, 10)])
    func nested(_ limit: Int, _ expected: Int) async {
        let left = Recorder<Duration?>()
        let connector = Connector { _, context in
            left.append(context.remainingTime)
            return Self.ok
        }
        let wrapped = connector.wrapped(
            by: .timeout(.seconds(limit), clock: clock),
            .deadline(time(10), clock: clock)
        )
        _ = await WebAPI.call(with: Fixture.input, via: wrapped)
        #expect(left.elements == [.seconds(expected)])
    }

    @Test("over a socket: a server gets a request before the deadline, and none after it")
    func loopback() async throws {
        try await LoopbackServer.serving(.stub(Self.ok, recording: sent)) { server in
            let connector = Connector.patient.wrapped(by: .deadline(time(600), clock: clock))
            let endpoint = Endpoint.text(.get(server.url.absoluteString))
            #expect(await endpoint.fetch(via: connector).right == "hello")
            clock.advance(by: .seconds(600))
            #expect(await endpoint.fetch(via: connector).left?.left?.name == "timedOut")
        }
        #expect(sent.elements.count == 1)
    }

    @Test("the latest possible deadline allows every call, and the real clock can count it")
    func farthest() async {
        let end = ContinuousClock.now + .seconds(Int64.max)
        let connector = Connector.stub(.hasResponse(Fixture.ok)).wrapped(by: .deadline(end))
        #expect(await WebAPI.call(with: Fixture.input, via: connector) == .hasResponse(Fixture.ok))
    }
}
