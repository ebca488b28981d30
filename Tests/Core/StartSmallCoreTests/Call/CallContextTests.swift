import StartSmallTesting
import Synchronization
import TestSupport
import Testing

import StartSmall
@testable import StartSmallCore

@Suite(.timeLimit(.minutes(1))) struct CallContextTests {
    private let passing = Event.reported(TestEvent("passing"))

    @Test("a listener may report another event while it handles one, which is delivered when it is done")
    func nested() async {
        let (received, second) = (Recorder<String>(), Event.reported(TestEvent("second")))
        let first = Mutex<CallContext?>(nil)
        // The context's listener would keep the context alive for ever.
        defer { first.withLock { $0 = nil } }
        let listener = Listener { [passing] (event: Event) in
            received.append(event.name)
            if event == passing { first.withLock { $0 }?.report(second) }
            received.append("done")
        }
        let revealing = Connector { [passing] _, context in
            first.withLock { $0 = context }
            context.report(passing)
            return .noResponse(Fixture.lost)
        }
        _ = await WebAPI.call(with: Fixture.input, via: revealing.wrapped(by: .listen(to: listener)))
        let names = ["started", "passing", "second", "noResponse", "failed", "ended"]
        #expect(received.elements == names.flatMap { [$0, "done"] })
    }

    @Test("when many threads report at once, no event is received after the end", arguments: 0..<5)
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

struct EventSequencerTests {
    private var sequencer = EventSequencer()
    private let passing = Event.reported(TestEvent("passing"))

    @Test("events one after the other are delivered at once, and none of a wrapper after the call's end")
    mutating func inARow() {
        for event in [.started(nil), passing, .noResponse(.cancelled), .failed, .ended] {
            let (isDelivered, waiting) = (sequencer.begin(event), sequencer.next())
            #expect(isDelivered && waiting == nil)
        }
        let isDelivered = sequencer.begin(passing)
        #expect(!isDelivered)
    }

    @Test("events wait until another one is handled, and are delivered in order, but for those after the call's end")
    mutating func waiting() {
        let events = [passing, passing, Event.noResponse(.cancelled), .failed, passing, .ended]
        let areDelivered = events.map { sequencer.begin($0) }
        #expect(areDelivered == [true, false, false, false, false, false])
        let later = (0..<5).map { _ in sequencer.next() }
        #expect(later == [passing, .noResponse(.cancelled), .failed, .ended, nil])
        let isDelivered = sequencer.begin(.ended)
        #expect(isDelivered)
    }
}

/// The attempt numbers of progress events, and the statuses of their responses.
struct AttemptProgressTests {
    /// Returns the progress that a listener receives from an engine that answers with these statuses in turn.
    private func reports(_ statuses: [HTTPStatus], by wrappers: Wrapper...) async -> [StartSmallCore.TransferProgress] {
        let (log, calls) = (EventLog(), Recorder<Void>())
        let engine = Connector { input, context in
            calls.append(())
            let status = statuses[min(calls.elements.count, statuses.count) - 1]
            context.report(.progress(TransferProgress(status: status, received: .init(bytes: 5, total: 5))))
            return .status(status, headers: ["Location": "/next"])
        }
        let connector = engine.wrapped(by: .all(wrappers)).wrapped(by: .listen(to: log.listener))
        _ = await WebAPI.call(with: Fixture.input, via: connector)
        return log.events.progress
    }

    @Test("each retry and each redirect is an attempt, counted from 1")
    func numbers() async {
        let retried = await reports([.serviceUnavailable, .serviceUnavailable, .ok], by: .retry(random: { 0 }))
        #expect(retried.map(\.attempt) == [1, 2, 3])
        let redirected = await reports([.found, .ok], by: .redirect())
        #expect(redirected.map(\.attempt) == [1, 2])
        #expect(redirected.map(\.status) == [.found, .ok])
    }

    @Test("an engine that calls another engine counts as one attempt")
    func nested() async {
        let log = EventLog()
        let inner = Connector { _, context in
            context.report(.progress(TransferProgress(received: .init(bytes: 1))))
            return .status(.ok)
        }
        let outer = Connector { input, context in await inner.connect(input, context) }
        let twice = Wrapper { input, next in
            _ = await next(input)
            return await next(input)
        }
        _ = await WebAPI.call(with: Fixture.input, via: outer.wrapped(by: .listen(to: log.listener), twice))
        #expect(log.events.progress.map(\.attempt) == [1, 2])
    }

    @Test("progress of a response that is no success has no total, and so no fraction of the requested payload")
    func refusal() async {
        for status in [HTTPStatus.notFound, .found, .internalServerError] {
            let progress = await reports([status])
            #expect(progress.map(\.received) == [.init(bytes: 5)])
            #expect(progress.allSatisfy { $0.received.fraction == nil })
        }
        #expect(await reports([.partialContent]).map(\.received.fraction) == [1])
    }
}
