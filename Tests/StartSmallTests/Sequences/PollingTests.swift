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
        while continues: @escaping @Sendable (Rule.Element) -> Bool = Rule.continues
    ) -> Polling<TransformError<Never>, String> {
        Polling(
            Fixture.endpoint,
            every: interval,
            upTo: longest,
            while: continues,
            via: connector,
            clock: clock,
            now: { Date(timeIntervalSince1970: 0) }
        )
    }

    // The rule, as a table (parity B18).

    private typealias Rule = Polling<TransformError<Never>, String>

    @Test("polling continues after a success", .parity("B18"))
    func goesOnAfterSuccess() {
        #expect(Rule.continues(after: .right("")))
    }

    private static let cause = ConnectionError.Cause(domain: "stub", code: 1, text: "")

    @Test(
        "polling continues after an error of the network",
        .parity("B18"),
        arguments: [
            ConnectionError.timedOut(cause), .notConnectedToInternet(cause), .hostNotFound(cause),
            .connectionRefused(cause), .proxyFailed(cause), .secureConnectionFailed(cause),
            .serverCertificateUntrusted(cause), .clientCertificateRejected(cause), .connectionLost(cause),
            .malformedResponse(cause), .unreadablePayload(cause), .noDataOrNoResponse(debugInfo: ""), .other(cause),
            .circuitOpen(until: Date()), .rateLimited(until: Date()),
        ]
    )
    func goesOnAfterNetworkError(_ error: ConnectionError) {
        #expect(Rule.continues(after: .left(.left(error))))
    }

    @Test(
        "polling stops on cancellation, and at errors that no retry would fix",
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
        #expect(!Rule.continues(after: .left(.left(error))))
    }

    @Test("polling stops at any other error", .parity("B18"))
    func stopsAtFailure() {
        #expect(!Rule.continues(after: .left(.right(.unexpectedStatusCode(Fixture.ok)))))
        #expect(!Rule.continues(after: .left(.right(.malformedData(Fixture.ok, debugInfo: "")))))
        #expect(!Rule.continues(after: .left(.right(.invalid(Fixture.ok, reason: "")))))
    }

    // The sequence.

    /// Returns the elements until the sequence ends, with a clock that skips each pause as soon as it begins.
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

    @Test("values and errors of the network are elements, up to another error, which is the last one", .parity("B18"))
    func sequence() async {
        let refused = Response(statusCode: .notFound)
        let stub = Connector.stub(sequence: [.text("1"), .noResponse(Fixture.lost), .text("2"), .hasResponse(refused)])
        #expect(
            await all(polling(stub)) == [
                .right("1"), .left(.left(Fixture.lost)), .right("2"), .left(.right(.unexpectedStatusCode(refused))),
            ]
        )
    }

    @Test("a custom rule decides instead", .parity("B18"))
    func ownRule() async {
        let stub = Connector.stub(sequence: [.status(.notFound), .text("running"), .text("done")])
        #expect(await all(polling(stub, while: { $0.right != "done" })).map(\.right) == [nil, "running", "done"])
    }

    @Test("after the last element no element follows, and no call is made")
    func ended() async {
        var iterator = polling(.stub(.status(.notFound), recording: sent)).makeAsyncIterator()
        _ = await iterator.next()
        #expect(await iterator.next() == nil)
        #expect(await iterator.next() == nil)
        #expect(sent.elements.count == 1)
    }

    // The pause.

    /// Returns the pause that begins when a first call of this duration has this output.
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

    /// Returns the pause before a second call.
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

    @Test("the interval counts from the end of a call, for any duration", .parity("B18"))
    func interval() async {
        #expect(await pause(after: .text("1"), taking: .seconds(60)) == [.seconds(5)])
    }

    @Test("the consumer's own work between two calls is part of the pause")
    func busy() async {
        #expect(await pause(after: .text("1"), thenBusyFor: .seconds(2)) == [.seconds(3)])
    }

    @Test("a consumer that is slower than the interval does not wait")
    func slow() async {
        var iterator = polling(.stub(.text("1"))).makeAsyncIterator()
        _ = await iterator.next()
        clock.advance(by: .seconds(6))
        #expect(await iterator.next() == .right("1"))
    }

    @Test("a negative interval is replaced by 5 seconds, RFC 8628's default")
    func negative() async {
        #expect(await remaining({ polling(.stub(.text("1")), every: .seconds(-1)) }) == [.seconds(5)])
    }

    @Test("an interval of zero is no pause")
    func zero() async {
        var iterator = polling(.stub(.text("1")), every: .zero).makeAsyncIterator()
        _ = await iterator.next()
        #expect(await iterator.next() == .right("1"))
    }

    @Test(
        "a 202 that asks for a longer pause gets it, up to the maximum",
        .parity("B18"),
        arguments: [("10", 10), ("3", 5), ("Thu, 01 Jan 1970 00:00:20 GMT", 20), ("3600", 60), ("soon", 5)]
    )
    func retryAfter(_ value: String, _ seconds: Int) async {
        let accepted = Output.text("1", status: .accepted, headers: ["Retry-After": value])
        #expect(await pause(after: accepted) == [.seconds(seconds)])
    }

    @Test("a failure that does not stop polling can ask for a longer pause too")
    func retryAfterOfFailure() async {
        let busy = Output.status(.serviceUnavailable, headers: ["Retry-After": "20"])
        #expect(await remaining({ polling(.stub(busy), while: { _ in true }) }) == [.seconds(20)])
    }

    @Test("a response refused by a custom rule can ask for a longer pause too")
    func retryAfterOfRejected() async {
        let busy = Output.status(.serviceUnavailable, headers: ["Retry-After": "20"])
        let rejected = Connector.stub(busy).wrapped(by: .validate { _ in "not now" })
        #expect(await remaining({ polling(rejected, while: { _ in true }) }) == [.seconds(20)])
    }

    // The end.

    @Test("inside of a deadline, polling ends with the first call that has no time left")
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

    @Test("polling continues after a call that a time limit ended halfway, since the next one may be shorter")
    func timeout() async {
        let calling = Latch()
        let connector = Connector.silent(begun: calling).wrapped(by: .timeout(.seconds(1), clock: clock))
        let first = Task { await WebAPI.call(with: Fixture.input, via: connector) }
        await calling.wait()
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(1))
        let error = await first.value.connectionError
        #expect(error?.name == "timedOut")
        #expect(error.map { Rule.continues(after: .left(.left($0))) } == true)
    }

    @Test("polling ends when its consumer stops iterating: no pause is left, and no call is made", .parity("B18"))
    func left() async {
        for await _ in polling(.stub(.text("1"), recording: sent)) { break }
        #expect(sent.elements.count == 1)
        #expect(clock.sleeperCount == 0)
    }

    @Test("cancelling the task in a pause ends polling without a call", .parity("B18"))
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

    @Test("cancelling the task in a call ends polling", .parity("B18"))
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

    @Test("each iteration starts from the beginning")
    func twice() async {
        let polling = polling(.stub(.status(.notFound), recording: sent))
        _ = await all(polling)
        _ = await all(polling)
        #expect(sent.elements.count == 2)
    }

    @Test("listeners receive the events of each call as without polling")
    func events() async {
        let log = EventLog()
        let stub = Connector.stub(.status(.notFound)).wrapped(by: .listen(to: log.listener))
        _ = await all(polling(stub))
        #expect(log.names == ["started", "received", "refused", "failed", "ended"])
    }

    @Test("over a real server: a job that is done at the third poll")
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

    @Test("the longest possible pause is one that the real clock can count")
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
            // A pause that is cancelled before it begins ends at once, but the clock still counts its duration.
            withUnsafeCurrentTask { $0?.cancel() }
            let second = await calls.next()
            return first?.right != nil && second == nil
        }.value
        #expect(isOver)
    }
}
