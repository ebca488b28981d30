import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallCaching

/// What arrives too early, too late, or while something else happens.
@Suite(.timeLimit(.minutes(2))) struct CacheOrderTests {
    private let base = TestStore()
    private let time = TestTime()

    private static func fresh(_ text: String) -> Output {
        .text(text, headers: ["Cache-Control": "max-age=600", "Date": httpDate()])
    }

    /// A connector whose requests wait until the latch of their `Number` is open.
    private func connector(
        _ latches: [Latch],
        sent: Recorder<Input> = Recorder(),
        _ respond: @escaping @Sendable (Int) -> Output
    ) -> Connector {
        Connector.stub(recording: sent) { input in
            let number = input.headers["Number"].flatMap { Int($0) } ?? 0
            if number < latches.count { await latches[number].wait() }
            return respond(number)
        }
    }

    @Test(
        "a change while a GET is under way keeps its response from being stored (RFC 9111 4.4)",
        arguments: [true, false]
    )
    func invalidatedInFlight(_ isSharedStore: Bool) async {
        let (gate, sent) = (Latch(), Recorder<Input>())
        let store = base.store
        let stub = connector([gate], sent: sent) { $0 == 0 ? Self.fresh("old") : .status(.noContent) }
        let reading = stub.cached(store, time)
        // Another connector over a copy of the store knows of the request, too.
        let writing = isSharedStore ? stub.cached(store, time) : reading
        let call = Task { await reading.output(.get(["Number": "0"])) }
        await reach { sent.elements.count == 1 }
        _ = await writing.output(.post(["Number": "1"]))
        gate.open()
        let output = await call.value
        #expect(output.text == "old" && output.cacheStatus?.detail == "invalidated" && base.all.isEmpty)
    }

    @Test("a call that begins after a change does not get the response of a request from before it (4.4)")
    func afterChange() async {
        let (gates, sent) = ([Latch(), Latch()], Recorder<Input>())
        let connector = connector(gates, sent: sent) { $0 == 2 ? .status(.noContent) : Self.fresh("\($0)") }
            .cached(base.store, time)
        let before = Task { await connector.output(.get(["Number": "0"])) }
        await reach { sent.elements.count == 1 }
        _ = await connector.output(.post(["Number": "2"]))
        let after = Task { await connector.output(.get(["Number": "1"])) }
        gates[0].open()
        gates[1].open()
        let (old, new) = (await before.value.text, await after.value.text)
        #expect(old == "0" && new == "1")
        #expect(await connector.output().text == "1")
    }

    @Test("a change while the store writes removes what is being written (4.4)")
    func invalidatedWhileWriting() async {
        let (writing, release) = (Latch(), Latch())
        let store = base.store(at: .store) {
            writing.open()
            await release.wait()
        }
        let connector = Connector.stub { $0.methodAndPayload == .get ? Self.fresh("old") : .status(.ok) }
            .cached(store, time)
        let reading = Task { await connector.output() }
        await writing.wait()
        let changing = Task { await connector.output(.post()) }
        for _ in 0..<50 { await Task.yield() }
        release.open()
        _ = await (reading.value, changing.value)
        #expect(base.all.isEmpty && base.removed.count == 1)
    }

    @Test("after a change, a stale response does not replace the failure of a request from before it (4.4, RFC 5861 4)")
    func invalidatedBeforeFailure() async {
        let (gate, sent) = (Latch(), Recorder<Input>())
        let old = Output.text("old", headers: ["Cache-Control": "max-age=1, stale-if-error=99"])
        _ = await Connector.stub(old).cached(base.store, time).output()
        time.pass(2)
        let store = base.store
        let connector = connector([gate], sent: sent) { .status($0 == 0 ? .badGateway : .ok) }.cached(store, time)
        let call = Task { await connector.output(.get(["Number": "0"])) }
        await reach { sent.elements.count == 1 }
        _ = await connector.output(.post(["Number": "1"]))
        gate.open()
        #expect(await call.value.response?.statusCode == .badGateway)
    }

    @Test("two responses in the other order leave the newer one in the store (4)")
    func overtaking() async {
        let (gates, sent) = ([Latch(), Latch()], Recorder<Input>())
        let connector = connector(gates, sent: sent) { Self.fresh($0 == 0 ? "first" : "second") }
            .cached(base.store, time)
        // A caller that demands validation does not share a request.
        let first = Task { await connector.output(.get(["Number": "0", "Cache-Control": "no-cache"])) }
        await reach { sent.elements.count == 1 }
        time.pass(1)
        let second = Task { await connector.output(.get(["Number": "1", "Cache-Control": "no-cache"])) }
        await reach { sent.elements.count == 2 }
        time.pass(1)
        gates[1].open()
        #expect(await second.value.text == "second")
        time.pass(1)
        gates[0].open()
        #expect(await first.value.text == "first")
        #expect(await connector.output().text == "second")
    }

    @Test("a cancelled POST that the server may have received invalidates (4.4)")
    func cancelledPost() async {
        let (gate, sent) = (Latch(), Recorder<Input>())
        let connector = connector([Latch(), gate], sent: sent) { _ in .noResponse(.cancelled) }.cached(base.store, time)
        _ = await Connector.stub(Self.fresh("one")).cached(base.store, time).output()
        let call = Task { await connector.output(.post(["Number": "1"])) }
        await reach { sent.elements.count == 1 }
        call.cancel()
        #expect(await call.value == .noResponse(.cancelled))
        await reach { [base] in base.all.isEmpty }
    }
}
