import StartSmallTesting
import Synchronization
import TestSupport
import Testing

import StartSmall
import StartSmallCore

@Suite(.timeLimit(.minutes(1))) struct CallValueTests {
    /// A value that counts its uses, and notes the event before its end.
    private final class Uses: EndingCallValue {
        let count = Atomic(0)
        let ends = Atomic(0)
        let endsCancelled = Atomic(false)

        func end() async {
            await Task.yield()
            if Task.isCancelled { endsCancelled.store(true, ordering: .relaxed) }
            ends.add(1, ordering: .relaxed)
        }

        var endCount: Int { ends.load(ordering: .relaxed) }
    }

    /// A value that need not be ended.
    private struct Plain: CallValue {}

    /// Returns a wrapper that records the value of each pass.
    private func using(_ values: Recorder<Uses>) -> Wrapper {
        Wrapper("using", perCall: Uses.self) { input, next, value in
            value.count.add(1, ordering: .relaxed)
            values.append(value)
            return await next(input)
        }
    }

    private func isOne(_ values: Recorder<Uses>, _ count: Int) -> Bool {
        let values = values.elements
        return values.count == count && values.allSatisfy { $0 === values[0] }
    }

    private static let twice = Wrapper { input, next in
        _ = await next(input)
        return await next(input)
    }

    private static let atOnce = Wrapper { input, next in
        async let first = next(input)
        async let second = next(input)
        _ = await first
        return await second
    }

    @Test("all attempts of a call have one value, one after the other or at once", arguments: [twice, atOnce])
    func attempts(_ wrapper: Wrapper) async {
        let values = Recorder<Uses>()
        let connector = Connector.stub(.text("a")).wrapped(by: using(values), wrapper, using(values))
        for _ in 0..<2 { _ = await WebAPI.call(with: Fixture.input, via: connector) }
        let all = values.elements
        #expect(all.count == 6 && all[0...2].allSatisfy { $0 === all[0] } && all[3...].allSatisfy { $0 === all[3] })
        #expect(all[0] !== all[3])
        #expect(all.map { $0.endCount } == [1, 1, 1, 1, 1, 1])
    }

    @Test("a value ends before the call reports its end, and after the body of a stream", arguments: [true, false])
    func end(_ isStream: Bool) async throws {
        let (values, atEnd) = (Recorder<Uses>(), Recorder<Int>())
        let listener = Listener { (event: Event) in
            if case .ended = event { atEnd.append(values.elements[0].endCount) }
        }
        let connector = Connector.stub(.text("a")).wrapped(by: .listen(to: listener), using(values))
        let output = await WebAPI.call(
            with: Fixture.input.with { if isStream { $0.delivery = .stream } },
            via: connector
        )
        if isStream {
            #expect(values.elements[0].endCount == 0)
            let body = try #require(output.response?.body)
            while try await body.next() != nil {}
            await eventually { !atEnd.elements.isEmpty }
        }
        #expect(atEnd.elements == [1])
    }

    @Test("a connector in the middle of a call shares the value of that call, or has one for its part")
    func nested() async {
        for isShared in [true, false] {
            let values = Recorder<Uses>()
            let inner = Connector.stub(.text("a")).wrapped(by: Self.twice, using(values))
            let nesting = Wrapper { input, next in await inner.connect(input, next.context) }
            let outer = Wrapper.all(isShared ? [using(values), nesting] : [nesting])
            _ = await WebAPI.call(with: Fixture.input, via: Connector.stub(.text("b")).wrapped(by: outer))
            #expect(isOne(values, isShared ? 3 : 2) && values.elements[0].endCount == 1)
        }
    }

    @Test("a dry run has a value, and what a call has abandoned keeps the value of that call")
    func others() async {
        let (contexts, values, dryValues) = (Recorder<CallContext>(), Recorder<Uses>(), Recorder<Uses>())
        let keeping = Wrapper { input, next in
            contexts.append(next.context)
            return await next(input)
        }
        _ = await Connector.stub(.text("a")).wrapped(by: using(dryValues)).dryRun(Fixture.input)
        #expect(isOne(dryValues, 1) && dryValues.elements[0].endCount == 1)
        let connector = Connector.stub(.text("a")).wrapped(by: using(values), keeping)
        _ = await WebAPI.call(with: Fixture.input, via: connector)
        _ = await connector.connect(Fixture.input, contexts.elements[0])
        #expect(isOne(values, 2) && values.elements[0].endCount == 1)
    }

    @Test("the connectors that another one spreads over have the value of the call")
    func spread() async {
        let values = Recorder<Uses>()
        let spread = Connector.spread(over: [Connector.stub(.text("a")).wrapped(by: using(values))])
        _ = await WebAPI.call(with: Fixture.input, via: spread.wrapped(by: Self.twice))
        #expect(isOne(values, 2) && values.elements[0].endCount == 1)
    }

    @Test("without a value to end, a stream reports its end before its reader knows of it")
    func plain() async throws {
        let log = EventLog()
        let plain = Wrapper("plain", perCall: Plain.self) { input, next, _ in await next(input) }
        let connector = Connector.stub(.text("a")).wrapped(by: .listen(to: log.listener), plain)
        let output = await WebAPI.call(with: Fixture.input.with { $0.delivery = .stream }, via: connector)
        let body = try #require(output.response?.body)
        while try await body.next() != nil {}
        #expect(log.names.suffix(2) == ["succeeded", "ended"])
    }

    @Test("a value of a cancelled call ends in a task that is not cancelled")
    func cancelled() async {
        let values = Recorder<Uses>()
        let cancelling = Connector { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return .text("a")
        }
        let connector = cancelling.wrapped(by: using(values))
        let call = Task { await WebAPI.call(with: Fixture.input, via: connector) }
        #expect(await call.value == .noResponse(.cancelled))
        #expect(values.elements[0].endCount == 1 && !values.elements[0].endsCancelled.load(ordering: .relaxed))
    }
}
