import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallResilience

struct CircuitBreakerTests {
    private let clock = ManualClock()
    private let log = EventLog()
    private let sent = Recorder<Input>()
    private let policy = CircuitBreakerPolicy(trip: .consecutiveFailures(2), openFor: .seconds(5))

    private func breaking(_ connector: Connector) -> Connector {
        connector.wrapped(
            by: .listen(to: log.listener),
            .circuitBreaker(policy, clock: clock, now: { Sample.date })
        )
    }

    private func call(_ connector: Connector, _ url: String = "https://api.test/") async -> Output {
        await WebAPI.call(with: Sample.get(url), via: connector)
    }

    private var details: [CircuitEvent] {
        log.events.compactMap { $0.reported(CircuitEvent.self) }
    }

    @Test("an open circuit fails at once, and says until when")
    func open() async {
        let connector = breaking(.stub(Sample.unavailable, recording: sent))
        for _ in 0..<2 { #expect(await call(connector) == Sample.unavailable) }
        clock.advance(by: .seconds(2))
        #expect(await call(connector) == .noResponse(.circuitOpen(until: Sample.date.addingTimeInterval(3))))
        #expect(sent.elements.count == 2)
        #expect(details == [.opened(for: .seconds(5)), .refused(for: .seconds(3))])
    }

    @Test("with one key, all calls share a circuit; with another one, the key decides")
    func keys() async {
        let down = Connector.stub(Sample.unavailable)
        let shared = down.wrapped(by: .circuitBreaker(policy, sharedBy: .connector, clock: clock))
        for _ in 0..<2 { _ = await call(shared, "https://a.test/") }
        #expect(await call(shared, "https://b.test/").connectionError?.name == "circuitOpen")
        let byPath = down.wrapped(by: .circuitBreaker(policy, sharedBy: CallKey { $0.url.path() }, clock: clock))
        for _ in 0..<2 { _ = await call(byPath, "https://a.test/a") }
        #expect(await call(byPath, "https://a.test/b") == Sample.unavailable)
        #expect(await call(byPath, "https://b.test/a").connectionError?.name == "circuitOpen")
    }

    /// Outputs, and their meaning for the health of the service.
    private static let outcomes: [(Output, CallOutcome)] =
        [200, 302, 304, 404, 422, 501].map { (.status(.from(code: $0)), .success) }
        + [500, 503].map { (.status(.from(code: $0)), .failure) }
        + [
            .cancelled, .malformedURL(debugInfo: ""), .missingCredentials(debugInfo: ""), .requestRefused(reason: ""),
            .noDataOrNoResponse(debugInfo: ""), .tooManyCalls(limit: 1, waiting: 1), .rateLimited(until: Sample.date),
        ].map { (.noResponse($0), .unknown) }

    @Test("a cancellation and a call that was never sent are neither success nor failure", arguments: outcomes)
    func outcome(_ output: Output, _ expected: CallOutcome) {
        #expect(CallOutcome(output, remainingTime: nil) { RetryCondition.isTransient(output) } == expected)
    }

    @Test("a broken payload does not change the meaning of an error status", arguments: [302, 404, 422, 500, 501, 503])
    func brokenPayloads(_ code: Int) {
        for error in Sample.brokenPayloads(of: Response(statusCode: .from(code: code))) {
            let output = Output.noResponse(error)
            let outcome = CallOutcome(output, remainingTime: nil) { RetryCondition.isTransient(output) }
            #expect(outcome == ([500, 503].contains(code) ? .failure : .success))
        }
    }

    @Test("a broken payload of a success is no success")
    func brokenSuccess() {
        let cause = ConnectionError.Cause(domain: "stub", code: 1, text: "", partial: Response(statusCode: .ok))
        for (error, expected) in [(.connectionLost(cause), .failure), (.unreadablePayload(cause), .unknown)]
            as [(ConnectionError, CallOutcome)]
        {
            let output = Output.noResponse(error)
            #expect(CallOutcome(output, remainingTime: nil) { RetryCondition.isTransient(output) } == expected)
        }
    }

    @Test("a call that an outer time limit ends is a failure, and one that its caller cancels is none")
    func outerLimit() async {
        let silent = Connector.silent()
        let down = Connector { input, context in
            // A later call says nothing about the service.
            input.url.path() == "/slow"
                ? await silent.connect(input, context) : .noResponse(.requestRefused(reason: "no"))
        }
        let connector = breaking(down).wrapped(by: .timeout(.seconds(1), clock: clock))
        for _ in 0..<2 {
            async let output = call(connector, "https://api.test/slow")
            await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(1))
            #expect(await output.connectionError?.name == "timedOut")
        }
        // An abandoned call ends in a task of its own, a moment later.
        while await call(connector).connectionError?.name != "circuitOpen" { await Task.yield() }
    }

    @Test("an open circuit is not retried, and each attempt counts")
    func retried() async {
        let retry = Wrapper.retry(.exponential(attempts: 5, baseDelay: .zero, maxDelay: .zero), clock: clock)
        let connector = breaking(.stub(Sample.unavailable, recording: sent)).wrapped(by: retry)
        #expect(await call(connector).connectionError?.name == "circuitOpen")
        #expect(sent.elements.count == 2)
    }

    @Test("no event, error or description contains a part of the URL's secrets")
    func secrets() async {
        let connector = breaking(.stub(Sample.unavailable))
        let url = "https://user:hunter2@api.test/reset/hunter2?token=hunter2"
        var text = ""
        for _ in 0..<3 { text += "\(await call(connector, url))" }
        #expect(!(text + "\(details)").contains("hunter2"))
    }
}
