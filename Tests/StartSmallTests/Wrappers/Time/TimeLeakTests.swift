import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// The time limit of a call is no limit of the tasks that listeners and closures start during it.
struct TimeLeakTests {
    private let clock = ManualClock()
    private let made = Recorder<Task<Output, Never>>()
    private let gate = Latch()

    /// Starts a task that makes a call of its own, with a limit of its own, when the gate opens.
    private func start() {
        made.append(
            Task { [gate, clock] in
                await gate.wait()
                let own = Connector.stub(.hasResponse(Fixture.ok)).wrapped(by: .timeout(.seconds(60), clock: clock))
                return await WebAPI.call(with: Fixture.input, via: own)
            }
        )
    }

    /// Expects that the started task is not limited by the call that it was started in, whose time is over.
    private func expectUnlimited() async {
        clock.advance(by: .seconds(10))
        gate.open()
        #expect(made.elements.count == 1)
        for task in made.elements { #expect(await task.value == .hasResponse(Fixture.ok)) }
    }

    @Test("a task that a listener starts is not limited by the call it hears of")
    func listener() async {
        let listener = Listener { event, _ in
            if case .custom = event { start() }
        }
        let telling = Connector { _, report in
            report(.custom(name: "hello", detail: ""))
            return .hasResponse(Fixture.ok)
        }
        let limited = telling.wrapped(by: .listen(to: listener), .timeout(.seconds(1), clock: clock))
        _ = await WebAPI.call(with: Fixture.input, via: limited)
        await expectUnlimited()
    }

    @Test("a task that a wrapper's closure starts is not limited by the call around it")
    func closure() async {
        let starting = Wrapper { input, next in
            start()
            return await next(input)
        }
        let limited = Connector.stub(.hasResponse(Fixture.ok))
            .wrapped(by: .timeout(.seconds(1), clock: clock), starting)
        _ = await WebAPI.call(with: Fixture.input, via: limited)
        await expectUnlimited()
    }
}
