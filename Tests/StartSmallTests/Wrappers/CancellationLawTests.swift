import Foundation
import StartSmall
import StartSmallAuth
import StartSmallDownloads
import StartSmallResilience
import StartSmallStreams
import StartSmallTesting
import TestSupport
import Testing

/// The law that nothing is sent after cancellation, for wrappers and sequences that wait or send several requests.
@Suite(.timeLimit(.minutes(2))) struct CancellationLawTests {
    private static let wrappers: [@Sendable () -> Wrapper] = [
        { .redirect() }, { refreshing(AccessToken("a")) }, { .retry(random: { 0 }) },
        { refreshing(AccessToken("a", expires: .distantPast)) }, { .shareInFlight() }, { .timeout(.seconds(600)) },
        { .timeout(untilHead: .seconds(600)) }, { .deadline(ContinuousClock.now + .seconds(600)) },
        { .limitConcurrency(1) }, { .tracked(in: CallGroup()) }, { .resumeDownloads() },
        {
            Wrapper { input, next in
                let output = await next(input)
                return output.response?.statusCode.isSuccess == true ? output : await next(input)
            }
        },
    ]

    private static func refreshing(_ token: AccessToken) -> Wrapper {
        .refreshToken(in: .memory(token)) { old, _ in
            Fetched<TransformError<Never>, AccessToken>.right(AccessToken(old.value + "a"))
        }
    }

    @Test(
        "nothing is sent after cancellation, for each combination of two wrappers",
        .exhaustive,
        arguments: wrappers.indices
    )
    func pairs(_ outer: Int) async {
        for inner in Self.wrappers.indices {
            let laws = WrapperLaws(unchanged: [], changing: Set(WrapperLaws.Part.allCases), atMostCalls: .max) {
                Wrapper(wrapping: { $0.wrapped(by: Self.wrappers[outer](), Self.wrappers[inner]()) })
            }
            let violations = await laws.violations().filter { $0.law.contains("nothing is sent") }
            #expect(violations == [], "\(inner) in \(outer)")
        }
    }

    @Test(
        "nothing is sent after a group or a time limit ends a call, even if the wrapper inside would send again",
        arguments: [true, false]
    )
    func endedOutside(byGroup: Bool) async {
        let (group, clock, sent, ended) = (CallGroup(), ManualClock(), Recorder<Void>(), Latch())
        let server = Connector { _ in
            sent.append(())
            if byGroup { group.cancelAll() } else { clock.advance(by: .seconds(1)) }
            // Waits until the call has ended outside.
            for _ in 0..<1_000 { await Task.yield() }
            return .status(.found, headers: ["Location": "/next"])
        }
        // Hides the cancellation, like a connector that ignores cancellation.
        let hiding = Wrapper { input, next in
            let output = await Task { await next(input) }.value
            ended.open()
            return output
        }
        let limit: Wrapper = byGroup ? .tracked(in: group) : .timeout(.seconds(1), clock: clock)
        let output = await WebAPI.call(with: Fixture.input, via: server.wrapped(by: limit, hiding, .redirect()))
        await ended.wait()
        #expect(output.connectionError?.name == (byGroup ? "cancelled" : "timedOut"))
        #expect(sent.elements.count == 1)
    }

    @Test(
        "a wrapper may send a request after its output, to update its state for later calls",
        arguments: [true, false]
    )
    func laterRequest(_ isTimed: Bool) async {
        let (sent, ended) = (Recorder<Void>(), Latch())
        let server = Connector { _ in
            sent.append(())
            return .hasResponse(Fixture.ok)
        }
        let called = Latch()
        let updating = Wrapper { input, next in
            Task {
                await called.wait()
                _ = await next(input)
                ended.open()
            }
            return .hasResponse(Fixture.ok)
        }
        let limit: Wrapper = isTimed ? .timeout(.seconds(600)) : .tracked(in: CallGroup())
        _ = await WebAPI.call(with: Fixture.input, via: server.wrapped(by: limit, updating))
        called.open()
        await ended.wait()
        #expect(sent.elements.count == 1)
    }

    // Sequences.

    /// Returns the number of requests that are sent by an iterating task that is cancelled while the request of this
    /// number is answered.
    private func sent(
        cancelledAt number: Int,
        answering output: @escaping @Sendable (_ number: Int) -> Output,
        _ iterate: @escaping @Sendable (Connector) async -> Void
    ) async -> Int {
        let (tasks, ready, sent) = (Recorder<Task<Void, Never>>(), Latch(), Recorder<Void>())
        let server = Connector { _ in
            sent.append(())
            if sent.elements.count == number { for task in tasks.elements { task.cancel() } }
            return output(sent.elements.count)
        }
        let task = Task {
            await ready.wait()
            await iterate(server)
        }
        tasks.append(task)
        ready.open()
        await task.value
        for _ in 0..<20 { await Task.yield() }
        return sent.elements.count
    }

    @Test("pages, their items, polling and server-sent events send nothing after cancellation", arguments: [1, 3])
    func sequences(_ number: Int) async {
        let page = { @Sendable (number: Int) in Output.json("[1]", headers: ["Link": "</\(number)>; rel=next"]) }
        let list = Endpoint.json([Int].self, .right(Fixture.input))
        let pages = await sent(cancelledAt: number, answering: page) { connector in
            for await _ in list.pages(by: .link(), limit: 10_000).stream(via: connector) {}
        }
        #expect(pages == number)
        let items = await sent(cancelledAt: number, answering: page) { connector in
            for await _ in list.pages(by: .link(), limit: 10_000).items(via: connector) {}
        }
        #expect(items == number)
        let polls = await sent(cancelledAt: number, answering: { _ in .text("a") }) { connector in
            for await _ in Polling(Fixture.endpoint, every: .zero, via: connector) {}
        }
        #expect(polls == number)
        let stream = Output.text("data: a\n\n", headers: ["Content-Type": "text/event-stream"])
        let events = await sent(cancelledAt: number, answering: { _ in stream }) { connector in
            let now = RetryPolicy(backoff: Backoff { _ in .zero })
            let input = Either<ConnectionError, Input>.right(Fixture.input)
            for await _ in Endpoint.events(input).reconnecting(now, after: .zero).stream(via: connector) {}
        }
        #expect(events == number)
    }

    // The start of a stream.

    @Test("a stream that is iterated in a cancelled task sends nothing, not even a POST")
    func cancelledTask() async {
        let sent = Recorder<Input>()
        let input = Input(url: Fixture.url, methodAndPayload: .post(payload: nil))
        let lines = Endpoint.lines(.right(input)).stream(via: .stub(.text("a"), recording: sent))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var iterator = lines.makeAsyncIterator()
            for _ in 0..<100 { await Task.yield() }
            let first = await iterator.next()
            let second = await iterator.next()
            return first == .left(.left(.cancelled)) && second == nil
        }
        #expect(await task.value)
        for _ in 0..<50 { await Task.yield() }
        #expect(sent.elements.isEmpty)
    }
}

/// A law of the wrappers that run the inner call in its own task.
@Suite(.timeLimit(.minutes(1))) struct AbandonedCallTests {
    static let wrappers: [(String, Wrapper)] = [
        ("timeout", .timeout(.seconds(3600))), ("timeout until the head", .timeout(untilHead: .seconds(3600))),
        ("deadline", .deadline(.now + .seconds(3600))), ("tracked", .tracked(in: CallGroup())),
    ]

    private static let abandoning = wrappers + [("shareInFlight", .shareInFlight())]

    @Test("an inner call is cancelled, though its task was cancelled before it suspended", arguments: abandoning)
    func cancelled(_ name: String, _ wrapper: Wrapper) async {
        let (outer, ready, ended) = (Recorder<Task<Output, Never>>(), Latch(), Latch())
        let connector = Connector { _ in
            outer.elements.first?.cancel()
            await Latch().wait()
            ended.open()
            return .noResponse(.cancelled)
        }
        let task = Task {
            await ready.wait()
            return await WebAPI.call(with: Fixture.input, via: connector.wrapped(by: wrapper))
        }
        outer.append(task)
        ready.open()
        #expect(await task.value == .noResponse(.cancelled))
        await ended.wait()
    }

    @Test("an inner call is cancelled, though its group was cancelled before it suspended")
    func cancelledGroup() async {
        let (group, ended) = (CallGroup(), Latch())
        let connector = Connector { _ in
            group.cancelAll()
            await Latch().wait()
            ended.open()
            return .noResponse(.cancelled)
        }
        let output = await WebAPI.call(with: Fixture.input, via: connector.wrapped(by: .tracked(in: group)))
        #expect(output == .noResponse(.cancelled))
        await ended.wait()
    }

    @Test("a cancelled call ends at once, even if the inner call ignores cancellation", arguments: abandoning)
    func stubborn(_ name: String, _ wrapper: Wrapper) async {
        let (begun, answer) = (Latch(), Latch())
        let stubborn = Connector.stubborn(begun: begun, until: answer)
        let call = Task { await WebAPI.call(with: Fixture.input, via: stubborn.wrapped(by: wrapper)) }
        await begun.wait()
        call.cancel()
        #expect(await call.value == .noResponse(.cancelled))
        answer.open()
    }

    @Test("an output that comes too late is discarded, whoever keeps it", arguments: wrappers)
    func lateBody(_ name: String, _ wrapper: Wrapper) async {
        let (server, begun, answer) = (OpenServer(kept: Recorder()), Latch(), Latch())
        let late = Connector { _ in
            begun.open()
            await Task.detached { await answer.wait() }.value
            return server.output
        }
        let call = Task { await WebAPI.call(with: OpenServer.input, via: late.wrapped(by: wrapper)) }
        await begun.wait()
        call.cancel()
        #expect(await call.value == .noResponse(.cancelled))
        answer.open()
        await server.ended.wait()
        #expect(server.ends.elements == [.discarded])
    }
}
