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
}
