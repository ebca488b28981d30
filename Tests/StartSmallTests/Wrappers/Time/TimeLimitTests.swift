import ParityTrait
import StartSmall
import StartSmallTesting
import Testing

/// A wrapper with a limit of ten seconds.
enum TimeLimit: CaseIterable, Sendable {
    case timeout, deadline, untilHead

    static let ofBodies = [timeout, deadline]

    func wrapper(_ clock: ManualClock, _ seconds: Int = 10) -> Wrapper {
        switch self {
        case .timeout: .timeout(.seconds(seconds), clock: clock)
        case .deadline: .deadline(ManualClock.Instant(offset: .seconds(seconds)), clock: clock)
        case .untilHead: .timeout(untilHead: .seconds(seconds), clock: clock)
        }
    }

    /// The error of a call that is too late.
    func error(after head: Response? = nil) -> ConnectionError {
        switch self {
        case .timeout:
            .timedOut(.init(domain: "StartSmall", code: 0, text: "timed out after 10.0 seconds", partial: head))
        case .deadline: .timedOut(.init(domain: "StartSmall", code: 0, text: "the deadline is over", partial: head))
        case .untilHead: .timedOut(.init(domain: "StartSmall", code: 5, text: "no response head within 10.0 seconds"))
        }
    }
}

/// What the wrappers that limit the time of a call have in common.
@Suite(.timeLimit(.minutes(1))) struct TimeLimitTests {
    private let clock = ManualClock()
    private let latch = Latch()
    private let sent = Recorder<Input>()

    private static let ok = Output.hasResponse(Fixture.ok)

    @Test("an output in time is not changed, with or without a response", arguments: TimeLimit.allCases)
    func unchanged(_ limit: TimeLimit) async {
        for output in [Self.ok, .noResponse(Fixture.lost)] {
            let connector = Connector.stub(output, recording: sent).wrapped(by: limit.wrapper(clock))
            #expect(await WebAPI.call(with: Fixture.input, via: connector) == output)
        }
        let input = Fixture.input.with { $0.delivery = limit == .untilHead ? .stream : .memory }
        #expect(sent.elements == [input, input])
        #expect(clock.sleeperCount == 0)
    }

    @Test(
        "a call that takes too long ends on time, even if the inner call ignores cancellation",
        arguments: TimeLimit.allCases
    )
    func late(_ limit: TimeLimit) async {
        // The smaller limit counts, in any order.
        let larger = limit.wrapper(clock, 20)
        let connector = Connector.stubborn(until: latch).wrapped(by: larger, limit.wrapper(clock), larger)
        async let output = WebAPI.call(with: Fixture.input, via: connector)
        await clock.waitForSleepers(count: limit == .untilHead ? 1 : 3)
        clock.advance(by: .seconds(10))
        #expect(await output == .noResponse(limit.error()))
        latch.open()
    }

    @Test(
        "the inner call is cancelled when the time is over, or the call is cancelled",
        arguments: TimeLimit.allCases,
        [true, false]
    )
    func cancelsInside(_ limit: TimeLimit, isLate: Bool) async {
        let (begun, ended) = (Latch(), Latch())
        let connector = Connector.silent(begun: begun, ended: ended).wrapped(by: limit.wrapper(clock))
        let call = Task { await WebAPI.call(with: Fixture.input, via: connector) }
        await begun.wait()
        await clock.waitForSleepers(count: 1)
        if isLate { clock.advance(by: .seconds(10)) } else { call.cancel() }
        await ended.wait()
        #expect(await call.value == .noResponse(isLate ? limit.error() : .cancelled))
    }

    @Test(
        "cancelling ends the call at once, even if the inner call ignores cancellation",
        arguments: TimeLimit.allCases
    )
    func cancelling(_ limit: TimeLimit) async {
        let connector = Connector.stubborn(until: latch).wrapped(by: limit.wrapper(clock))
        let call = Task { await WebAPI.call(with: Fixture.input, via: connector) }
        await clock.waitForSleepers(count: 1)
        call.cancel()
        #expect(await call.value == .noResponse(.cancelled))
        await eventually { clock.sleeperCount == 0 }
        latch.open()
    }

    @Test("without time, no call is made", arguments: TimeLimit.allCases, [0, -1])
    func noTime(_ limit: TimeLimit, _ seconds: Int) async {
        let connector = Connector.stub(Self.ok, recording: sent).wrapped(by: limit.wrapper(clock, seconds))
        let output = await WebAPI.call(with: Fixture.input, via: connector)
        #expect(output.connectionError?.name == "timedOut")
        #expect(sent.elements == [])
    }

    @Test("head, end, cancellation and limit at the same moment end the call once", arguments: TimeLimit.allCases)
    func atOnce(_ limit: TimeLimit) async {
        // A continuation that is resumed twice crashes the process, and one that never is stops this test.
        for _ in 0..<(isExhaustive ? 2_000 : 200) {
            let (clock, head, payload) = (ManualClock(), Latch(), Latch())
            let connector = Connector.slow(head: head, payload: payload).wrapped(by: limit.wrapper(clock, 1))
            let task = Task { await WebAPI.call(with: Fixture.input, via: connector) }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { head.open() }
                group.addTask { payload.open() }
                group.addTask { task.cancel() }
                group.addTask { clock.advance(by: .seconds(2)) }
            }
            let output = await task.value
            #expect([nil, "cancelled", "timedOut"].contains(output.connectionError?.name))
        }
    }
}
