import Foundation
import StartSmall
import StartSmallMetrics
import StartSmallTesting
import Testing

struct StreamEndTests {
    private let input = Either<ConnectionError, Input>.get("https://api.example.com/chat")
    private let log = EventLog()
    private let metrics = CallMetrics()

    private var chat: StreamEndpoint<Never, ServerSentEvent> {
        Endpoint.events(input, until: { $0.data == "[DONE]" })
    }

    private func observed(_ connector: Connector) -> Connector {
        connector.wrapped(by: .listen(to: log.listener + .metrics(metrics)))
    }

    private var statistics: CallMetrics.EndpointStatistics? { metrics.snapshot.endpoints["GET api.example.com"] }

    private func data<S: AsyncSequence>(_ stream: S) async -> [String?]
    where S.Failure == Never, S.Element == Fetched<TransformError<Never>, ServerSentEvent> {
        var texts: [String?] = []
        for await element in stream { texts.append(element.right?.data) }
        return texts
    }

    private func expectSuccess(sourceLocation: SourceLocation = #_sourceLocation) {
        let events = ["started", "receivedHead", "received", "transformed", "succeeded", "ended"]
        #expect(log.names.filter { $0 != "progress" && $0 != "timings" } == events, sourceLocation: sourceLocation)
        #expect(statistics?.latencies.mapValues(\.count) == [.success: 1], sourceLocation: sourceLocation)
        #expect(statistics?.failures == [:] && statistics?.inFlight == 0, sourceLocation: sourceLocation)
    }

    @Test(
        "the stream ends before the element for which the condition is true, and the call succeeds",
        arguments: [
            (["data: [DONE]\n\n", "data: b\n\n"], []), (["data: a\n\n", "data: [DONE]\n\n"], ["a"]),
            (["data: a\n\ndata: [DONE]\n\ndata: b\n\n"], ["a"]), (["data: a\n\n", "data: b\n\n"], ["a", "b"]),
            ([], []),
        ]
    )
    func ends(_ parts: [String], _ expected: [String]) async {
        #expect(await data(chat.stream(via: observed(.stub(parts: parts)))) == expected)
        expectSuccess()
    }

    @Test("the condition ends the stream wherever the bytes are cut", arguments: 0...39)
    func cut(_ index: Int) async {
        let text = "data: a\n\ndata: [DONE]\n\ndata: b\n\ndata: c\n\n"
        let parts = [String(text.prefix(index)), String(text.dropFirst(index))]
        #expect(await data(chat.stream(via: observed(.stub(parts: parts)))) == ["a"])
        expectSuccess()
    }

    @Test("all wrappers see a success, also inside of one that changes the body: no call is retried or timed out")
    func wrappers() async {
        let (sent, outputs) = (Recorder<Input>(), Recorder<Output>())
        let stub = Connector.stub(parts: ["data: a\n\n", "data: [DONE]\n\n", "data: b\n\n"], recording: sent)
        let changing = Wrapper { input, next in await next(input).mapBody { $0.map { $0 } } }
        let noting = Wrapper { input, next in await next(input).whenEnded { outputs.append($0) } }
        let connector = stub.wrapped(
            by: noting,
            .retry(clock: ManualClock(), random: { 0 }),
            .timeout(.seconds(1), clock: ManualClock()),
            .limitPayload(bytes: 1_000),
            .redirect(),
            changing,
            noting
        )
        #expect(await data(chat.stream(via: observed(connector))) == ["a"])
        expectSuccess()
        #expect(sent.elements.count == 1)
        #expect(outputs.elements.map { $0.response?.statusCode } == [.ok, .ok])
    }

    @Test("the condition is evaluated once for each element, and for none after the end")
    func asked() async {
        let asked = Recorder<String>()
        let lines = Endpoint.lines(
            input,
            until: { line in
                asked.append(line)
                return line == "c"
            }
        )
        var texts: [String?] = []
        for await line in lines.stream(via: .stub(parts: ["a\nb\nc\nd\n", "e\n"])) { texts.append(line.right) }
        #expect(texts == ["a", "b"])
        #expect(asked.elements == ["a", "b", "c"])
    }

    @Test("a last line without a line end may be the end")
    func lastLine() async {
        var numbers: [Int?] = []
        let stream = Endpoint.jsonLines(Int.self, input, until: { $0 == 0 })
            .stream(via: observed(.stub(parts: ["1\n", "2\n0"])))
        for await number in stream { numbers.append(number.right) }
        #expect(numbers == [1, 2])
        expectSuccess()
    }

    @Test("an element that can't be decoded does not end the stream")
    func unreadable() async {
        let lines = Endpoint.lines(input, limit: 6, until: { $0 == "[DONE]" })
        var texts: [String?] = []
        for await line in lines.stream(via: .stub(parts: ["too long\n[DONE]\nb\n"])) { texts.append(line.right) }
        #expect(texts == [nil])
    }

    @Test("the condition sees the original elements, also if they are mapped")
    func mapped() async {
        var counts: [Int?] = []
        let stub = Connector.stub(parts: ["data: abc\n\n", "data: [DONE]\n\n"])
        for await count in chat.map(\.data.count).stream(via: stub) { counts.append(count.right) }
        #expect(counts == [3])
    }

    @Test("the condition also ends server-sent events over many calls: no call follows")
    func manyCalls() async {
        let sent = Recorder<Input>()
        let server = Connector.stub(parts: ["data: a\n\n", "data: [DONE]\n\n"], recording: sent)
        let events = ServerSentEvents(input, until: { $0.data == "[DONE]" }, clock: ManualClock())
        #expect(await data(events.stream(via: observed(server))) == ["a"])
        expectSuccess()
        #expect(sent.elements.count == 1)
    }

    @Test("a rejection by a wrapper stays one, even with the reason for which the stream would reject the response")
    func rejectedByAWrapper() async throws {
        let page = Connector.stub(.text("<p>", headers: ["Content-Type": "text/html"]))
        var iterator = chat.stream(via: page).makeAsyncIterator()
        guard case .left(.right(.malformedData(_, let reason)))? = await iterator.next() else {
            Issue.record("the stream accepts a page")
            return
        }
        var other = chat.stream(via: page.wrapped(by: .validate { _ in reason })).makeAsyncIterator()
        guard case .left(.left(.rejected(_, reason)))? = await other.next() else {
            Issue.record("the rejection of the wrapper is reported as the stream's")
            return
        }
    }
}
