import Foundation
import StartSmall
import StartSmallTesting
import Testing
import ParityTrait

struct PollingTests {
    private let clock = ManualClock()
    private let sent = Recorder<Input>()

    private func polling(
        _ connector: Connector,
        every interval: Duration = .seconds(5),
        upTo longest: Duration = .seconds(60),
        while goesOn: @escaping @Sendable (Rule.Element) -> Bool = Rule.goesOn
    ) -> Polling<TransformError<Never>, String> {
        Polling(
            Fixture.endpoint,
            every: interval,
            upTo: longest,
            while: goesOn,
            via: connector,
            clock: clock,
            now: { Date(timeIntervalSince1970: 0) }
        )
    }

    // The rule, as a table (parity B18).

    private typealias Rule = Polling<TransformError<Never>, String>

    @Test("goes on after a success", .parity("B18"))
    func goesOnAfterSuccess() {
        #expect(Rule.goesOn(after: .right("")))
    }

    private static let cause = ConnectionError.Cause(domain: "stub", code: 1, text: "")

    @Test(
        "goes on after an error of the network",
        .parity("B18"),
        arguments: [
            ConnectionError.timedOut(cause), .notConnectedToInternet(cause), .hostNotFound(cause),
            .connectionRefused(cause), .proxyFailed(cause), .secureConnectionFailed(cause),
            .serverCertificateUntrusted(cause), .clientCertificateRejected(cause), .connectionLost(cause),
            .malformedResponse(cause), .unreadablePayload(cause), .noDataOrNoResponse(debugInfo: ""), .other(cause),
        ]
    )
    func goesOnAfterNetworkError(_ error: ConnectionError) {
        #expect(Rule.goesOn(after: .left(.left(error))))
    }

    @Test(
        "stops on cancel, and at what no other try would mend",
        .parity("B18"),
        arguments: [
            ConnectionError.cancelled, .malformedURL(debugInfo: ""), .malformedMethod(debugInfo: ""),
            .malformedHeader(debugInfo: ""), .malformedPayload(debugInfo: ""), .engineUnavailable(debugInfo: ""),
            .payloadTooLarge(Fixture.ok, limit: 1), .tooManyRedirects(Fixture.ok, limit: 1),
            .unwritableDestination(debugInfo: ""), .tooManyCalls(limit: 1, waiting: 0),
            .missingCredentials(debugInfo: ""), .rejected(Fixture.ok, reason: ""),
        ]
    )
    func stopsAtOtherConnectionErrors(_ error: ConnectionError) {
        #expect(!Rule.goesOn(after: .left(.left(error))))
    }

    @Test("stops at any other error", .parity("B18"))
    func stopsAtFailure() {
        #expect(!Rule.goesOn(after: .left(.right(.unexpectedStatusCode(Fixture.ok)))))
        #expect(!Rule.goesOn(after: .left(.right(.malformedData(Fixture.ok, debugInfo: "")))))
        #expect(!Rule.goesOn(after: .left(.right(.invalid(Fixture.ok, reason: "")))))
    }

    // The sequence.

    /// What comes of calls until the sequence ends, where each pause is passed over as soon as it begins.
    private func all<Reason, Value>(_ polling: Polling<Reason, Value>) async -> [Fetched<Reason, Value>] {
        let waker = Task { [clock] in
            while !Task.isCancelled {
                await clock.waitForSleepers(count: 1)
                clock.advance(by: clock.remaining.first ?? .zero)
            }
        }
        var elements: [Fetched<Reason, Value>] = []
        for await element in polling { elements.append(element) }
        waker.cancel()
        return elements
    }

    @Test("values and errors of the network come until another error, which is the last element", .parity("B18"))
    func sequence() async {
        let refused = Response(statusCode: .notFound)
        let stub = Connector.stub(sequence: [.text("1"), .noResponse(Fixture.lost), .text("2"), .hasResponse(refused)])
        #expect(
            await all(polling(stub)) == [
                .right("1"), .left(.left(Fixture.lost)), .right("2"), .left(.right(.unexpectedStatusCode(refused))),
            ]
        )
    }

    @Test("a rule of one's own decides instead", .parity("B18"))
    func ownRule() async {
        let stub = Connector.stub(sequence: [.status(.notFound), .text("running"), .text("done")])
        #expect(await all(polling(stub, while: { $0.right != "done" })).map(\.right) == [nil, "running", "done"])
    }

    @Test("after the last element nothing comes, and nothing is called")
    func ended() async {
        var iterator = polling(.stub(.status(.notFound), recording: sent)).makeAsyncIterator()
        _ = await iterator.next()
        #expect(await iterator.next() == nil)
        #expect(await iterator.next() == nil)
        #expect(sent.elements.count == 1)
    }

    // The pause.

    /// The pause that begins when a first call, which takes so long, has this output.
    private func pause(
        after output: Output,
        taking time: Duration = .zero,
        thenBusyFor busy: Duration = .zero,
        every interval: Duration = .seconds(5)
    ) async -> [Duration] {
        let connector = Connector { [clock] _ in
            clock.advance(by: time)
            return output
        }
        return await remaining({ polling(connector, every: interval) }, meanwhile: { clock.advance(by: busy) })
    }

    /// How long is slept before a second call.
    private func remaining<Reason, Value>(
        _ polling: @escaping @Sendable () -> Polling<Reason, Value>,
        meanwhile: @escaping @Sendable () -> Void = {}
    ) async -> [Duration] {
        let task = Task {
            var iterator = polling().makeAsyncIterator()
            _ = await iterator.next()
            meanwhile()
            _ = await iterator.next()
        }
        await clock.waitForSleepers(count: 1)
        defer { task.cancel() }
        return clock.remaining
    }

    @Test("the first call is made at once")
    func first() async {
        var iterator = polling(.stub(.text("1"))).makeAsyncIterator()
        #expect(await iterator.next() == .right("1"))
        #expect(clock.sleeperCount == 0)
    }

    @Test("the interval counts from the end of a call, however long it took", .parity("B18"))
    func interval() async {
        #expect(await pause(after: .text("1"), taking: .seconds(60)) == [.seconds(5)])
    }

    @Test("what the consumer does meanwhile is a part of the pause")
    func busy() async {
        #expect(await pause(after: .text("1"), thenBusyFor: .seconds(2)) == [.seconds(3)])
    }

    @Test("a consumer that is slower than the interval waits no more")
    func slow() async {
        var iterator = polling(.stub(.text("1"))).makeAsyncIterator()
        _ = await iterator.next()
        clock.advance(by: .seconds(6))
        #expect(await iterator.next() == .right("1"))
    }

    @Test("an interval below zero is a mistake, and 5 seconds, as RFC 8628 has it")
    func negative() async {
        #expect(await remaining({ polling(.stub(.text("1")), every: .seconds(-1)) }) == [.seconds(5)])
    }

    @Test("an interval of zero is none")
    func zero() async {
        var iterator = polling(.stub(.text("1")), every: .zero).makeAsyncIterator()
        _ = await iterator.next()
        #expect(await iterator.next() == .right("1"))
    }

    @Test(
        "a 202 that asks for a longer pause gets it, up to the longest",
        .parity("B18"),
        arguments: [("10", 10), ("3", 5), ("Thu, 01 Jan 1970 00:00:20 GMT", 20), ("3600", 60), ("soon", 5)]
    )
    func retryAfter(_ value: String, _ seconds: Int) async {
        let accepted = Output.text("1", status: .accepted, headers: ["Retry-After": value])
        #expect(await pause(after: accepted) == [.seconds(seconds)])
    }

    @Test("a failure that the rule goes on after can ask for a longer pause too")
    func retryAfterOfFailure() async {
        let busy = Output.status(.serviceUnavailable, headers: ["Retry-After": "20"])
        #expect(await remaining({ polling(.stub(busy), while: { _ in true }) }) == [.seconds(20)])
    }

    @Test("a response that a rule of one's own refused can ask for a longer pause too")
    func retryAfterOfRejected() async {
        let busy = Output.status(.serviceUnavailable, headers: ["Retry-After": "20"])
        let rejected = Connector.stub(busy).wrapped(by: .validate { _ in "not now" })
        #expect(await remaining({ polling(rejected, while: { _ in true }) }) == [.seconds(20)])
    }

    // The end.

    @Test("behind a deadline it ends with the first call that there was no time for")
    func deadline() async {
        let server = Connector.stub(.text("1"), recording: sent)
            .wrapped(by: .deadline(clock.now.advanced(by: .seconds(12)), clock: clock))
        var iterator = polling(server).makeAsyncIterator()
        #expect(await iterator.next() == .right("1"))
        clock.advance(by: .seconds(12))
        #expect(await iterator.next()?.connectionError?.name == "timedOut")
        #expect(await iterator.next() == nil)
        #expect(sent.elements.count == 1)
    }

    @Test("a call that a limit of time ended in its midst may be shorter the next time")
    func timeout() async {
        let calling = Latch()
        let connector = Connector.silent(begun: calling).wrapped(by: .timeout(.seconds(1), clock: clock))
        let first = Task { await WebAPI.call(with: Fixture.input, via: connector) }
        await calling.wait()
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(1))
        let error = await first.value.connectionError
        #expect(error?.name == "timedOut")
        #expect(error.map { Rule.goesOn(after: .left(.left($0))) } == true)
    }

    @Test("a consumer that stops asking ends it: nothing sleeps, nothing is called", .parity("B18"))
    func left() async {
        for await _ in polling(.stub(.text("1"), recording: sent)) { break }
        #expect(sent.elements.count == 1)
        #expect(clock.sleeperCount == 0)
    }

    @Test("cancelling the task in a pause ends it without a call", .parity("B18"))
    func cancelledInPause() async {
        let task = Task {
            var count = 0
            for await _ in polling(.stub(.text("1"), recording: sent)) { count += 1 }
            return count
        }
        await clock.waitForSleepers(count: 1)
        task.cancel()
        #expect(await task.value == 1)
        #expect(sent.elements.count == 1)
        #expect(clock.sleeperCount == 0)
    }

    @Test("cancelling the task in a call ends it", .parity("B18"))
    func cancelledInCall() async {
        let calling = Latch()
        let silent = Connector.silent(begun: calling)
        let task = Task {
            for await _ in polling(silent) { return false }
            return true
        }
        await calling.wait()
        task.cancel()
        #expect(await task.value)
    }

    @Test("each iteration begins anew")
    func twice() async {
        let polling = polling(.stub(.status(.notFound), recording: sent))
        _ = await all(polling)
        _ = await all(polling)
        #expect(sent.elements.count == 2)
    }

    @Test("listeners hear each call as without polling")
    func events() async {
        let log = EventLog()
        let stub = Connector.stub(.status(.notFound)).wrapped(by: .listen(to: log.listener))
        _ = await all(polling(stub))
        #expect(log.names == ["started", "received", "refused", "failed", "ended"])
    }

    @Test("over a real server: a job that is done at the third look")
    func loopback() async throws {
        let server = Connector.stub(sequence: [
            .text("running", status: .accepted), .text("running", status: .accepted), .text("done"),
        ])
        let states = try await LoopbackServer.serving(server) { server in
            await all(
                Polling(
                    Endpoint.text(.get(server.url.absoluteString)),
                    every: .seconds(5),
                    while: { $0.right == "running" },
                    via: .patient,
                    clock: clock
                )
            )
        }
        #expect(states.map(\.right) == ["running", "running", "done"])
    }

    @Test("the longest pause there is is one that the real clock can count")
    func longestPause() async {
        let polling = Polling(
            Fixture.endpoint,
            every: .seconds(Int64.max),
            while: { _ in true },
            via: .stub(.hasResponse(Fixture.ok))
        )
        let isOver = await Task {
            var calls = polling.makeAsyncIterator()
            let first = await calls.next()
            // Cancelled before it begins, the pause is over at once; the clock counts it all the same.
            withUnsafeCurrentTask { $0?.cancel() }
            let second = await calls.next()
            return first?.right != nil && second == nil
        }.value
        #expect(isOver)
    }
}
