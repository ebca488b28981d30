import Foundation
import StartSmallCore
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

struct CompletionListenersTests {
    private let received = Recorder<String>()

    private func recording(_ input: Input?, _ event: Event) {
        received.append("\(input?.url.path() ?? "nil") \(event.name)")
    }

    private func connector(_ output: Output, _ listener: Listener) -> Connector {
        .stub(output).wrapped(by: .listen(to: listener))
    }

    @Test(
        "a failure is reported once, with the event of its reason",
        .parity("B24"),
        arguments: [
            (Output.noResponse(Fixture.lost), "/things noResponse"),
            (.noResponse(.cancelled), "/things cancelled"),
            (.hasResponse(Response(statusCode: .notFound)), "/things rejected"),
            (.hasResponse(Response(statusCode: .ok, payload: Data([0xFF]))), "/things malformed"),
        ]
    )
    func failure(_ output: Output, _ expected: String) async {
        _ = await Fixture.endpoint.fetch(via: connector(output, .onFailure(recording)))
        #expect(received.elements == [expected])
    }

    @Test("an input that could not be built is a failure without an input", .parity("B24"))
    func unbuilt() async {
        let endpoint = Endpoint.text(.left(.malformedURL(debugInfo: "no")))
        _ = await endpoint.fetch(via: connector(.hasResponse(Fixture.ok), .onFailure(recording)))
        #expect(received.elements == ["nil noResponse"])
    }

    @Test("the end of every call is reported once, with its outcome", .parity("B24"))
    func end() async {
        let listener = Listener.onEnd(recording)
        _ = await Fixture.endpoint.fetch(via: connector(.hasResponse(Fixture.ok), listener))
        _ = await Fixture.endpoint.fetch(via: connector(.noResponse(Fixture.lost), listener))
        #expect(received.elements == ["/things succeeded", "/things noResponse"])
    }

    @Test("failure and end are reported after the caller's block, the failure first", .parity("B24"))
    func order() async {
        let listener =
            Listener.onEnd { [received] _, _ in received.append("end") }
            + .onFailure { [received] _, _ in
                received.append("failure")
            }
        let connector = connector(.noResponse(Fixture.lost), listener)
        await Fixture.endpoint.fetch(via: connector) { [received] _ in received.append("block") }.value
        #expect(received.elements == ["block", "failure", "end"])
    }

    @Test("progress is reported with its call, and no other event is")
    func progress() async {
        let shown = Recorder<(StartSmallCore.TransferProgress, CallID)>()
        let log = EventLog()
        let halfway = StartSmallCore.TransferProgress(received: .init(bytes: 5, total: 10))
        let engine = Connector { _, context in
            context.report(.progress(halfway))
            return .hasResponse(Fixture.ok)
        }
        let listener = log.listener + .progress { shown.append(($0, $1)) }
        _ = await WebAPI.call(with: Fixture.input, via: engine.wrapped(by: .listen(to: listener)))
        #expect(shown.elements.map(\.0) == [halfway])
        #expect(shown.elements.map(\.1) == log.calls)
    }
}
