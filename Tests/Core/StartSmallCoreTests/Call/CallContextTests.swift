import StartSmallTesting
import Synchronization
import TestSupport
import Testing

import StartSmall
@testable import StartSmallCore

@Suite(.timeLimit(.minutes(1))) struct CallContextTests {
    private let passing = Event.reported(TestEvent("passing"))

    @Test("a listener may report another event while it handles one")
    func nested() async {
        let (received, second) = (Recorder<String>(), Event.reported(TestEvent("second")))
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

    @Test("the call's own events wait while a listener handles another event, and then follow in their order")
    func own() {
        let received = Recorder<String>()
        let reporter = Mutex<EventReporter?>(nil)
        defer { reporter.withLock { $0 = nil } }
        let listener = Listener { [passing] (event: Event) in
            received.append(event.name)
            guard event == passing else { return }
            for event in [Event.noResponse(.cancelled), .failed, .ended] { reporter.withLock { $0 }?.report(event) }
            received.append("handled")
        }
        let first = EventReporter(ListenerContext(listener))
        reporter.withLock { $0 = first }
        first.report(passing)
        #expect(received.elements == ["passing", "handled", "noResponse", "failed", "ended"])
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

    @Test("events one after the other are delivered at once")
    mutating func inARow() {
        for event in [.started(nil), passing, .noResponse(.cancelled), .failed, .ended] {
            let isDelivered = sequencer.beginObserving(event)
            #expect(isDelivered)
            let hasWaiting = sequencer.endObserving()
            #expect(!hasWaiting)
        }
    }

    @Test("after the call has reported its end, no event of a wrapper is delivered")
    mutating func late() {
        _ = sequencer.beginObserving(.noResponse(.cancelled))
        _ = sequencer.endObserving()
        let isDelivered = sequencer.beginObserving(passing)
        #expect(!isDelivered)
    }

    @Test("the call's own events wait until a wrapper's event is handled, and are delivered in order")
    mutating func waiting() {
        _ = sequencer.beginObserving(passing)
        for event in [Event.noResponse(.cancelled), .failed, .ended] {
            let isDelivered = sequencer.beginObserving(event)
            #expect(!isDelivered)
        }
        let hasWaiting = sequencer.endObserving()
        #expect(hasWaiting)
        #expect(sequencer.nextWaiting() == .noResponse(.cancelled))
        #expect(sequencer.nextWaiting() == .failed)
        #expect(sequencer.nextWaiting() == .ended)
        #expect(sequencer.nextWaiting() == nil)
    }

    @Test("of two events handled at once, the one that is handled last is followed by the call's own event")
    mutating func two() {
        _ = sequencer.beginObserving(passing)
        _ = sequencer.beginObserving(passing)
        _ = sequencer.beginObserving(.ended)
        let isLast = sequencer.endObserving()
        #expect(!isLast)
        let hasWaiting = sequencer.endObserving()
        #expect(hasWaiting)
        #expect(sequencer.nextWaiting() == .ended)
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
