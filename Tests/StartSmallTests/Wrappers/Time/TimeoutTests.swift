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

    // Nested limits.

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
        let retrying = connector.wrapped(by: .retry(clock: clock, random: { 0 }), timeout())
        async let download = Download(via: retrying)
        await written.wait()
        clock.advance(by: .seconds(10))
        #expect(try await download.text == "abcdef")
        #expect(try await download.isAlone)
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
