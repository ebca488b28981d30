import Foundation
import StartSmall
import StartSmallTesting
import Synchronization
import TestSupport
import Testing

/// The laws of composition, with wrappers that mark inputs and outputs.
struct LawsTests {
    /// Marks the input on the way in and the output on the way out.
    private func mark(_ name: String) -> Wrapper {
        Wrapper { input, next in
            var input = input
            input.headers.append("In", name)
            guard case .hasResponse(var response) = await next(input) else { return .noResponse(Fixture.lost) }
            response.headers.append("Out", name)
            return .hasResponse(response)
        }
    }

    /// Returns the output of a connector that answers with the headers of its request.
    private func fields(through wrappers: [[Wrapper]]) async -> [HTTPHeaders.Field] {
        let mirror = Connector { input in .hasResponse(Response(statusCode: .ok, headers: input.headers)) }
        let connector = wrappers.reduce(mirror) { $0.wrapped(by: .all($1)) }
        return await WebAPI.call(with: Fixture.input, via: connector).response?.headers.fields ?? []
    }

    private func field(_ name: String, _ value: String) -> HTTPHeaders.Field {
        .init(name: name, value: value)
    }

    @Test(
        "a connector that the app defines once has the engine, the query encoding and the log of all its calls",
        .parity("B13")
    )
    func oneConnector() async throws {
        let (sent, log) = (Recorder<Input>(), Recorder<String>())
        let app = Connector.stub(.text("hi"), recording: sent)
            .wrapped(by: .log(print: { log.append($0) }), .queryEncoding(.form))
        let input = Input(url: Fixture.url, queries: [URLQueryItem(name: "q", value: "a b")])
        _ = await Endpoint.text(.right(input)).fetch(via: app)
        _ = await Endpoint.data(.right(input)).fetch(via: app)
        #expect(sent.elements.map { $0.url.query() } == ["q=a+b", "q=a+b"])
        #expect(log.elements.count { $0.contains("→") } == 2)
    }

    @Test("the first wrapper is the outermost: it sees the input first and the output last")
    func order() async {
        let passed = await fields(through: [[mark("a"), mark("b")]])
        #expect(passed == [field("In", "a"), field("In", "b"), field("Out", "b"), field("Out", "a")])
    }

    @Test("wrapping with none changes nothing, and in two steps equals wrapping in one, with the later step outside")
    func associativity() async {
        let inTwo = await fields(through: [[mark("c")], [], [mark("a"), mark("b")]])
        #expect(await inTwo == fields(through: [[mark("a"), mark("b"), mark("c")]]))
    }

    @Test("a wrapper's state is created once per wrapping, not once per call, and not shared by two connectors")
    func state() async {
        let made = Recorder<Void>()
        let counting = Wrapper(wrapping: { connector in
            made.append(())
            let count = Mutex(0)
            let number = Wrapper { input, next in
                var input = input
                input.headers["Number"] = "\(count.withLock { $0 += 1; return $0 })"
                return await next(input)
            }
            return connector.wrapped(by: number)
        })
        let sent = Recorder<Input>()
        let first = Connector.stub(.hasResponse(Fixture.ok), recording: sent).wrapped(by: counting)
        let second = Connector.stub(.hasResponse(Fixture.ok), recording: sent).wrapped(by: counting)
        for connector in [first, first, second] { _ = await WebAPI.call(with: Fixture.input, via: connector) }
        #expect(made.elements.count == 2)
        #expect(sent.elements.map { $0.headers["Number"] } == ["1", "2", "1"])
    }

    @Test("a custom connector can report an event to its listeners", .parity("B8"))
    func reporting() async {
        let log = EventLog()
        let cache = Connector { _, context in
            context.report(TestEvent("hit"))
            return .hasResponse(Fixture.ok)
        }
        _ = await WebAPI.call(with: Fixture.input, via: cache.wrapped(by: .listen(to: log.listener)))
        #expect(log.events[1] == .reported(TestEvent("hit")))
    }

    @Test("no wrapper or connector can report the call's own events, or any event after its end")
    func forged() async {
        let log = EventLog()
        let (go, done) = (Latch(), Latch())
        let connector = Connector { _, context in
            context.report(.ended)
            context.report(.received(Fixture.ok))
            Task {
                await go.wait()
                context.report(TestEvent("late"))
                done.open()
            }
            return .noResponse(Fixture.lost)
        }
        _ = await WebAPI.call(with: Fixture.input, via: connector.wrapped(by: .listen(to: log.listener)))
        go.open()
        await done.wait()
        #expect(log.names == ["started", "noResponse", "failed", "ended"])
    }
}
