import Foundation
import StartSmall
import StartSmallMetrics
import StartSmallTesting
import Testing

/// The events that listeners receive from a real engine; other tests check what listeners do with events.
struct ListenersOnTheWireTests {
    @Test(
        "over a socket: an indicator shows and hides, a failure and an end are reported, and metrics count both calls",
        arguments: EngineUnderTest.all
    )
    func loopback(engine: EngineUnderTest) async throws {
        let (shown, received, metrics) = (Recorder<Bool>(), Recorder<String>(), CallMetrics())
        let failures = Listener.onFailure { received.append("failure: \($1.name)") }
        let ends = Listener.onEnd { received.append("end: \($1.name)") }
        let listener = .indicator { shown.append($0) } + failures + ends + .metrics(metrics)
        try await LoopbackServer.serving(.stub(sequence: [.text("hello"), .status(.notFound)])) { server in
            let connector = engine.connector().wrapped(by: .listen(to: listener))
            for _ in 0..<2 { _ = await Endpoint.text(.get(server.url.absoluteString)).fetch(via: connector) }
        }
        #expect(received.elements == ["end: succeeded", "failure: refused", "end: refused"])
        let statistics = try #require(metrics.snapshot.endpoints["GET 127.0.0.1"])
        #expect(statistics.count == 2)
        #expect(statistics.errors == 1)
        #expect(statistics.inFlight == 0)
        #expect(shown.elements == [true, false, true, false])
    }

    @Test("over a socket, a listener of progress receives sent bytes, and received bytes halfway and in total")
    func progress() async throws {
        let (counts, resume) = (Recorder<StartSmall.TransferProgress>(), Latch())
        let listener = Listener.progress { progress, _ in
            counts.append(progress)
            if progress.received == .init(bytes: 5, total: 10) { resume.open() }
        }
        // The server sends the second half after progress of the first: otherwise the call would not succeed.
        let steps: [ServerScriptStep] = [
            .receiveRequest, .send("HTTP/1.1 200 OK\r\n\(unsniffed)Content-Length: 10\r\n\r\nhello"), .wait(resume),
            .send("world"),
        ]
        let payload = Payload(.data(Data(count: 1_000_000)), mediaType: .octetStream)
        let output = try await LoopbackServer.playing({ _ in steps }) { server in
            let input = Input(url: server.url, methodAndPayload: .put(payload: payload))
            return await WebAPI.call(with: input, via: .standard.wrapped(by: .listen(to: listener)))
        }
        #expect(output.response?.payload == Data("helloworld".utf8))
        let last = StartSmall.TransferProgress(
            status: .ok,
            sent: .init(bytes: 1_000_000, total: 1_000_000),
            received: .init(bytes: 10, total: 10)
        )
        #expect(counts.elements.last == last)
        for bytes in [counts.elements.map(\.sent.bytes), counts.elements.map(\.received.bytes)] {
            #expect(bytes == bytes.sorted())
        }
    }
}
