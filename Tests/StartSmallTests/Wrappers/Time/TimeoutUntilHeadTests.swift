import Foundation
import StartSmall
import StartSmallTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct TimeoutUntilHeadTests {
    private let clock = ManualClock()

    private static let ok = Output.hasResponse(Fixture.ok)
    private static let late = Output.noResponse(
        .timedOut(.init(domain: "StartSmall", code: 5, text: "no head of a response within 10.0 seconds"))
    )

    private func timeout(_ seconds: Int = 10) -> Wrapper { .timeout(untilHead: .seconds(seconds), clock: clock) }

    /// A connector that tells its head, and answers when the gate opens.
    private func slow(told: Latch = Latch(), until gate: Latch, asWhole: Bool = true) -> Connector {
        Connector { input, report in
            if asWhole { report.received(head: Response(statusCode: .ok)) }
            if !asWhole, let consumer = input.destination.consumer { _ = await consumer.receive(.head(Fixture.ok)) }
            told.open()
            await gate.wait()
            return Task.isCancelled ? .noResponse(.cancelled) : Self.ok
        }
    }

    @Test("an output in time is not touched, whatever it is", arguments: [ok, .noResponse(Fixture.lost)])
    func unchanged(_ output: Output) async {
        let sent = Recorder<Input>()
        let connector = Connector.stub(output, recording: sent).wrapped(by: timeout())
        #expect(await WebAPI.call(with: Fixture.input, via: connector) == output)
        #expect(sent.elements == [Fixture.input])
        #expect(clock.sleeperCount == 0)
    }

    @Test("listeners hear of the head of a stream once, and each part is delivered once")
    func streamed() async {
        let (log, parts) = (EventLog(), Recorder<PayloadConsumer.Part>())
        let input = Input(url: Fixture.url, destination: .consumer(PayloadConsumer { parts.append($0) }))
        for stub in [Connector.stub(parts: ["he", "llo"]), .stub(.hasResponse(Fixture.ok))] {
            let connector = stub.wrapped(by: .listen(to: log.listener), timeout())
            #expect(await WebAPI.call(with: input, via: connector).response?.statusCode == .ok)
        }
        #expect(log.names.filter { $0 == "receivedHead" }.count == 2)
        let chunks = parts.elements.compactMap { part in
            if case .chunk(let bytes) = part { String(decoding: bytes, as: UTF8.self) } else { nil }
        }
        #expect(chunks == ["he", "llo", "hello"])
    }

    @Test("a call without a head in time ends on time, even if what is inside ignores that it is cancelled")
    func late() async {
        let gate = Latch()
        let connector = Connector.stubborn(until: gate).wrapped(by: timeout())
        async let output = WebAPI.call(with: Fixture.input, via: connector)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        #expect(await output == Self.late)
        #expect(clock.sleeperCount == 0)
        gate.open()
    }

    @Test("from the head on, nobody waits any more, and the payload takes its time", arguments: [true, false])
    func head(asWhole: Bool) async {
        let (told, gate) = (Latch(), Latch())
        let connector = slow(told: told, until: gate, asWhole: asWhole).wrapped(by: timeout())
        let destination = asWhole ? Destination.memory : .consumer(PayloadConsumer { _ in })
        async let output =
            WebAPI.call(with: Input(url: Fixture.url, destination: destination), via: connector)
        await told.wait()
        // Whoever set an alarm after the head has turned it off by then.
        await eventually { clock.sleeperCount == 0 }
        clock.advance(by: .seconds(1_000))
        gate.open()
        #expect(await output.response?.statusCode == .ok)
    }

    @Test("a head after the end of the time changes nothing, and no wrapper around hears of it")
    func headTooLate() async {
        let (gate, done, heads) = (Latch(), Latch(), Recorder<Response>())
        let connector = Connector { _, report in
            await Task.detached { await gate.wait() }.value
            report.received(head: Fixture.ok)
            done.open()
            return Self.ok
        }
        let hearing = Wrapper { input, next in await next(input) { heads.append($0) } }
        async let output = WebAPI.call(with: Fixture.input, via: connector.wrapped(by: hearing, timeout()))
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        #expect(await output == Self.late)
        gate.open()
        await done.wait()
        #expect(heads.elements.isEmpty)
    }

    @Test("each attempt has a limit of its own, whether the retries are outside or inside", arguments: [true, false])
    func attempts(isInside: Bool) async {
        let (clock, sent, gate) = (clock, Recorder<Input>(), Latch())
        let connector = Connector { input in
            sent.append(input)
            if sent.elements.count == 3 { return Self.ok }
            // As late as it may be, and then too late.
            if sent.elements.count == 1 {
                try? await clock.sleep(for: .seconds(9))
                return .noResponse(Fixture.lost)
            }
            await Task.detached { await gate.wait() }.value
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
        gate.open()
    }

    @Test("each request of a redirect has a limit of its own")
    func redirected() async {
        let (gate, sent) = (Latch(), Recorder<Input>())
        let connector = Connector { [clock] input in
            sent.append(input)
            if sent.elements.count == 1 {
                try? await clock.sleep(for: .seconds(9))
                return .status(.found, headers: ["Location": "/next"])
            }
            await gate.wait()
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

    @Test("of two limits the smaller counts, wherever it stands", arguments: [[10, 20], [20, 10]])
    func nested(_ seconds: [Int]) async {
        let gate = Latch()
        let connector = Connector.stubborn(until: gate).wrapped(by: timeout(seconds[0]), timeout(seconds[1]))
        async let output = WebAPI.call(with: Fixture.input, via: connector)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        #expect(await output == Self.late)
        gate.open()
    }

    @Test("a limit of the whole call goes on after the head")
    func withWhole() async {
        let (told, gate) = (Latch(), Latch())
        let whole = Wrapper.timeout(.seconds(30), clock: clock)
        let connector = slow(told: told, until: gate).wrapped(by: whole, timeout())
        async let output = WebAPI.call(with: Fixture.input, via: connector)
        await told.wait()
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(30))
        #expect(await output.connectionError?.cause?.text == "not over within 30.0 seconds")
    }

    @Test("an engine knows that its request is limited until the head, and others that theirs are not")
    func known() async {
        let known = Recorder<[Bool]>()
        let connector = Connector { _, report in
            known.append([report.isLimitedUntilHead, report.wantsHead])
            return Self.ok
        }
        _ = await WebAPI.call(with: Fixture.input, via: connector)
        _ = await WebAPI.call(with: Fixture.input, via: connector.wrapped(by: timeout()))
        _ = await WebAPI.call(with: Fixture.input, via: connector.wrapped(by: .timeout(.seconds(10), clock: clock)))
        #expect(known.elements == [[false, false], [true, true], [false, false]])
    }

    @Test("without time, nothing is called", arguments: [0, -1])
    func noTime(_ seconds: Int) async {
        let sent = Recorder<Input>()
        let connector = Connector.stub(Self.ok, recording: sent).wrapped(by: timeout(seconds))
        let output = await WebAPI.call(with: Fixture.input, via: connector)
        #expect(output.connectionError?.name == "timedOut")
        #expect(sent.elements == [])
    }

    @Test("cancelling ends the call at once, before the head and after it", arguments: [true, false])
    func cancelling(hasHead: Bool) async {
        let (gate, told) = (Latch(), Latch())
        let connector = hasHead ? slow(told: told, until: gate) : .stubborn(until: gate)
        let task = Task { await WebAPI.call(with: Fixture.input, via: connector.wrapped(by: timeout())) }
        if hasHead { await told.wait() } else { await clock.waitForSleepers(count: 1) }
        task.cancel()
        #expect(await task.value == .noResponse(.cancelled))
        await eventually { clock.sleeperCount == 0 }
        gate.open()
    }

    @Test("head, end, cancelling and the end of the time at once end the call once", arguments: 0..<10)
    func race(_ round: Int) async {
        for _ in 0..<100 {
            let (gate, headGate) = (Latch(), Latch())
            let connector = Connector { _, report in
                await Task.detached { await headGate.wait() }.value
                report.received(head: Fixture.ok)
                await Task.detached { await gate.wait() }.value
                return Self.ok
            }
            let limited = connector.wrapped(by: timeout(1))
            let task = Task { await WebAPI.call(with: Fixture.input, via: limited) }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { headGate.open() }
                group.addTask { gate.open() }
                group.addTask { task.cancel() }
                group.addTask { clock.advance(by: .seconds(2)) }
            }
            let output = await task.value
            #expect([nil, "cancelled", "timedOut"].contains(output.connectionError?.name))
        }
        await eventually { clock.sleeperCount == 0 }
    }
}
