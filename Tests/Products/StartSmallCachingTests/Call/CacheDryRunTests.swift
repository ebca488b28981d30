import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallCaching

/// Dry runs through a cache, and the order of a cache and other wrappers.
@Suite(.timeLimit(.minutes(2))) struct CacheDryRunTests {
    private let base = TestStore()
    private let time = TestTime()
    private let sent = Recorder<Input>()
    private let input = Input(url: URL(string: "https://api.example.com/a")!)

    private func cached(_ output: Output) -> Connector {
        Connector.stub(output, recording: sent).cached(base.store, time)
    }

    @Test("a dry run is the request that a call would send, or the stored response, and stores and removes nothing")
    func stores() async {
        let connector = cached(.text("a", headers: ["Cache-Control": "max-age=60", "ETag": "\"1\""]))
        #expect(await connector.dryRun(input) == .request(input))
        #expect(sent.elements.isEmpty && base.all.isEmpty)
        _ = await WebAPI.call(with: input, via: connector)
        let deleting = input.with { $0.methodAndPayload = .delete(payload: nil) }
        #expect(await connector.dryRun(deleting) == .request(deleting))
        #expect(await connector.dryRun(input).output?.text == "a" && base.removed == [])
        time.pass(100)
        #expect(await connector.dryRun(input).request?.headers["If-None-Match"] == "\"1\"")
        #expect(sent.elements.count == 1)
    }

    @Test("a dry run starts no validation in the background")
    func background() async {
        let fields: HTTPHeaders = ["Cache-Control": "max-age=1, stale-while-revalidate=99", "ETag": "\"1\""]
        let connector = cached(.text("a", headers: fields))
        _ = await WebAPI.call(with: input, via: connector)
        time.pass(2)
        #expect(await connector.dryRun(input).output?.text == "a")
        for _ in 0..<1000 { await Task.yield() }
        #expect(sent.elements.count == 1)
        _ = await WebAPI.call(with: input, via: connector)
        await reach { [sent] in sent.elements.count == 2 }
    }

    @Test("a dry run waits for no request of a call, and no call waits for a dry run")
    func sharing() async {
        let gate = Latch()
        let connector = Connector.stub(recording: sent) { _ in
            await gate.wait()
            return .text("a", headers: ["Cache-Control": "max-age=60"])
        }.cached(base.store, time)
        async let running = WebAPI.call(with: input, via: connector)
        await reach { [sent] in sent.elements.count == 1 }
        #expect(await connector.dryRun(input) == .request(input))
        gate.open()
        #expect(await running.text == "a")
    }

    @Test("a cache outside of credentials, of a base URL or of redirects is found, and the exchanged order is right")
    func order() {
        let stub = Connector.stub(.status(.ok))
        let cache = Wrapper.cache(in: base.store)
        let credentials: [Wrapper] = [.bearer("t"), .apiKey("k", in: .query("key")), .headers(["Cookie": "a=b"])]
        for inner in credentials + [.baseURL(input.url), .redirect()] {
            #expect(stub.wrapped(by: cache, inner).check().map(\.inner) == [inner.name])
            #expect(stub.wrapped(by: inner, cache).check() == [])
        }
        #expect(stub.wrapped(by: .shareInFlight(), cache).check().map(\.outer) == ["shareInFlight"])
        #expect(stub.wrapped(by: cache, .shareInFlight()).check() == [])
        #expect(stub.wrapped(by: cache, .retry()).check() == [])
        #expect(stub.wrapped(by: .retry(), cache).check() == [])
    }

    @Test("a cache around Connector.standard is found: it belongs around its engine")
    func standard() {
        let around = Connector.standard(over: .stub(.status(.ok))).wrapped(by: .cache(in: base.store))
        #expect(around.check().map(\.inner) == ["redirect"])
        let inside = Connector.standard(over: Connector.stub(.status(.ok)).wrapped(by: .cache(in: base.store)))
        #expect(inside.check() == [])
    }
}
