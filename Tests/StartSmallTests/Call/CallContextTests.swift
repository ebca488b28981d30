import Foundation
import StartSmall
import StartSmallTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct CallContextTests {
    private let passing = Event.custom(name: "passing", detail: "")

    @Test("a listener finishes an event that is reported when the call ends, before it receives the call's own events")
    func beforeEnd() async {
        let (received, receiving, resume) = (
            Recorder<String>(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let listener = Listener { (event: Event) in
            if event == passing {
                receiving.signal()
                resume.wait()
            }
            received.append(event.name)
        }
        let leaving = Connector { [passing] _, context in
            Thread.detachNewThread { context.report(passing) }
            receiving.wait()
            return .noResponse(Fixture.lost)
        }
        _ = await WebAPI.call(with: Fixture.input, via: leaving.wrapped(by: .listen(to: listener)))
        #expect(received.elements == ["started"])
        resume.signal()
        await eventually { received.elements.count == 5 }
        #expect(received.elements == ["started", "passing", "noResponse", "failed", "ended"])
    }

    @Test("a listener may report another event while it handles one")
    func nested() async {
        let (received, second) = (Recorder<String>(), Event.custom(name: "second", detail: ""))
        let first = Mutex<CallContext?>(nil)
        // The context's listener would keep the context alive for ever.
        defer { first.withLock { $0 = nil } }
        let listener = Listener { [passing] (event: Event) in
            received.append(event.name)
            if event == passing { first.withLock { $0 }?.report(second) }
        }
        let revealing = Connector { [passing] _, context in
            first.withLock { $0 = context }
            context.report(passing)
            return .noResponse(Fixture.lost)
        }
        _ = await WebAPI.call(with: Fixture.input, via: revealing.wrapped(by: .listen(to: listener)))
        #expect(received.elements == ["started", "passing", "second", "noResponse", "failed", "ended"])
    }

    @Test("when many threads report at once, no event is received after the end", arguments: 0..<20)
    func storm(_ round: Int) async {
        let log = EventLog()
        let leaving = Connector { [passing] _, context in
            for _ in 0..<4 { Task.detached { for _ in 0..<20 { context.report(passing) } } }
            return .noResponse(Fixture.lost)
        }
        let connector = leaving.wrapped(by: .listen(to: log.listener))
        for _ in 0..<50 { _ = await WebAPI.call(with: Fixture.input, via: connector) }
        await eventually { log.names.count { $0 == "ended" } == 50 }
        for call in log.calls {
            let end = log.events(of: call).map(\.name).drop { $0 == "started" || $0 == "passing" }
            #expect(end == ["noResponse", "failed", "ended"])
        }
    }
}
