import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// What the listeners hear of a real engine; what they make of it has tests of its own.
struct ListenersOnTheWireTests {
    @Test(
        "over a socket: an indicator shows and hides, a failure and an end are told, and metrics count both calls",
        arguments: EngineUnderTest.all
    )
    func loopback(engine: EngineUnderTest) async throws {
        let (shown, heard, metrics) = (Recorder<Bool>(), Recorder<String>(), Metrics())
        let failures = Listener.onFailure { heard.append("failure: \($1.name)") }
        let ends = Listener.onEnd { heard.append("end: \($1.name)") }
        let listener = .indicator { shown.append($0) } + failures + ends + .metrics(metrics)
        try await LoopbackServer.serving(.stub(sequence: [.text("hello"), .status(.notFound)])) { server in
            let connector = engine.connector().wrapped(by: .listen(to: listener))
            for _ in 0..<2 { _ = await Endpoint.text(.get(server.url.absoluteString)).fetch(via: connector) }
        }
        #expect(heard.elements == ["end: succeeded", "failure: refused", "end: refused"])
        let figures = try #require(metrics.snapshot.endpoints["GET 127.0.0.1"])
        #expect(figures.count == 2)
        #expect(figures.errors == 1)
        #expect(figures.inFlight == 0)
        #expect(shown.elements == [true, false, true, false])
    }
}
