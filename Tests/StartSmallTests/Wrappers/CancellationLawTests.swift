import Foundation
import ParityTrait
import StartSmall
import StartSmallTesting
import Synchronization
import Testing

/// The law that nothing is sent after cancellation, for wrappers and sequences that wait or send several requests.
struct CancellationLawTests {
    private struct Subject: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable () -> Wrapper

        init(_ name: String, _ make: @escaping @Sendable () -> Wrapper) {
            (testDescription, self.make) = (name, make)
        }

        static let all = [
            Subject("redirect") { .redirect() },
            Subject("refreshToken") { refreshing(AccessToken("a")) },
            Subject("refreshToken before the first request") { refreshing(AccessToken("a", expires: .distantPast)) },
            Subject("retry") { .retry(random: { 0 }) },
            Subject("shareInFlight") { .shareInFlight() },
            Subject("timeout") { .timeout(.seconds(600)) },
            Subject("timeout until the head") { .timeout(untilHead: .seconds(600)) },
            Subject("deadline") { .deadline(ContinuousClock.now + .seconds(600)) },
            Subject("limitConcurrency") { .limitConcurrency(1) },
            Subject("tracked") { .tracked(in: CallGroup()) },
            Subject("resumeDownloads") { .resumeDownloads() },
            Subject("fallback") {
                Wrapper { input, next in
                    let output = await next(input)
                    return output.response?.statusCode.isSuccess == true ? output : await next(input)
                }
            },
        ]

        private static func refreshing(_ token: AccessToken) -> Wrapper {
            let stored = Mutex(token)
            let store = TokenStore(load: { stored.withLock { $0 } }, save: { new in stored.withLock { $0 = new } })
            return .refreshToken(in: store) { old, _ in
                Fetched<TransformError<Never>, AccessToken>.right(AccessToken(old.value + "a"))
            }
        }
    }

    @Test(
        "nothing is sent after cancellation, for each combination of two wrappers",
        .exhaustive,
        arguments: Subject.all
    )
    private func pairs(outer: Subject) async {
        for inner in Subject.all {
            let laws = WrapperLaws(unchanged: [], changing: Set(WrapperLaws.Part.allCases), atMostCalls: .max) {
                Wrapper(wrapping: { $0.wrapped(by: outer.make(), inner.make()) })
            }
            let violations = await laws.violations().filter { $0.law.contains("nothing is sent") }
            #expect(violations == [], "\(outer.testDescription) around \(inner.testDescription)")
        }
    }

    @Test("nothing is sent after a group cancels its calls, even if the wrapper inside would send again")
    func cancelledByGroup() async {
        let (group, sent) = (CallGroup(), Recorder<Void>())
        let server = Connector { _ in
            sent.append(())
            group.cancelAll()
            return .status(.found, headers: ["Location": "/next"])
        }
        let ended = Latch()
        let ending = Wrapper { input, next in
            let output = await next(input)
            ended.open()
            return output
        }
        let output = await WebAPI.call(
            with: Fixture.input,
            via: server.wrapped(by: .tracked(in: group), ending, .redirect())
        )
        await ended.wait()
        #expect(output == .noResponse(.cancelled))
        #expect(sent.elements.count == 1)
    }

    @Test("nothing is sent after a time limit, even if the wrapper inside would send again")
    func afterTimeLimit() async {
        let (clock, sent, ended) = (ManualClock(), Recorder<Void>(), Latch())
        let server = Connector { _ in
            sent.append(())
            clock.advance(by: .seconds(1))
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
        let limited = server.wrapped(by: .timeout(.seconds(1), clock: clock), hiding, .redirect())
        let output = await WebAPI.call(with: Fixture.input, via: limited)
        await ended.wait()
        #expect(output.connectionError?.name == "timedOut")
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
            for await _ in list.pages(by: .link(), limit: 10_000, via: connector) {}
        }
        #expect(pages == number)
        let items = await sent(cancelledAt: number, answering: page) { connector in
            for await _ in list.pages(by: .link(), limit: 10_000, via: connector).items {}
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
            for await _ in ServerSentEvents<Never>(input, after: .zero, reconnecting: now).stream(via: connector) {}
        }
        #expect(events == number)
    }

    @Test("a stream sends nothing after cancellation, even if a wrapper would send again")
    func stream() async {
        let moved = Output.status(.found, headers: ["Location": "/next"])
        let count = await sent(cancelledAt: 1, answering: { _ in moved }) { connector in
            let input = Either<ConnectionError, Input>.right(Fixture.input)
            for await _ in Endpoint.lines(input).stream(via: connector.wrapped(by: .redirect())) {}
        }
        #expect(count == 1)
    }

    // The start of a stream.

    @Test("creating an iterator sends nothing")
    func madeOnly() async {
        let sent = Recorder<Input>()
        let input = Either<ConnectionError, Input>.right(Fixture.input)
        let iterator = Endpoint.lines(input).stream(via: .stub(.text("a"), recording: sent)).makeAsyncIterator()
        for _ in 0..<1_000 { await Task.yield() }
        withExtendedLifetime(iterator) { #expect(sent.elements.isEmpty) }
    }

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
