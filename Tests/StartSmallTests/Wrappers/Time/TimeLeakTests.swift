import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// The independence of a call's time limit from tasks that listeners and closures start during the call.
struct TimeLeakTests {
    private let clock = ManualClock()
    private let made = Recorder<Task<Output, Never>>()
    private let latch = Latch()

    /// Starts a task that makes its own call, with its own limit, when the latch opens.
    private func start() {
        made.append(
            Task { [latch, clock] in
                await latch.wait()
                let own = Connector.stub(.hasResponse(Fixture.ok)).wrapped(by: .timeout(.seconds(60), clock: clock))
                return await WebAPI.call(with: Fixture.input, via: own)
            }
        )
    }

    /// Expects that the started task is not limited by the call in which it was started, whose time is over.
    private func expectUnlimited() async {
        clock.advance(by: .seconds(10))
        latch.open()
        #expect(made.elements.count == 1)
        for task in made.elements { #expect(await task.value == .hasResponse(Fixture.ok)) }
    }

    @Test("a task that a listener starts is not limited by the observed call")
    func listener() async {
        let listener = Listener { event, _ in
            if case .custom = event { start() }
        }
        let reporting = Connector { _, context in
            context.report(.custom(name: "hello", detail: ""))
            return .hasResponse(Fixture.ok)
        }
        let limited = reporting.wrapped(by: .listen(to: listener), .timeout(.seconds(1), clock: clock))
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
