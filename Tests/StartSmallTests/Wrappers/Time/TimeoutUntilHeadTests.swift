import Foundation
import StartSmall
import StartSmallTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct TimeoutUntilHeadTests {
    private let clock = ManualClock()

    private static let ok = Output.hasResponse(Fixture.ok)
    private static let late = Output.noResponse(TimeLimit.untilHead.error())

    private func timeout(_ seconds: Int = 10) -> Wrapper { .timeout(untilHead: .seconds(seconds), clock: clock) }

    @Test(
        "from the head on, no timer is left, and the payload may take any time",
        arguments: [HTTPStatus.ok, .noContent, .notFound, .found],
        [Delivery.memory, .stream]
    )
    func head(status: HTTPStatus, delivery: Delivery) async {
        let (head, reading, payload) = (Latch(), Latch(), Latch())
        let connector = Connector.slow(head: head, reading: reading, payload: payload)
            .wrapped(by: timeout(), .streaming { input, next in await next(input).changingStatus(to: status) })
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

    @Test("a response after the time limit changes nothing, and its body ends at once")
    func headTooLate() async {
        let (head, done, ends) = (Latch(), Latch(), Recorder<ResponseBody.End>())
        let connector = Connector { _ in
            await Task.detached { await head.wait() }.value
            return Output.open(Response(statusCode: .ok), ["hello".utf8], silent: true).onEnd { end in
                ends.append(end)
                done.open()
            }
        }
        async let output = WebAPI.call(with: Fixture.input, via: connector.wrapped(by: timeout()))
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        #expect(await output == Self.late)
        head.open()
        await done.wait()
        #expect(ends.elements == [.discarded])
    }

    @Test("each attempt has its own limit, with retries outside or inside", arguments: [true, false])
    func attempts(isInside: Bool) async {
        let (clock, sent, latch) = (clock, Recorder<Input>(), Latch())
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
        let retrying = connector.wrapped(by: isInside ? [retry, timeout()] : [timeout(), retry])
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
        _ = await WebAPI.call(with: Fixture.input, via: connector.wrapped(by: timeout()))
        _ = await WebAPI.call(with: Fixture.input, via: connector.wrapped(by: .timeout(.seconds(10), clock: clock)))
        #expect(known.elements == [false, true, false])
    }
}

extension Output {
    fileprivate func changingStatus(to status: HTTPStatus) -> Output {
        guard case .hasResponse(var response) = self else { return self }
        response.statusCode = status
        return .hasResponse(response)
    }
}
