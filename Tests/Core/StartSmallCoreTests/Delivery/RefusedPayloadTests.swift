import Foundation
import StartSmallTesting
import TestSupport
import Testing

import StartSmall
import StartSmallStreams
@testable import StartSmallCore

@Suite(.timeLimit(.minutes(1))) struct RefusedPayloadTests {
    private static let head = Response(statusCode: .ok, headers: ["Content-Type": "application/json"])
    private let clock = ManualClock()
    private let ends = Recorder<ResponseBody.End>()

    /// Returns a response with a body of these chunks.
    private func open(_ chunks: [Data], then failure: ConnectionError? = nil, silent: Bool = false) -> Response {
        let output = Output.open(Self.head, chunks, trailers: ["X-Sum": "1"], then: failure, silent: silent)
        output.onEnd { [ends] in ends.append($0) }
        return output.response ?? Self.head
    }

    private static let most = Response.rejectedPayloadLimit

    @Test(
        "a payload is kept up to the limit, and the rest is discarded",
        arguments: [
            ([], 0, .complete), ([5, 6], 11, .complete), ([most], most, .complete), ([most - 1, 1], most, .complete),
            ([most + 1], most, .discarded), ([most - 1, 2, 5], most, .discarded), ([most, 1], most, .discarded),
        ] as [([Int], Int, ResponseBody.End)]
    )
    func limit(_ sizes: [Int], _ kept: Int, _ end: ResponseBody.End) async {
        let chunks = sizes.enumerated().map { Data(repeating: UInt8($0), count: $1) }
        let response = await open(chunks).keepingPayload(clock: clock)
        #expect(response.payload == Data(chunks.joined().prefix(kept)))
        #expect(response.headers == Self.head.headers && response.body == nil)
        #expect(response.trailers == (end == .complete ? ["X-Sum": "1"] : [:]))
        #expect(ends.elements == [end])
        #expect(clock.sleeperCount == 0)
    }

    @Test("with a limit below zero, nothing is kept, and nothing but the body ends", arguments: [-1, Int.min])
    func negative(_ limit: Int) async {
        let response = await open([Data("ab".utf8)]).keepingPayload(upTo: limit, clock: clock)
        #expect(response.payload.isEmpty && ends.elements == [.discarded])
    }

    @Test("a silent payload is given up after a second, with what arrived before")
    func silent() async {
        let response = open([Data("half".utf8)], silent: true)
        let task = Task { [clock] in await response.keepingPayload(clock: clock) }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .milliseconds(999))
        #expect(ends.elements.isEmpty)
        clock.advance(by: .milliseconds(1))
        #expect(await task.value.payload == Data("half".utf8))
        #expect(ends.elements == [.failed(.cancelled)])
    }

    @Test("a payload that breaks off is kept as far as it arrived")
    func broken() async {
        let response = await open([Data("half".utf8)], then: Fixture.lost).keepingPayload(clock: clock)
        #expect(response.payload == Data("half".utf8))
        #expect(ends.elements == [.failed(Fixture.lost)])
    }

    // Streams.

    private struct Problem: Codable, Hashable {
        var message: String
    }

    private let input = Either<ConnectionError, Input>.get("https://api.example.com/chat")
    private let log = EventLog()

    private func first(_ response: @escaping @Sendable () -> Response) async -> TransformError<Problem>? {
        let connector = Connector { _ in .hasResponse(response()) }.wrapped(by: .listen(to: log.listener))
        var iterator = Endpoint.events(input, problem: Problem.self).stream(via: connector).makeAsyncIterator()
        let element = await iterator.next()
        #expect(await iterator.next() == nil)
        return element?.failure
    }

    @Test("a problem of the API in place of events is decoded, with its payload", arguments: [true, false])
    func problem(isWhole: Bool) async {
        var whole = Self.head
        whole.payload = Data(#"{"message": "no credit"}"#.utf8)
        if !isWhole { whole.trailers = ["X-Sum": "1"] }
        let parts = open([whole.payload.prefix(9), whole.payload.dropFirst(9)])
        let failure = await first { [whole] in isWhole ? whole : parts }
        #expect(failure == .problem(Problem(message: "no credit"), whole))
        #expect(log.names == ["started", "receivedHead", "received", "invalid", "failed", "ended"])
        let reason = "application/json where text/event-stream is expected"
        #expect(log.events.contains(.received(whole)) && log.events.contains(.invalid(whole, reason: reason)))
    }

    @Test("a payload in place of events that is no problem is malformed data: the reason, the type and the size")
    func noProblem() async {
        let response = open([Data("[]".utf8)])
        let failure = await first { response }
        #expect(failure?.response.payload == Data("[]".utf8))
        #expect(
            failure.map { "\($0)" } == "malformedData: application/json where text/event-stream is expected"
                + " (200 OK [Content-Type: application/json], 2 bytes)"
        )
    }

    @Test("a stream that is cancelled while a refused payload is read ends as cancelled")
    func cancelledStream() async {
        let isRead = Latch()
        let connector = Connector { _ in
            .open(Self.head, [Data("half".utf8)], silent: true) { _ in isRead.open() }
        }
        .wrapped(by: .listen(to: log.listener))
        let stream = Endpoint.events(input).stream(via: connector)
        let task = Task { @Sendable in
            var iterator = stream.makeAsyncIterator()
            return await iterator.next()
        }
        await isRead.wait()
        task.cancel()
        #expect(await task.value == .left(.left(.cancelled)))
        #expect(log.names == ["started", "receivedHead", "cancelled", "failed", "ended"])
    }
}
