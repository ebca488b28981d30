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

    private var details: [String] {
        log.events.compactMap { if case .custom("circuit", let detail) = $0 { detail } else { nil } }
    }

    @Test("an open circuit fails at once, and says until when")
    func open() async {
        let connector = breaking(.stub(Sample.unavailable, recording: sent))
        for _ in 0..<2 { #expect(await call(connector) == Sample.unavailable) }
        clock.advance(by: .seconds(2))
        #expect(await call(connector) == .noResponse(.circuitOpen(until: Sample.date.addingTimeInterval(3))))
        #expect(sent.elements.count == 2)
        #expect(details == ["open, for 5.0 seconds", "refused, for 3.0 seconds"])
    }

    @Test("after its time, the circuit closes with the first success")
    func closes() async {
        let isUp = Recorder<Bool>()
        let connector = breaking(.stub { _ in isUp.elements.isEmpty ? Sample.unavailable : Sample.ok })
        for _ in 0..<2 { _ = await call(connector) }
        clock.advance(by: .seconds(5))
        isUp.append(true)
        for _ in 0..<3 { #expect(await call(connector) == Sample.ok) }
        #expect(details == ["open, for 5.0 seconds", "half-open", "closed"])
    }

    @Test("a service that fails does not affect the calls of another origin")
    func origins() async {
        let connector = breaking(.stub { $0.url.host() == "a.test" ? Sample.unavailable : Sample.ok })
        for _ in 0..<3 { _ = await call(connector, "https://a.test/") }
        #expect(await call(connector, "https://A.test:443/other?x=1").connectionError?.name == "circuitOpen")
        for url in ["https://b.test/", "http://a.test.example/", "https://a.test.example/"] {
            #expect(await call(connector, url) == Sample.ok)
        }
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

    @Test(
        "a cancellation, and a call that was never sent, are no failures",
        arguments: [
            ConnectionError.cancelled, .malformedURL(debugInfo: ""), .missingCredentials(debugInfo: ""),
            .requestRefused(reason: ""), .noDataOrNoResponse(debugInfo: ""), .tooManyCalls(limit: 1, waiting: 1),
            .rateLimited(until: Sample.date),
        ]
    )
    func unknown(_ error: ConnectionError) async {
        let connector = breaking(.stub(.noResponse(error)))
        for _ in 0..<10 { #expect(await call(connector) == .noResponse(error)) }
        #expect(details.isEmpty)
    }

    @Test("an answer that is no failure of the service keeps the circuit closed", arguments: [200, 304, 404, 422, 501])
    func answers(_ status: Int) async {
        let connector = breaking(.stub(.status(.from(code: status))))
        for _ in 0..<10 { #expect(await call(connector).response?.statusCode.code == status) }
    }

    @Test("a broken payload does not change the meaning of an error status", arguments: [302, 404, 422, 500, 501, 503])
    func brokenPayloads(_ code: Int) async {
        let response = Response(statusCode: .from(code: code))
        for error in Sample.brokenPayloads(of: response) {
            #expect(
                CallOutcome(.noResponse(error), remainingTime: nil) {
                    RetryCondition.isTransient(.noResponse(error))
                } == ([500, 503].contains(code) ? .failure : .success)
            )
        }
    }

    @Test("a broken payload of a success is no success")
    func brokenSuccess() async {
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

    @Test("calls that their callers cancel are no failures")
    func cancelledByCaller() async {
        let silent = Connector.silent()
        let connector = breaking(
            Connector { input, context in
                sent.append(input)
                return input.url.path() == "/slow" ? await silent.connect(input, context) : Sample.ok
            }
        )
        for count in 1...5 {
            let task = Task { await call(connector, "https://api.test/slow") }
            while sent.elements.count < count { await Task.yield() }
            task.cancel()
            #expect(await task.value == .noResponse(.cancelled))
        }
        #expect(await call(connector) == Sample.ok)
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
        #expect(!(text + details.joined()).contains("hunter2"))
    }
}
