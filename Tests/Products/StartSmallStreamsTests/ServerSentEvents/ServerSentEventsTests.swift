import Foundation
import StartSmall
import StartSmallStreams
import StartSmallTesting
import TestSupport
import Testing

struct ServerSentEventsTests {
    private let input = Either<ConnectionError, Input>.get("https://api.example.com/events")
    private let clock = ManualClock()
    private let sent = Recorder<Input>()
    private let pauses = Recorder<Duration>()

    private typealias Events = ServerSentEventStream<TransformError<Never>, ServerSentEvent>

    private static func stream(_ text: String, status: HTTPStatus = .ok) -> Output {
        .text(text, status: status, headers: ["Content-Type": "text/event-stream"])
    }

    private func events(
        _ outputs: [Output],
        of input: Either<ConnectionError, Input>? = nil,
        reconnecting policy: RetryPolicy = .reconnecting,
        random: UInt64 = 0
    ) -> Events {
        Endpoint.events(input ?? self.input)
            .reconnecting(policy, clock: clock, random: { random }, now: { Date(timeIntervalSince1970: 0) })
            .stream(via: .stub(sequence: outputs, recording: sent))
    }

    /// Returns the elements until the sequence ends, with pauses of the given clock.
    private func all(of events: Events) async -> [Events.Element] {
        var elements: [Events.Element] = []
        for await element in events { elements.append(element) }
        return elements
    }

    /// Returns the elements until the sequence ends, recording each pause and skipping it as soon as it begins.
    private func all<Failure, Value>(
        _ events: ServerSentEventStream<Failure, Value>
    ) async -> [Fetched<Failure, Value>] {
        let waker = Task { [clock, pauses] in
            while !Task.isCancelled {
                await clock.waitForSleepers(count: 1)
                guard let pause = clock.remaining.first else { continue }
                pauses.append(pause)
                clock.advance(by: pause)
            }
        }
        var elements: [Fetched<Failure, Value>] = []
        for await element in events { elements.append(element) }
        waker.cancel()
        return elements
    }

    private func data(_ elements: [Events.Element]) -> [String?] {
        elements.map { $0.right?.data }
    }

    private var lastEventIDs: [String?] { sent.elements.map { $0.headers["Last-Event-ID"] } }

    // Reconnecting.

    @Test("the sequence reconnects when a stream ends, and 204 ends the sequence, without an element")
    func continues() async {
        let elements = await all(
            events([Self.stream("data: a\n\n"), Self.stream(""), Self.stream("data: b\n\n"), .status(.noContent)])
        )
        #expect(data(elements) == ["a", "b"])
        #expect(sent.elements.count == 4)
    }

    @Test(
        "a failure that no other call would fix is the last element",
        arguments: [
            Output.status(.badRequest), .status(.unauthorized), .status(.notFound), .status(.notImplemented),
            .status(.movedPermanently), .status(.resetContent), .status(.ok), .text("<html>"), .json("{}"),
            .noResponse(.cancelled), .noResponse(.malformedURL(debugInfo: "")),
            .noResponse(.engineUnavailable(debugInfo: "")), .noResponse(.rejected(Fixture.ok, reason: "")),
            .noResponse(.serverCertificateUntrusted(.init(domain: "stub", code: 1, text: ""))),
        ]
    )
    func last(_ output: Output) async {
        let elements = await all(events([Self.stream("data: a\n\n"), output, Self.stream("data: b\n\n")]))
        #expect(data(elements) == ["a", nil])
        #expect(sent.elements.count == 2)
    }

    @Test("a payload of another type ends the sequence, even if it breaks off: no other call would fix that")
    func brokenPage() async {
        let head = Response(statusCode: .ok, headers: ["Content-Type": "text/html"])
        let connector = Connector { [sent] input in
            sent.append(input)
            return .open(head, ["<p>".utf8], then: Fixture.lost)
        }
        let elements = await all(
            Endpoint.events(input).reconnecting(clock: clock, random: { 0 }).stream(via: connector)
        )
        #expect(elements.map(\.failure?.response.payload) == [Data("<p>".utf8)])
        #expect(sent.elements.count == 1)
    }

    @Test("an ID that no header can contain is not sent, and the stream continues")
    func unsendableID() async {
        let elements = await all(
            events([Self.stream("id: a\u{1}b\ndata: a\n\n"), Self.stream("data: b\n\n"), .status(.noContent)])
        )
        #expect(data(elements) == ["a", "b"] && elements.first?.right?.id == "a\u{1}b")
        #expect(lastEventIDs == [nil, nil, nil])
    }

    @Test("the rate limit in a stream's head no longer counts when the stream ends")
    func staleWish() async {
        let headers: HTTPHeaders = [
            "Content-Type": "text/event-stream", "RateLimit-Remaining": "0", "RateLimit-Reset": "5400",
        ]
        let limited = Output.text("data: a\n\n", headers: headers)
        #expect(data(await all(events([limited, .status(.noContent)]))) == ["a"])
        #expect(sent.elements.count == 2)
        #expect(pauses.elements == [DefaultLimits.reconnectionPause])
    }

    @Test("a nil backoff ends the sequence, and attempts count from 1 after each call that received any bytes")
    func ownSchedule() async {
        let numbers = Recorder<Int>()
        let schedule = Backoff { attempt in
            numbers.append(attempt.number)
            return attempt.number < 3 ? .zero : nil
        }
        let lost = Output.noResponse(Fixture.lost)
        let outputs: [Output] = [lost, lost, Self.stream(":\n"), lost, Self.stream(""), Self.stream("data: a\n\n")]
        #expect(data(await all(events(outputs, reconnecting: RetryPolicy(backoff: schedule)))) == [nil, nil, nil])
        #expect(numbers.elements == [1, 2, 1, 2, 3])
    }

    @Test("a request that is not safe to replay is not sent twice, unless the policy says so")
    func post() async {
        let post = Either<ConnectionError, Input>.post("https://api.example.com/chat", payload: .text("hello"))
        let outputs: [Output] = [Self.stream("data: a\n\n"), Self.stream("data: b\n\n"), .status(.noContent)]
        #expect(data(await all(events(outputs, of: post))) == ["a"])
        let policy = RetryPolicy(condition: .dangerouslyReplayingAnyMethod, backoff: RetryPolicy.reconnecting.backoff)
        #expect(data(await all(events(outputs, of: post, reconnecting: policy))) == ["a", "b"])
    }

    @Test(
        "an endpoint without positions is called once: it could only begin anew",
        arguments: [stream("data: a\n"), .text("data: a\n"), .status(.serviceUnavailable), .noResponse(Fixture.lost)]
    )
    func withoutPositions(_ output: Output) async {
        let lines = Endpoint.lines(input).map { $0 }.mapFailure { $0 }.reconnecting(clock: clock)
        let stub = Connector.stub(sequence: [output, Self.stream("data: b\n")], recording: sent)
        let elements = await all(lines.stream(via: stub))
        #expect(elements.map(\.right) == [output.response?.statusCode == .ok ? "data: a" : nil])
        #expect(sent.elements.count == 1 && pauses.elements == [])
    }

    @Test("the limit of an event, and the condition that ends the stream, count in each call")
    func limits() async {
        let outputs = ["data: a\n\n", "data: 123456\n\n", "data: b\n\ndata: end\n\n", "data: c\n\n"].map {
            Self.stream($0)
        }
        let events = Endpoint.events(input, limit: 10, until: { $0.data == "end" }).reconnecting(clock: clock)
        let elements = await all(events.stream(via: .stub(sequence: outputs, recording: sent)))
        #expect(data(elements) == ["a", nil, "b"])
        #expect(sent.elements.count == 3)
    }

    // Resuming.

    @Test("each call sends the last event ID, and accepts events")
    func lastEventID() async {
        _ = await all(
            events([
                Self.stream("id: 1\ndata: a\n\n"), Self.stream("data: b\n\n"), Self.stream("id: 2\n\nid: 3\ndata: c"),
                Self.stream("id\n\n"), .status(.noContent),
            ])
        )
        #expect(lastEventIDs == [nil, "1", "1", "2", nil])
        #expect(sent.elements.allSatisfy { $0.headers["Accept"] == "text/event-stream" })
        #expect(sent.elements.allSatisfy { $0.headers["Cache-Control"] == "no-store" })
    }

    @Test("a request may set the first Last-Event-ID, and events have that ID from there on")
    func beginning() async {
        let input = Either<ConnectionError, Input>.get("https://a.example", headers: ["Last-Event-ID": "7"])
        let outputs: [Output] = [Self.stream("data: a\n\n"), Self.stream("id: 8\n\n"), .status(.noContent)]
        let elements = await all(events(outputs, of: input))
        #expect(elements == [.right(ServerSentEvent(data: "a", id: "7"))])
        #expect(lastEventIDs == ["7", "7", "8"])
    }

    @Test("a changed request sets the first Last-Event-ID, too, and still asks for events", arguments: [true, false])
    func changedBeginning(_ isLast: Bool) async {
        let events = Endpoint.events(.get("https://a.example", headers: ["Last-Event-ID": "7"]))
        let change: (inout Input) -> Void = { $0.headers = ["Last-Event-ID": "9"] }
        let changed =
            isLast
            ? events.reconnecting(clock: clock).with(change).with(.retries(0))
            : events.with(change).with(.retries(0)).reconnecting(clock: clock)
        let stub = Connector.stub(.status(.noContent), recording: sent)
        #expect(await all(changed.stream(via: stub)) == [])
        #expect(lastEventIDs == ["9"])
        #expect(sent.elements.map { $0.headers["Accept"] } == ["text/event-stream"])
        #expect(sent.elements.allSatisfy { "\($0.options)".contains("retries") })
    }

    @Test("a connection that is lost halfway is resumed after its last event")
    func lost() async {
        let head = Response(statusCode: .ok, headers: ["Content-Type": "text/event-stream"])
        let connector = Connector { [sent] input in
            sent.append(input)
            guard sent.elements.count == 1 else { return .status(.noContent) }
            return .open(head, ["id: 1\ndata: a\n\nid: 2\ndata: b".utf8], then: Fixture.lost)
        }
        let elements = await all(
            Endpoint.events(input).reconnecting(clock: clock, random: { 0 }).stream(via: connector)
        )
        let lost = Fixture.lost(after: head, reading: 28)
        #expect(elements == [.right(ServerSentEvent(data: "a", id: "1")), .left(.left(lost))])
        #expect(lastEventIDs == [nil, "1"])
    }

    // The pause.

    @Test("the pause is 3 seconds, or the stream's last retry time, but never over an hour")
    func retryTime() async {
        _ = await all(
            events([
                Self.stream("data: a\n\n"), Self.stream("retry: 500\n"), Self.stream("data: b\n\n"),
                Self.stream("retry: 0\n\n"), Self.stream("retry: 99999999999999999999\n\n"), .status(.noContent),
            ])
        )
        // The clock has no sleeper for a pause of zero.
        #expect(pauses.elements == [.seconds(3), .milliseconds(500), .milliseconds(500), .seconds(3600)])
    }

    @Test(
        "the default pause and its maximum can be changed, but neither to less than nothing",
        arguments: [
            (1, 5, [":\n", "retry: 9000\n"], [1, 5]), (-1, 3600, ["", ""], [3, 3]), (-1_000_000, 3600, [""], [3]),
            (3, -1, ["retry: 5000\n\n"], [5]),
        ]
    )
    func ownPauses(_ pause: Int, _ maximum: Int, _ texts: [String], _ expected: [Int]) async {
        let stub = Connector.stub(sequence: texts.map { Self.stream($0) } + [.status(.noContent)], recording: sent)
        let events = Endpoint.events(input)
            .reconnecting(after: .seconds(pause), upTo: .seconds(maximum), clock: clock, random: { 0 })
        #expect(data(await all(events.stream(via: stub))) == [])
        #expect(sent.elements.count == texts.count + 1)
        #expect(pauses.elements == expected.map { Duration.seconds($0) })
    }

    @Test("delays grow between calls without bytes, until a call receives any")
    func growing() async {
        let lost = Output.noResponse(Fixture.lost)
        let outputs: [Output] = [lost, lost, Self.stream(""), lost, lost, lost, lost, Self.stream(":\n"), lost]
        _ = await all(events(outputs + [.status(.noContent)], random: .max))
        let mostSeconds = [1, 2, 4, 8, 16, 30, 30, 1, 2]
        #expect(pauses.elements == mostSeconds.map { Duration.seconds(3 + $0) - Duration.nanoseconds(1) })
    }

    @Test("a server's Retry-After is added to the pause, and is not honoured but ends the sequence if too long")
    func retryAfter() async {
        let busy = ["20", "3600", "3601"].map { Output.status(.serviceUnavailable, headers: ["Retry-After": $0]) }
        #expect(await all(events(busy + [Self.stream("data: a\n\n")])).count == 3)
        #expect(pauses.elements == [.seconds(23), .seconds(3603)])
    }

    @Test(
        "a negative backoff is zero, and the longest is one that the real clock can count",
        arguments: [-1, Int64.max]
    )
    func extremes(_ seconds: Int64) async {
        let wait = Duration.seconds(seconds)
        let isOver = await Task {
            let policy = RetryPolicy(
                backoff: Backoff { _ in
                    // A pause cancelled before it begins ends at once, but the clock still counts its duration.
                    if seconds > 0 { withUnsafeCurrentTask { $0?.cancel() } }
                    return wait
                }
            )
            let events = Endpoint.events(input)
                .reconnecting(policy, after: max(wait, .zero), upTo: max(wait, .zero))
                .stream(via: .stub(sequence: [Self.stream("data: a\n\n"), .status(.noContent)]))
            var iterator = events.makeAsyncIterator()
            let first = await iterator.next()
            let second = await iterator.next()
            return first?.right != nil && second == (seconds > 0 ? .left(.left(.cancelled)) : nil)
        }.value
        #expect(isOver)
    }

    // The values.

    private struct Price: Decodable, Hashable, Sendable { let yen: Int }
    private struct Closed: Decodable, Hashable, Sendable { let reason: String }
    private enum Update: Hashable, Sendable {
        case price(Price)
        case other(String)
    }
    private enum PriceError: Error { case failed(TransformError<Closed>) }

    private let updates = EventTypes { Update.other($0.type) }.decoding("price", as: Update.price)

    @Test("events have types and failures of the app, over all calls, each with the options and the last ID")
    func typed() async {
        let outputs = [
            Self.stream("event: price\nid: 1\ndata: {\"yen\":1}\n\nevent: price\ndata: {}\n\n"),
            Self.stream("event: new\ndata: a\n\n"), .status(.serviceUnavailable), .status(.forbidden),
        ]
        let prices = Endpoint.events(input, problem: Closed.self)
            .typed(by: updates)
            .mapFailure(PriceError.failed)
            .with { $0.headers["A"] = "b" }
            .with(.retries(7))
            .reconnecting(clock: clock, random: { 0 })
        let elements = await all(prices.stream(via: .stub(sequence: outputs, recording: sent)))
        #expect(elements.map(\.right) == [.price(Price(yen: 1)), nil, .other("new"), nil, nil])
        let statuses = elements.map { element -> HTTPStatus? in
            if case .failed(let error)? = element.failure { error.response.statusCode } else { nil }
        }
        #expect(statuses == [nil, .ok, nil, .serviceUnavailable, .forbidden])
        #expect(lastEventIDs == [nil, "1", "1", "1"])
        #expect(sent.elements.allSatisfy { $0.headers["A"] == "b" && $0.options.description == "retries" })
        #expect(pauses.elements.count == 3)
    }

    @Test("a problem ends the sequence, be it found in an event or in the value that was made of it")
    func problems() async {
        let stub = Connector.stub(sequence: [Self.stream("data: 1\n\ndata: 2\n\ndata: 3\n\n")], recording: sent)
        let events = Endpoint.events(input, problem: Closed.self)
            .failing { $0.data == "3" ? Closed(reason: "event") : nil }
            .map { try #require(Int($0.data)) }
        #expect(await all(events.reconnecting(clock: clock).stream(via: stub)).map(\.right) == [1, 2, nil])
        let again = Connector.stub(sequence: [Self.stream("data: 1\n\ndata: 2\n\ndata: 3\n\n")], recording: sent)
        let failing = events.failing { $0 == 2 ? Closed(reason: "two") : nil }.reconnecting(clock: clock)
        let elements = await all(failing.stream(via: again))
        #expect(elements.map(\.right) == [1, nil])
        #expect(elements.last?.failure?.problem == Closed(reason: "two"))
        #expect(sent.elements.count == 2)
    }

    @Test("a time limit that is chosen for each call reconnects", .timeLimit(.minutes(1)))
    func timeLimit() async {
        let limited = Endpoint.events(input)
            .with(.timeLimit(.seconds(60), clock: clock))
            .reconnecting(clock: clock, random: { 0 })
        let server = Connector.stub(parts: ["data: a\n\n"], until: Latch(), recording: sent)
        let read = Latch()
        let reading = Task { [sent] in
            var names: [String?] = []
            for await element in limited.stream(via: server) {
                names.append(element.connectionError?.name)
                read.open()
                if sent.elements.count == 2 { break }
            }
            return names
        }
        await read.wait()
        await clock.waitForSleepers(count: 1)
        #expect(clock.remaining == [.seconds(60)])
        clock.advance(by: .seconds(60))
        await eventually { clock.remaining == [.seconds(3)] }
        clock.advance(by: .seconds(3))
        #expect(await reading.value == [nil, "timedOut", nil])
    }

    // The end.

    @Test("cancelling the task in a pause ends the sequence without a call, with .cancelled as its last element")
    func cancelledInPause() async {
        let task = Task {
            await all(of: events([Self.stream("data: a\n\n"), Self.stream("data: b\n\n")]))
        }
        await clock.waitForSleepers(count: 1)
        task.cancel()
        #expect(await task.value == [.right(ServerSentEvent(data: "a")), .left(.left(.cancelled))])
        #expect(sent.elements.count == 1)
        #expect(clock.sleeperCount == 0)
    }
}
