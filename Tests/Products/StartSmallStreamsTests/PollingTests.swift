import Foundation
import StartSmall
import StartSmallStreams
import StartSmallTesting
import TestSupport
import Testing

struct PollingTests {
    private let clock = ManualClock()
    private let sent = Recorder<Input>()

    private func polling(
        _ connector: Connector,
        every interval: Duration = .seconds(5),
        upTo longest: Duration = .seconds(60),
        pausedBy field: DelayField? = nil,
        while continues: @escaping @Sendable (Rule.Element) -> Bool = Rule.continues
    ) -> Polling<TransformError<Never>, String> {
        Polling(
            Fixture.endpoint,
            every: interval,
            upTo: longest,
            pausedBy: field,
            while: continues,
            via: connector,
            clock: clock,
            now: { Date(timeIntervalSince1970: 0) }
        )
    }

    // The rule, as a table (parity B18).

    private typealias Rule = Polling<TransformError<Never>, String>

    private static let cause = ConnectionError.Cause(domain: "stub", code: 1, text: "")

    private static let errors: [(goesOn: Bool, errors: [ConnectionError])] = [
        (
            true,
            [
                .timedOut(cause), .notConnectedToInternet(cause), .hostNotFound(cause), .connectionRefused(cause),
                .proxyFailed(cause), .secureConnectionFailed(cause), .connectionLost(cause), .malformedResponse(cause),
                .unreadablePayload(cause), .noDataOrNoResponse(debugInfo: ""), .other(cause),
                .refused(TestRefusal(end: .unknown)), .refused(TestRefusal(fault: .service)),
            ]
        ),
        (
            false,
            [
                .cancelled, .malformedURL(debugInfo: ""), .malformedMethod(debugInfo: ""),
                .malformedHeader(debugInfo: ""), .malformedPayload(debugInfo: ""), .engineUnavailable(debugInfo: ""),
                .payloadTooLarge(Fixture.ok, limit: 1), .tooManyRedirects(Fixture.ok, limit: 1),
                .unwritableDestination(debugInfo: ""), .serverCertificateUntrusted(cause),
                .clientCertificateRejected(cause), .refused(TestRefusal(fault: .limit)), .timedOut(.noTimeLeft),
                .missingCredentials(debugInfo: ""), .rejected(Fixture.ok, reason: ""),
            ]
        ),
    ]

    @Test("polling continues after an error of the network, and stops at any other", .parity("B18"), arguments: errors)
    func rule(goesOn: Bool, errors: [ConnectionError]) {
        for error in errors { #expect(Rule.continues(after: .left(.left(error))) == goesOn, "\(error)") }
        let failure = TransformError<Never>.malformedData(Fixture.ok, debugInfo: "")
        #expect(!Rule.continues(after: .left(.right(failure))))
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

    // The pause.

    /// Returns the pause before a second call, after a first one of this duration and output.
    private func pause(
        after output: Output,
        taking time: Duration = .zero,
        every interval: Duration = .seconds(5),
        pausedBy field: DelayField? = nil
    ) async -> [Duration] {
        let connector = Connector { [clock] _ in
            clock.advance(by: time)
            return output
        }
        let task = Task {
            var iterator = polling(connector, every: interval, pausedBy: field, while: { _ in true })
                .makeAsyncIterator()
            _ = await (iterator.next(), iterator.next())
        }
        await clock.waitForSleepers(count: 1)
        defer { task.cancel() }
        return clock.remaining
    }

    @Test("the interval counts from the end of a call, for any duration", .parity("B18"))
    func interval() async {
        #expect(await pause(after: .text("1"), taking: .seconds(60)) == [.seconds(5)])
    }

    @Test("a negative interval is replaced by 5 seconds, RFC 8628's default")
    func negative() async {
        #expect(await pause(after: .text("1"), every: .seconds(-1)) == [.seconds(5)])
    }

    @Test(
        "a 202, or a failure after which polling continues, gets the pause it asks for, up to the maximum",
        .parity("B18"),
        arguments: [HTTPStatus.accepted, .serviceUnavailable],
        [("10", 10), ("3", 5), ("Thu, 01 Jan 1970 00:00:20 GMT", 20), ("3600", 60), ("soon", 5)]
    )
    func retryAfter(_ status: HTTPStatus, _ wish: (value: String, seconds: Int)) async {
        let output = Output.text("1", status: status, headers: ["Retry-After": wish.value])
        #expect(await pause(after: output) == [.seconds(wish.seconds)])
    }

    @Test(
        "a field that the API names requests a pause, too: the longest of all, up to the maximum",
        arguments: [
            (["openai-poll-after-ms": "7500"], 7.5), (["OpenAI-Poll-After-Ms": "20"], 5),
            (["openai-poll-after-ms": "7500", "Retry-After": "9"], 9),
            (["openai-poll-after-ms": "9500", "Retry-After": "9"], 9.5),
            (["openai-poll-after-ms": "61000"], 60), (["openai-poll-after-ms": String(repeating: "9", count: 41)], 60),
            (["openai-poll-after-ms": "-9000"], 5), (["openai-poll-after-ms": "soon"], 5), ([:], 5),
            (["openai-poll-after-ms": String(repeating: "9", count: 1 << 20)], 5), (["X-Poll-Interval": "50"], 5),
        ] as [(HTTPHeaders, Double)]
    )
    func field(_ headers: HTTPHeaders, _ seconds: Double) async {
        let output = Output.text("1", headers: headers)
        #expect(await pause(after: output, pausedBy: .milliseconds("OpenAI-Poll-After-Ms")) == [.seconds(seconds)])
        if headers.fields.isEmpty { #expect(await pause(after: output) == [.seconds(5)]) }
    }

    @Test("a field in seconds is read, after a failure as well")
    func fieldInSeconds() async {
        let output = Output.status(.notFound, headers: ["x-poll-interval": "59.5"])
        #expect(await pause(after: output, pausedBy: .seconds("X-Poll-Interval")) == [.seconds(60)])
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
