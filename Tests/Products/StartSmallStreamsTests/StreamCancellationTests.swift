import Foundation
import StartSmall
import StartSmallStreams
import StartSmallMetrics
import StartSmallTesting
import TestSupport
import Testing

struct StreamCancellationTests {
    private let lines = Endpoint.lines(.get("https://api.example.com/log"))
    private let log = EventLog()
    private let metrics = CallMetrics()
    private let ends = Recorder<ResponseBody.End>()

    private func observed(_ connector: Connector) -> Connector {
        connector.wrapped(by: .listen(to: log.listener + .metrics(metrics)))
    }

    private var statistics: CallMetrics.EndpointStatistics? { metrics.snapshot.endpoints["GET api.example.com"] }

    /// Returns a server that sends these lines and nothing more, without ending its response.
    private func pending(_ lines: [String]) -> Connector {
        Connector { [ends] _ in
            Output.open(Response(statusCode: .ok), lines.map { "\($0)\n".utf8 }, silent: true)
                .onEnd { ends.append($0) }
        }
    }

    @Test(
        "a consumer cancelled after any element receives .cancelled, and then nil, also if others wait",
        arguments: 0...3,
        [["a", "b", "c"], ["a\nb\nc"]]
    )
    func told(_ count: Int, _ chunks: [String]) async {
        let connector = observed(pending(chunks))
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
        #expect(ends.elements.count == 1)
        #expect(statistics?.failures == ["cancelled": 1])
        #expect(statistics?.latencies.mapValues(\.count) == [.success: 1])
    }

    enum Reader: CaseIterable, Sendable { case body, stream, snapshots, items }

    @Test("a reader that waits on the main actor is cancelled at once", arguments: Reader.allCases)
    @MainActor func onMainActor(_ reader: Reader) async throws {
        let (begun, lines, pending) = (Latch(), lines, pending(["a"]))
        let input = try #require(lines.input.right).with { $0.delivery = .stream }
        let task = Task { () -> ConnectionError? in
            var failure: CallError<TransformError<Never>>?
            switch reader {
            case .body:
                guard let body = await WebAPI.call(with: input, via: pending).response?.body else { return nil }
                do throws(ConnectionError) { for try await _ in body { begun.open() } } catch { return error }
            case .stream:
                for await element in lines.stream(via: pending) {
                    begun.open()
                    failure = element.left
                }
            case .snapshots:
                do throws(CallError<TransformError<Never>>) {
                    let counts = lines.values(via: pending).snapshots(into: 0) { count, _ in count += 1 }
                    for try await _ in counts { begun.open() }
                } catch { failure = error }
            case .items:
                let pages = Endpoint.json([Int].self, lines.input).pages(by: .link())
                for await _ in pages.items(via: .silent(begun: begun, ended: Latch())) { return nil }
                return Task.isCancelled ? .cancelled : nil
            }
            return failure?.left
        }
        await begun.wait()
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test("no element follows the end or a failure, even if the consumer is cancelled then", arguments: [true, false])
    func afterTheEnd(_ breaks: Bool) async {
        let connector = Connector.stub(parts: ["a\n"], failingWith: breaks ? Fixture.lost : nil)
        let elements = await Task { [lines] in
            var iterator = lines.stream(via: connector).makeAsyncIterator()
            let elements = [await iterator.next(), await iterator.next()]
            withUnsafeCurrentTask { $0?.cancel() }
            return elements + [await iterator.next()]
        }.value
        let last = breaks ? Fixture.lost(after: Response(statusCode: .ok), reading: 2) : nil
        #expect(elements == [.right("a"), last.map { .left(.left($0)) }, nil])
    }

    @Test(
        "over a socket: metrics have the status of a call cancelled in its payload, for each delivery",
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
            let connector = observed(engine.connector(idle: .seconds(600))).wrapped(by: .listen(to: listener))
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
        let statistics = try #require(metrics.snapshot.endpoints["GET 127.0.0.1"])
        #expect(statistics.failures == ["cancelled": 1])
        #expect(statistics.latencies.mapValues(\.count) == [.success: 1])
    }

    @Test("two concurrent iterators of one stream make two calls, and neither disturbs the other")
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
}
