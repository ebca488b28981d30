import Foundation
import StartSmall
import StartSmallTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct TimeoutUntilHeadTests {
    private let clock = ManualClock()

    private static let ok = Output.hasResponse(Fixture.ok)
    private static let late = Output.noResponse(
        .timedOut(.init(domain: "StartSmall", code: 5, text: "no response head within 10.0 seconds"))
    )

    private func timeout(_ seconds: Int = 10) -> Wrapper { .timeout(untilHead: .seconds(seconds), clock: clock) }

    /// Returns a connector whose head arrives when a latch opens, and whose payload when another one does.
    private func slow(head: Latch? = nil, reading: Latch = Latch(), payload: Latch) -> Connector {
        Connector { _ in
            await head?.wait()
            var response = Fixture.ok
            let body = ResponseBody(
                pulling: { () async throws(ConnectionError) -> Data? in
                    reading.open()
                    await payload.wait()
                    return nil
                },
                abort: payload.open
            )
            response.content = .body(body)
            return .hasResponse(response)
        }
    }

    @Test("an output in time is not changed, with or without a response", arguments: [ok, .noResponse(Fixture.lost)])
    func unchanged(_ output: Output) async {
        let sent = Recorder<Input>()
        let connector = Connector.stub(output, recording: sent).wrapped(by: timeout())
        #expect(await WebAPI.call(with: Fixture.input, via: connector) == output)
        #expect(sent.elements == [Fixture.input.with { $0.delivery = .stream }])
        #expect(clock.sleeperCount == 0)
    }

    @Test("a call without a head in time ends on time, even if the inner call ignores cancellation")
    func late() async {
        let latch = Latch()
        let connector = Connector.stubborn(until: latch).wrapped(by: timeout())
        async let output = WebAPI.call(with: Fixture.input, via: connector)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        #expect(await output == Self.late)
        #expect(clock.sleeperCount == 0)
        latch.open()
    }

    @Test(
        "from the head on, no timer is left, and the payload may take any time",
        arguments: [HTTPStatus.ok, .noContent, .notFound, .found],
        [Delivery.memory, .stream]
    )
    func head(status: HTTPStatus, delivery: Delivery) async {
        let (head, reading, payload) = (Latch(), Latch(), Latch())
        let connector = slow(head: head, reading: reading, payload: payload)
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

    @Test("each request of a redirect has its own limit")
    func redirected() async {
        let (latch, sent) = (Latch(), Recorder<Input>())
        let connector = Connector { [clock] input in
            sent.append(input)
            if sent.elements.count == 1 {
                try? await clock.sleep(for: .seconds(9))
                return .status(.found, headers: ["Location": "/next"])
            }
            await latch.wait()
            return .noResponse(.cancelled)
        }
        async let output = WebAPI.call(with: Fixture.input, via: connector.wrapped(by: timeout(), .redirect()))
        await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(9))
        await eventually { sent.elements.count == 2 }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(9))
        #expect(clock.remaining == [.seconds(1)])
        clock.advance(by: .seconds(1))
        #expect(await output == Self.late)
    }

    @Test("of two limits the smaller counts, in any order", arguments: [[10, 20], [20, 10]])
    func nested(_ seconds: [Int]) async {
        let latch = Latch()
        let connector = Connector.stubborn(until: latch).wrapped(by: timeout(seconds[0]), timeout(seconds[1]))
        async let output = WebAPI.call(with: Fixture.input, via: connector)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        #expect(await output == Self.late)
        latch.open()
    }

    @Test("a limit of the whole call continues after the head")
    func withWhole() async {
        let (reading, payload) = (Latch(), Latch())
        let whole = Wrapper.timeout(.seconds(30), clock: clock)
        let connector = slow(reading: reading, payload: payload).wrapped(by: whole, timeout())
        async let output = WebAPI.call(with: Fixture.input, via: connector)
        await reading.wait()
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(30))
        #expect(await output.connectionError?.cause?.text == "timed out after 30.0 seconds")
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

    @Test("without time, no call is made", arguments: [0, -1])
    func noTime(_ seconds: Int) async {
        let sent = Recorder<Input>()
        let connector = Connector.stub(Self.ok, recording: sent).wrapped(by: timeout(seconds))
        let output = await WebAPI.call(with: Fixture.input, via: connector)
        #expect(output.connectionError?.name == "timedOut")
        #expect(sent.elements == [])
    }

    @Test("cancelling ends the call at once, before the head and after it", arguments: [true, false])
    func cancelling(hasHead: Bool) async {
        let (latch, reading) = (Latch(), Latch())
        let connector = hasHead ? slow(reading: reading, payload: latch) : .stubborn(until: latch)
        let task = Task { await WebAPI.call(with: Fixture.input, via: connector.wrapped(by: timeout())) }
        if hasHead { await reading.wait() } else { await clock.waitForSleepers(count: 1) }
        task.cancel()
        #expect(await task.value == .noResponse(.cancelled))
        await eventually { clock.sleeperCount == 0 }
        latch.open()
    }

    @Test("head, end, cancellation and timeout at the same moment end the call once", arguments: 0..<10)
    func timeoutRunner(_ round: Int) async {
        for _ in 0..<100 {
            let (head, payload) = (Latch(), Latch())
            let limited = slow(head: head, payload: payload).wrapped(by: timeout(1))
            let task = Task { await WebAPI.call(with: Fixture.input, via: limited) }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { head.open() }
                group.addTask { payload.open() }
                group.addTask { task.cancel() }
                group.addTask { clock.advance(by: .seconds(2)) }
            }
            let output = await task.value
            #expect([nil, "cancelled", "timedOut"].contains(output.connectionError?.name))
        }
        await eventually { clock.sleeperCount == 0 }
    }
}

extension Output {
    fileprivate func changingStatus(to status: HTTPStatus) -> Output {
        guard case .hasResponse(var response) = self else { return self }
        response.statusCode = status
        return .hasResponse(response)
    }
}
