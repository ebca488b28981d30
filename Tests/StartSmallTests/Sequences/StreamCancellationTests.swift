import Foundation
import StartSmall
import StartSmallTesting
import Testing

struct StreamCancellationTests {
    private let lines = Endpoint.lines(.get("https://api.example.com/log"))
    private let log = EventLog()
    private let metrics = CallMetrics()

    private func heard(_ connector: Connector) -> Connector {
        connector.wrapped(by: .listen(to: log.listener + .metrics(metrics)))
    }

    private var figures: CallMetrics.EndpointStatistics? { metrics.snapshot.endpoints["GET api.example.com"] }

    /// A server that sends these lines, and then nothing, without ending its response.
    private func pending(_ lines: [String]) -> Connector {
        Connector { input in
            let head = Response(statusCode: .ok)
            let parts = lines.map { PayloadConsumer.Part.chunk(Data("\($0)\n".utf8)) }
            for part in [.head(head)] + parts {
                if let error = await input.destination.consumer?.receive(part) { return .noResponse(error) }
            }
            await Latch().wait()
            return .noResponse(.cancelled)
        }
    }

    @Test("a consumer cancelled behind any element gets `cancelled`, and then nothing", arguments: 0...3)
    func told(_ count: Int) async {
        let connector = heard(pending(["a", "b", "c"]))
        let elements = await Task { [lines] in
            var iterator = lines.stream(via: connector).makeAsyncIterator()
            var elements: [Fetched<TransformError<Never>, String>?] = []
            for _ in 0..<count { elements.append(await iterator.next()) }
            withUnsafeCurrentTask { $0?.cancel() }
            for _ in 0..<3 { elements.append(await iterator.next()) }
            return elements
        }.value
        let values = ["a", "b", "c"].prefix(count).map { Fetched<TransformError<Never>, String>.right($0) }
        #expect(elements == values + [.left(.left(.cancelled)), nil, nil])
        if count == 0 { return #expect(log.names.isEmpty) }
        await eventually { log.names.last == "ended" }
        #expect(log.names == ["started", "receivedHead", "cancelled", "failed", "ended"])
        #expect(figures?.failures == ["cancelled": 1])
        #expect(figures?.latencies.mapValues(\.count) == [.success: 1])
    }

    @Test("a consumer that is cancelled while it waits for an element is told, too")
    func waiting() async {
        let connector = heard(pending(["a"]))
        let (log, lines, hasOne) = (log, lines, Latch())
        let task = Task {
            var elements: [Fetched<TransformError<Never>, String>] = []
            for await element in lines.stream(via: connector) {
                elements.append(element)
                hasOne.open()
            }
            return elements
        }
        await hasOne.wait()
        task.cancel()
        #expect(await task.value == [.right("a"), .left(.left(.cancelled))])
        await eventually { log.names.last == "ended" }
        #expect(figures?.latencies.mapValues(\.count) == [.success: 1])
    }

    @Test("a stream that had ended before its consumer was cancelled has ended")
    func afterTheEnd() async {
        let connector = Connector.stub(parts: ["a\n"])
        let last = await Task { [lines] in
            var iterator = lines.stream(via: connector).makeAsyncIterator()
            while await iterator.next() != nil {}
            withUnsafeCurrentTask { $0?.cancel() }
            return await iterator.next()
        }.value
        #expect(last == nil)
    }

    @Test("nothing follows a failure of the call, though the consumer is cancelled then")
    func afterAFailure() async {
        let connector = Connector.stub(parts: ["a\n"], failingWith: Fixture.lost)
        let elements = await Task { [lines] in
            var iterator = lines.stream(via: connector).makeAsyncIterator()
            let elements = [await iterator.next(), await iterator.next()]
            withUnsafeCurrentTask { $0?.cancel() }
            return elements + [await iterator.next()]
        }.value
        #expect(elements == [.right("a"), .left(.left(Fixture.lost)), nil])
    }

    @Test("metrics know the status of a stream that breaks off, or that its consumer leaves", arguments: [true, false])
    func status(_ breaks: Bool) async {
        let (log, lines) = (log, lines)
        let connector = heard(
            breaks ? .stub(parts: ["a\n"], status: .accepted, failingWith: Fixture.lost) : pending(["a"])
        )
        for await element in lines.stream(via: connector) where !breaks && element.right == "a" { break }
        await eventually { log.names.last == "ended" }
        #expect(log.names.contains("receivedHead"))
        #expect(figures?.failures == [breaks ? "connectionLost" : "cancelled": 1])
        #expect(figures?.latencies.mapValues(\.count) == [.success: 1])
    }

    @Test(
        "over a socket: metrics know the status of a call that is cancelled in its payload, wherever that goes",
        arguments: EngineUnderTest.all,
        [true, false]
    )
    func onTheWire(engine: EngineUnderTest, isStream: Bool) async throws {
        let halfway = Latch()
        let listener = Listener { (event: Event) in
            if case .progress(let progress) = event, progress.received.bytes == 2 { halfway.open() }
        }
        let steps: [ServerScriptStep] = [
            .receiveRequest, .send("HTTP/1.1 202 Accepted\r\n\(unsniffed)Content-Length: 9\r\n\r\na\n"), .waitForClose,
        ]
        try await LoopbackServer.playing({ _ in steps }) { server in
            let connector = heard(engine.connector(idle: .seconds(600))).wrapped(by: .listen(to: listener))
            let input = Either<ConnectionError, Input>.get(server.url.absoluteString)
            let task = Task {
                if !isStream { return await Endpoint.text(input).fetch(via: connector).connectionError }
                var last: ConnectionError?
                for await element in Endpoint.lines(input).stream(via: connector) { last = element.connectionError }
                return last
            }
            await halfway.wait()
            task.cancel()
            #expect(await task.value == .cancelled)
            await eventually { log.names.last == "ended" }
        }
        let figures = try #require(metrics.snapshot.endpoints["GET 127.0.0.1"])
        #expect(figures.failures == ["cancelled": 1])
        #expect(figures.latencies.mapValues(\.count) == [.success: 1])
    }

    @Test("two iterators of one stream at once make two calls, and neither disturbs the other")
    func interleaved() async {
        let sent = Recorder<Input>()
        let stream = lines.stream(via: .stub(parts: ["a\n", "b\n"], recording: sent))
        var (first, second) = (stream.makeAsyncIterator(), stream.makeAsyncIterator())
        var elements: [String?] = []
        for _ in 0..<3 {
            elements.append(await first.next()?.right)
            elements.append(await second.next()?.right)
        }
        #expect(elements == ["a", "a", "b", "b", nil, nil])
        #expect(sent.elements.count == 2)
    }

    @Test("a value of a stream is sent over whatever it is given when it is iterated")
    func connectors() async {
        let (first, second) = (Recorder<Input>(), Recorder<Input>())
        let lines = lines.with { $0.headers["X-A"] = "b" }
        for await _ in lines.stream(via: .stub(parts: ["a\n"], recording: first)) {}
        for await _ in lines.stream(via: .stub(parts: ["a\n"], recording: second)) {}
        #expect((first.elements + second.elements).map { $0.headers["X-A"] } == ["b", "b"])
    }
}
