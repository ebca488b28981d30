import Foundation
import StartSmall
import StartSmallStreams
import StartSmallMetrics
import StartSmallTesting
import TestSupport
import Testing

/// Streams that end because of a value: as the condition `until` says, or as failures because of a problem.
struct StreamEndTests {
    private struct Problem: Codable, Hashable, Error {
        var message: String
    }

    private typealias Failure = TransformError<Problem>

    private let input = Either<ConnectionError, Input>.get("https://api.example.com/chat")
    private let log = EventLog()
    private let metrics = CallMetrics()

    private var chat: StreamEndpoint<Failure, ServerSentEvent> { chat(input) }

    private func chat(_ input: Either<ConnectionError, Input>) -> StreamEndpoint<Failure, ServerSentEvent> {
        Endpoint.events(input, problem: Problem.self, until: { $0.data == "[DONE]" })
            .failing { $0.type == "error" ? try $0.json(Problem.self).get() : nil }
    }

    private func observed(_ connector: Connector) -> Connector {
        connector.wrapped(by: .listen(to: log.listener + .metrics(metrics)))
    }

    private static let error = "event: error\ndata: {\"message\": \"overloaded\"}\n\n"

    /// Returns the data of the values, and the failures after them.
    private func callState<S: AsyncSequence>(
        _ stream: S
    ) async -> (data: [String], failures: [CallError<Failure>])
    where S.Failure == Never, S.Element == Fetched<Failure, ServerSentEvent> {
        var (data, failures): ([String], [CallError<Failure>]) = ([], [])
        for await element in stream {
            if let event = element.right {
                #expect(failures.isEmpty)
                data.append(event.data)
            }
            if let failure = element.left { failures.append(failure) }
        }
        return (data, failures)
    }

    /// Expects exactly one failure, the overloaded problem with its status.
    private func expectOverloaded(
        _ failures: [CallError<Failure>],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let failure = failures.first?.right
        #expect(failures.count == 1, sourceLocation: sourceLocation)
        #expect(failure?.problem == Problem(message: "overloaded"), sourceLocation: sourceLocation)
        #expect(failure?.response.statusCode == .ok, sourceLocation: sourceLocation)
        #expect(log.names.suffix(3) == ["invalid", "failed", "ended"], "\(log.names)", sourceLocation: sourceLocation)
        let statistics = metrics.snapshot.endpoints.values.first
        #expect(statistics?.latencies.mapValues(\.count) == [.success: 1], sourceLocation: sourceLocation)
        #expect(statistics?.failures == ["invalid": 1] && statistics?.inFlight == 0, sourceLocation: sourceLocation)
    }

    private func expectSuccess(sourceLocation: SourceLocation = #_sourceLocation) {
        let events = ["started", "receivedHead", "received", "transformed", "succeeded", "ended"]
        #expect(log.names == events, sourceLocation: sourceLocation)
        let statistics = metrics.snapshot.endpoints.values.first
        #expect(statistics?.latencies.mapValues(\.count) == [.success: 1], sourceLocation: sourceLocation)
        #expect(statistics?.failures == [:] && statistics?.inFlight == 0, sourceLocation: sourceLocation)
    }

    @Test(
        "a call succeeds before the value of its condition, and fails at the first problem; nothing after it counts",
        arguments: [
            (["data: [DONE]\n\n", "data: b\n\n"], [], false), (["data: a\n\n", "data: [DONE]\n\n"], ["a"], false),
            (["data: a\n\ndata: [DONE]\n\ndata: b\n\n"], ["a"], false), (["data: a\n\n"], ["a"], false),
            ([], [], false),
            (["data: a\n\ndata: [DONE]\n\n\(error)", error], ["a"], false),
            // An event without a blank line is none (WHATWG HTML 9.2.6).
            (["data: a\n\n", String(error.dropLast())], ["a"], false),
            ([error], [], true), (["data: a\n\n", error, "data: b\n\n"], ["a"], true),
            (["data: a\n\n\(error)data: b\n\n"], ["a"], true),
            (["data: a\n\n", error, "data: [DONE]\n\n"], ["a"], true),
            (["data: a\n\n\(error)data: [DONE]\n\n"], ["a"], true), (["data: a\n\n", error + error], ["a"], true),
        ] as [([String], [String], Bool)]
    )
    func ends(_ parts: [String], _ expected: [String], _ isProblem: Bool) async {
        let (data, failures) = await callState(chat.stream(via: observed(.stub(parts: parts))))
        #expect(data == expected)
        if isProblem { expectOverloaded(failures) } else { expectSuccess() }
        #expect(failures.isEmpty || isProblem)
    }

    @Test("the call fails at a problem wherever the bytes are cut, and byte by byte")
    func cut() async {
        let bytes = Array("data: a\n\n\(Self.error)data: b\n\n".utf8)
        let cuts = bytes.indices.map { [Data(bytes[..<$0]), Data(bytes[$0...])] } + [bytes.map { Data([$0]) }]
        for parts in cuts {
            let (data, failures) = await callState(chat.stream(via: .stub(parts: parts)))
            #expect(data == ["a"] && failures.map(\.right?.problem) == [Problem(message: "overloaded")], "\(parts)")
        }
    }

    @Test("a problem that can't be decoded ends the call, too, with the reason")
    func unreadable() async {
        let parts = ["event: error\ndata: <html>\n\n", "data: b\n\n"]
        let (data, failures) = await callState(chat.stream(via: observed(.stub(parts: parts))))
        #expect(data == [] && failures.count == 1)
        guard case .right(.malformedData(let response, let reason))? = failures.first else {
            Issue.record("\(failures)")
            return
        }
        #expect(response.statusCode == .ok && reason.contains("not valid JSON"), "\(reason)")
        #expect(log.names.suffix(3) == ["malformed", "failed", "ended"])
    }

    @Test("listeners receive the API's problem, with credentials redacted")
    func reason() async {
        let received = Recorder<Event>()
        let failing = Listener.onFailure { _, reason in received.append(reason) }
        let parts = ["event: error\ndata: {\"message\": \"see https://a.example/?token=s3cr3t\"}\n\n"]
        _ = await callState(chat.stream(via: .stub(parts: parts).wrapped(by: .listen(to: failing))))
        guard case .invalid(let response, let reason)? = received.elements.first else {
            Issue.record("\(received.elements)")
            return
        }
        #expect(response.statusCode == .ok && reason.contains("see https://a.example/"))
        #expect(!reason.contains("s3cr3t"))
    }

    @Test("of several conditions the first problem counts, with values mapped before or after")
    func mapped() async {
        let lengths = chat.map(\.data.count).failing { $0 > 3 ? Problem(message: "\($0) long") : nil }.map { -$0 }
        var elements: [Fetched<Failure, Int>] = []
        for await element in lengths.stream(via: .stub(parts: ["data: abc\n\n", "data: abcd\n\n", Self.error])) {
            elements.append(element)
        }
        #expect(elements.first == .right(-3) && elements.count == 2)
        #expect(elements.last?.failure?.problem == Problem(message: "4 long"))
        let twice = chat.failing { _ in Problem(message: "other") }
        let (_, failures) = await callState(twice.stream(via: .stub(parts: [Self.error])))
        #expect(failures.map(\.right?.problem) == [Problem(message: "overloaded")])
    }

    @Test("a consumer that is cancelled at any moment gets one failure, and each call ends once", arguments: 0..<40)
    func cancelledAtAnyMoment(yields: Int) async {
        let stream = chat.stream(via: observed(.stub(parts: ["data: a\n\n", Self.error, "data: b\n\n"])))
        let task = Task { await callState(stream) }
        for _ in 0..<yields { await Task.yield() }
        task.cancel()
        let (_, failures) = await task.value
        let isKnown = failures.first == .left(.cancelled) || failures.first?.right?.problem != nil
        #expect(failures.count == 1 && isKnown, "\(failures)")
        // Of one moment, since a call that was cancelled before its start can still begin.
        await eventually { [log] in
            let names = log.names
            let counts = ["started", "failed", "ended"].map { name in names.count { $0 == name } }
            return Set(counts).count == 1
        }
        #expect(!log.names.contains("succeeded"))
    }

    @Test("the condition and a problem also end events over many calls: no call follows", arguments: [true, false])
    func manyCalls(isProblem: Bool) async {
        let sent = Recorder<Input>()
        let last = isProblem ? Self.error : "data: [DONE]\n\n"
        let parts = ["retry: 0\nid: 1\ndata: a\n\n", "\(last)data: b\n\n"]
        let events = Endpoint.events(input, problem: Problem.self, until: { $0.data == "[DONE]" })
            .failing { $0.type == "error" ? try $0.json(Problem.self).get() : nil }
            .reconnecting(clock: ManualClock())
        let (data, failures) = await callState(events.stream(via: observed(.stub(parts: parts, recording: sent))))
        #expect(data == ["a"] && sent.elements.count == 1)
        if isProblem { expectOverloaded(failures) } else { expectSuccess() }
    }

    @Test("a value for which a conversion throws is a failure of that value only, and a later problem ends the stream")
    func conversion() async {
        let stub = Connector.stub(parts: ["data: 1\n\ndata: x\n\ndata: 3\n\n" + Self.error])
        let numbers = chat.map { event in
            guard let number = Int(event.data) else { throw Problem(message: "no number") }
            return number
        }
        var elements: [Fetched<Failure, Int>] = []
        for await element in numbers.stream(via: stub) { elements.append(element) }
        #expect(elements.map(\.right) == [1, nil, 3, nil])
        #expect(elements.count == 4)
        #expect("\(elements[1])".contains("no number"))
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
        #expect(await callState(chat.stream(via: observed(connector))).data == ["a"])
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

    @Test(
        "over a socket: the connection is closed at the end or a problem, whatever the server sends after it",
        arguments: EngineUnderTest.all,
        [("data: [DONE]\n\n", 0), ("data: [DONE]\n\n", 20_000), (error, 0), (error, 20_000)]
    )
    func loopback(engine: EngineUnderTest, last: (event: String, times: Int)) async throws {
        let closed = Latch()
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        let steps: [ServerScriptStep] = [
            .receiveRequest, .send(head + "data: a\n\n" + last.event),
            .sendRepeatedly(Data("data: more\n\n".utf8), times: last.times), .waitForClose, .open(closed),
        ]
        try await LoopbackServer.playing({ _ in steps }) { server in
            let stream = chat(.get(server.url.absoluteString))
                .stream(via: observed(engine.connector(idle: .seconds(600))))
            let (data, failures) = await callState(stream)
            #expect(data == ["a"])
            if last.event == Self.error {
                expectOverloaded(failures)
            } else {
                #expect(failures.isEmpty && log.names.suffix(2) == ["succeeded", "ended"], "\(log.names)")
                #expect(metrics.snapshot.endpoints["GET 127.0.0.1"]?.failures == [:])
            }
            if last.times == 0 { await closed.wait() }
        }
    }
}
