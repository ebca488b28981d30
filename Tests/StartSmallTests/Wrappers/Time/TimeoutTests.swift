import Foundation
import StartSmall
import StartSmallTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct TimeoutTests {
    private let clock = ManualClock()

    private static let ok = Output.hasResponse(Fixture.ok)
    private static let late = Output.noResponse(
        .timedOut(.init(domain: "StartSmall", code: 0, text: "timed out after 10.0 seconds"))
    )

    private func timeout(_ seconds: Int = 10) -> Wrapper { .timeout(.seconds(seconds), clock: clock) }

    // In time.

    @Test("an output in time is not changed, with or without a response", arguments: [ok, .noResponse(Fixture.lost)])
    func unchanged(_ output: Output) async {
        let sent = Recorder<Input>()
        let connector = Connector.stub(output, recording: sent).wrapped(by: timeout())
        #expect(await WebAPI.call(with: Fixture.input, via: connector) == output)
        #expect(sent.elements == [Fixture.input])
    }

    @Test("listeners receive the same events of a call in time as without a limit")
    func observed() async {
        let log = EventLog()
        let revealing = Connector { _, context in
            context.report(.custom(name: "inside", detail: ""))
            return Self.ok
        }
        let connector = revealing.wrapped(by: .listen(to: log.listener), timeout())
        _ = await WebAPI.call(with: Fixture.input, via: connector)
        #expect(log.names == ["started", "inside", "received", "succeeded", "ended"])
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

    @Test("an ended call leaves no sleeper, so that a test can wait for the next sleeper")
    func noSleeper() async {
        let (begun, latch) = (Latch(), Latch())
        let waiting = Connector { _ in
            begun.open()
            await latch.wait()
            return Self.ok
        }
        let connector = waiting.wrapped(by: timeout())
        async let output = WebAPI.call(with: Fixture.input, via: connector)
        await begun.wait()
        await clock.waitForSleepers(count: 1)
        latch.open()
        #expect(await output == Self.ok)
        #expect(clock.sleeperCount == 0)
    }

    // Late.

    @Test("a call that takes too long ends on time, even if the inner call ignores cancellation")
    func late() async {
        let latch = Latch()
        let connector = Connector.stubborn(until: latch).wrapped(by: timeout())
        async let output = WebAPI.call(with: Fixture.input, via: connector)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        #expect(await output == Self.late)
        latch.open()
    }

    @Test("the inner call is cancelled when the time is over")
    func cancelsInside() async {
        let ended = Latch()
        let connector = Connector.silent(ended: ended).wrapped(by: timeout())
        async let output = WebAPI.call(with: Fixture.input, via: connector)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        #expect(await output == Self.late)
        await ended.wait()
    }

    @Test("an abandoned call reports no further events")
    func silence() async {
        let (go, done, log) = (Latch(), Latch(), EventLog())
        let connector = Connector { _, context in
            await Task.detached { await go.wait() }.value
            context.report(.custom(name: "late", detail: ""))
            done.open()
            return Self.ok
        }
        async let output = WebAPI.call(
            with: Fixture.input,
            via: connector.wrapped(by: .listen(to: log.listener), timeout())
        )
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        #expect(await output == Self.late)
        go.open()
        await done.wait()
        #expect(log.names == ["started", "noResponse", "failed", "ended"])
    }

    @Test("without time, no call is made", arguments: [0, -1])
    func noTime(_ seconds: Int) async {
        let sent = Recorder<Input>()
        let connector = Connector.stub(Self.ok, recording: sent).wrapped(by: timeout(seconds))
        let output = await WebAPI.call(with: Fixture.input, via: connector)
        #expect(output.connectionError?.name == "timedOut")
        #expect(sent.elements == [])
    }

    // Cancellation.

    @Test("cancelling ends the call at once, even if the inner call ignores cancellation")
    func cancelling() async {
        let latch = Latch()
        let connector = Connector.stubborn(until: latch).wrapped(by: timeout())
        let task = Task { await WebAPI.call(with: Fixture.input, via: connector) }
        await clock.waitForSleepers(count: 1)
        task.cancel()
        #expect(await task.value == .noResponse(.cancelled))
        latch.open()
    }

    @Test("cancelling cancels the inner call at once")
    func cancellingInside() async {
        let (begun, ended) = (Latch(), Latch())
        let connector = Connector.silent(begun: begun, ended: ended).wrapped(by: timeout())
        let task = Task { await WebAPI.call(with: Fixture.input, via: connector) }
        await begun.wait()
        task.cancel()
        await ended.wait()
        #expect(await task.value == .noResponse(.cancelled))
    }

    @Test("answer, cancellation and timeout at the same moment end the call once", arguments: 0..<10)
    func timeoutRunner(_ round: Int) async {
        // A continuation that is resumed twice crashes the process, and one that never is stops this test.
        for _ in 0..<200 {
            let latch = Latch()
            let connector = Connector.stubborn(until: latch).wrapped(by: timeout(1))
            let task = Task { await WebAPI.call(with: Fixture.input, via: connector) }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { latch.open() }
                group.addTask { task.cancel() }
                group.addTask { clock.advance(by: .seconds(2)) }
            }
            let output = await task.value
            #expect([nil, "cancelled", "timedOut"].contains(output.connectionError?.name))
        }
    }

    // Nested limits.

    @Test("of two limits, the smaller counts, in any order", arguments: [[10, 20], [20, 10]])
    func nested(_ seconds: [Int]) async {
        let latch = Latch()
        let connector = Connector.stubborn(until: latch).wrapped(by: timeout(seconds[0]), timeout(seconds[1]))
        async let output = WebAPI.call(with: Fixture.input, via: connector)
        await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(10))
        #expect(await output == Self.late)
        latch.open()
    }

    @Test("an inner limit is at most the remaining time of the outer one")
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
        #expect(clock.remaining == [.seconds(3), .seconds(3)])
        clock.advance(by: .seconds(3))
        #expect(await output.connectionError?.cause?.text == "timed out after 10.0 seconds")
    }

    @Test("an inner limit that ends with the outer one names the outer one")
    func namesOuter() async {
        let waiting = Wrapper { [clock] input, next in
            try? await clock.sleep(for: .milliseconds(45))
            return await next(input)
        }
        let outer = Wrapper { input, next in
            let output = await next(input)
            // Both limits end at once: the outer one may cancel the inner call first.
            #expect(["timed out after 0.5 seconds", nil].contains(output.connectionError?.cause?.text))
            return output
        }
        let (begun, limit) = (Latch(), Wrapper.timeout(.milliseconds(500), clock: clock))
        let connector = Connector.silent(begun: begun).wrapped(by: limit, outer, waiting, timeout(10))
        async let output = WebAPI.call(with: Fixture.input, via: connector)
        await clock.waitForSleepers(count: 2)
        clock.advance(by: .milliseconds(45))
        await begun.wait()
        await clock.waitForSleepers(count: 2)
        clock.advance(by: .milliseconds(455))
        #expect(await output.connectionError?.cause?.text == "timed out after 0.5 seconds")
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

    // Order.

    /// Returns the output of a call whose three attempts take four seconds each, and only the third is answered.
    private func output(of wrappers: [Wrapper], steps: Int) async -> Output {
        let sent = Recorder<Input>()
        let slow = Connector { [clock] input in
            sent.append(input)
            try? await clock.sleep(for: .seconds(4))
            return sent.elements.count < 3 ? .noResponse(Fixture.lost) : Self.ok
        }
        async let output = WebAPI.call(with: Fixture.input, via: slow.wrapped(by: wrappers))
        for _ in 0..<steps {
            await clock.waitForSleepers(count: 2)
            clock.advance(by: clock.remaining[0])
        }
        return await output
    }

    @Test("outside of a retry, a limit is for all attempts together")
    func outside() async {
        let output = await output(of: [timeout(9), .retry(clock: clock, random: { 0 })], steps: 3)
        #expect(output.connectionError?.name == "timedOut")
        #expect(clock.now.offset == .seconds(9))
    }

    @Test("inside of a retry, a limit is for each attempt")
    func inside() async {
        let output = await output(of: [.retry(clock: clock, random: { 0 }), timeout(9)], steps: 3)
        #expect(output == Self.ok)
        #expect(clock.now.offset == .seconds(12))
    }

    @Test("an attempt that took too long is followed by another")
    func nextTry() async {
        let (latch, sent) = (Latch(), Recorder<Input>())
        let connector = Connector { input in
            sent.append(input)
            if sent.elements.count == 1 { await Task.detached { await latch.wait() }.value }
            return Self.ok
        }
        let retrying = connector.wrapped(by: .retry(clock: clock, random: { 0 }), timeout())
        async let output = WebAPI.call(with: Fixture.input, via: retrying)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        #expect(await output == Self.ok)
        #expect(sent.elements.count == 2)
        latch.open()
    }

    // Payloads with other deliveries, and the wire.

    @Test("late parts of an abandoned attempt are not written to the file of the next one")
    func lateParts() async throws {
        let (written, go, done) = (Latch(), Latch(), Latch())
        let sent = Recorder<Input>()
        let connector = Connector { input in
            sent.append(input)
            let head = Response(statusCode: .ok)
            if sent.elements.count > 1 {
                go.open()
                await done.wait()
                return .open(head, ["abcdef".utf8])
            }
            return Output.open(head, ["ab".utf8, "late".utf8]).mapBody { body in
                body.around { inner async throws(ConnectionError) -> Data? in
                    let chunk = try await inner.next()
                    if chunk == Data("late".utf8) {
                        written.open()
                        await Task.detached { await go.wait() }.value
                        done.open()
                    }
                    return chunk
                }
            }
        }
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent("f")
            let retrying = connector.wrapped(by: .retry(clock: clock, random: { 0 }), timeout())
            async let fetched = Endpoint.download(.get("https://a.example/f"), to: file).fetch(via: retrying)
            await written.wait()
            clock.advance(by: .seconds(10))
            #expect(await fetched.right != nil)
            #expect(try Data(contentsOf: file) == Data("abcdef".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["f"])
        }
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
}
