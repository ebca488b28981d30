import Foundation
import StartSmall
import StartSmallResilience
import StartSmallTesting
import Testing

/// The Swift blocks of Sources/StartSmallResilience/StartSmallResilience.docc/StartSmallResilience.md, in order.
struct ResilienceExamples {
    private let sent = Recorder<Input>()
    private let input = Input(url: URL(string: "https://api.example.com/")!)

    private func call(_ connector: Connector) async -> Output { await WebAPI.call(with: input, via: connector) }

    @Test("all wrappers together pass a call on, and their states are shared by key")
    func together() async {
        let (engine, mirror) = (Connector.stub(.text("ok"), recording: sent), Connector.stub(.text("mirror")))
        let app = engine.wrapped(
            by: .fallback(to: mirror),
            .timeout(.seconds(10)),
            .retry(),
            .hedge(after: .percentile(95)),
            .rateLimit(),
            .limitConcurrency(.adaptive()),
            .circuitBreaker(),
            .timeout(.seconds(3))
        )
        #expect(await call(app) == .text("ok"))
        #expect(app.check() == [])

        let byTenant = CallKey { $0.headers["X-Tenant"] ?? "" }
        let limited = engine.wrapped(by: .rateLimit(.requests(10, per: .seconds(1)), sharedBy: byTenant))
        #expect(await call(limited) == .text("ok"))
        #expect(sent.elements.count == 2)
    }

    @Test("failures in a row open a circuit")
    func circuit() async {
        let engine = Connector.stub(.status(.serviceUnavailable), recording: sent)
        let inARow = CircuitBreakerPolicy(trip: .consecutiveFailures(5), openFor: .seconds(10))
        let careful = engine.wrapped(by: .circuitBreaker(inARow))
        for _ in 0..<9 { _ = await call(careful) }
        #expect(sent.elements.count == 5)
    }

    @Test("the examples of limits, hedging and fallback pass a call on")
    func others() async {
        let engine = Connector.stub(.text("ok"), recording: sent)
        let polite = engine.wrapped(by: .rateLimit(.requests(100, per: .seconds(60), burst: 10), upTo: .seconds(30)))
        let adaptive = engine.wrapped(by: .limitConcurrency(.adaptive(in: 2...50, slowerThan: .seconds(1))))
        let hedged = engine.wrapped(by: .hedge(after: .fixed(.milliseconds(300)), budget: .share(percent: 5)))
        let budget = RetryBudget()
        let covered = engine.wrapped(
            by: .retry(budget: budget),
            .hedge(after: .percentile(95), budget: .shared(with: budget))
        )
        for connector in [polite, adaptive, hedged, covered] { #expect(await call(connector) == .text("ok")) }
    }

    @Test("a response stands in for a service that is down")
    func fallback() async {
        let engine = Connector.stub(.status(.serviceUnavailable))
        let always = engine.wrapped(by: .fallback(to: Response(statusCode: .ok, payload: Data("[]".utf8))))
        #expect(await call(always).response?.payload == Data("[]".utf8))
    }
}
