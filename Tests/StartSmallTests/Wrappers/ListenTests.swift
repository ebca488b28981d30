import Foundation
import StartSmall
import StartSmallTesting
import Testing
import ParityTrait

struct ListenTests {
    private let stub = Connector.stub(.hasResponse(Fixture.ok))
    private let through = Wrapper { input, next in
        next.report(.custom(name: "passing", detail: ""))
        return await next(input)
    }

    @Test("a listener receives the same events at any position", .parity("B10"), arguments: 0...2)
    func position(_ position: Int) async {
        let log = EventLog()
        var wrappers = [through, through]
        wrappers.insert(.listen(to: log.listener), at: position)
        _ = await WebAPI.call(with: Fixture.input, via: stub.wrapped(by: wrappers))
        #expect(log.names == ["started", "passing", "passing", "received", "succeeded", "ended"])
    }

    @Test("two listeners receive the same events of the same call, the inner one first", .parity("B10"))
    func two() async {
        let received = Recorder<String>()
        let calls = Recorder<CallID>()
        func listener(_ name: String) -> Listener {
            Listener { event, call in
                if case .started = event {
                    received.append(name)
                    calls.append(call)
                }
            }
        }
        let connector = stub.wrapped(by: .listen(to: listener("outer")), through, .listen(to: listener("inner")))
        _ = await WebAPI.call(with: Fixture.input, via: connector)
        #expect(received.elements == ["inner", "outer"])
        #expect(Set(calls.elements).count == 1)
    }

    @Test("a listener still receives events if a wrapper makes its own connector", .parity("B10"))
    func replaced() async {
        let log = EventLog()
        let replacing = Wrapper(wrapping: { _ in .stub(.noResponse(Fixture.lost)) })
        _ = await WebAPI.call(with: Fixture.input, via: stub.wrapped(by: replacing, .listen(to: log.listener)))
        #expect(log.names == ["started", "noResponse", "failed", "ended"])
    }

    @Test("of two listeners joined by +, the left one receives each event first", .parity("B10"))
    func joined() async {
        let received = Recorder<String>()
        let left = Listener { (event: Event) in received.append("left \(event.name)") }
        let right = Listener { (event: Event) in received.append("right \(event.name)") }
        _ = await WebAPI.call(with: Fixture.input, via: stub.wrapped(by: .listen(to: left + right)))
        #expect(received.elements.prefix(2) == ["left started", "right started"])
    }

    @Test("a connector without a listener is not changed by a copy with one", .parity("B10"))
    func value() async {
        let log = EventLog()
        _ = stub.wrapped(by: .listen(to: log.listener))
        _ = await WebAPI.call(with: Fixture.input, via: stub)
        #expect(log.events.isEmpty)
    }

    @Test("two concurrent calls have different IDs", .parity("B10"))
    func ids() async {
        let log = EventLog()
        let connector = stub.wrapped(by: .listen(to: log.listener))
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { _ = await WebAPI.call(with: Fixture.input, via: connector) } }
        }
        #expect(log.calls.count == 50)
        for call in log.calls {
            #expect(log.events(of: call).map(\.name) == ["started", "received", "succeeded", "ended"])
        }
    }

    @Test("calls through two connectors with one listener have different IDs", .parity("B10"))
    func twoConnectors() async {
        let log = EventLog()
        for _ in 0..<2 {
            _ = await WebAPI.call(with: Fixture.input, via: stub.wrapped(by: .listen(to: log.listener)))
        }
        #expect(log.calls.count == 2)
    }

    @Test("a call's ID is sixteen hexadecimal digits")
    func description() {
        #expect(CallID(rawValue: 0xAB).description == "00000000000000ab")
    }

    @Test(
        "over a socket: a listener receives the events of a call from its start to its end",
        .parity("B10"),
        arguments: EngineUnderTest.all
    )
    func loopback(engine: EngineUnderTest) async throws {
        let log = EventLog()
        try await LoopbackServer.serving(stub) { server in
            let connector = engine.connector().wrapped(by: .listen(to: log.listener))
            #expect(await Endpoint.text(.get(server.url.absoluteString)).fetch(via: connector).right == "hello")
        }
        let names = log.names.filter { $0 != "progress" && $0 != "timings" }
        #expect(names == ["started", "received", "transformed", "succeeded", "ended"])
    }
}
