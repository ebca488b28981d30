import StartSmall
import StartSmallTesting
import TestSupport
import Testing

struct ListenTests {
    private let stub = Connector.stub(.hasResponse(Fixture.ok))
    private let through = Wrapper { input, next in
        next.report(TestEvent("passing"))
        return await next(input)
    }

    @Test("a listener receives the same events at any position", .parity("B10"), arguments: 0...2)
    func position(_ position: Int) async {
        let log = EventLog()
        var wrappers = [through, through]
        wrappers.insert(.listen(to: log.listener), at: position)
        _ = await WebAPI.call(with: Fixture.input, via: stub.wrapped(by: .all(wrappers)))
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
}
