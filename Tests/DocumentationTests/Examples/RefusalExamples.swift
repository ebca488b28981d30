import Foundation
import StartSmall
import StartSmallAuth
import StartSmallCaching
import StartSmallMetrics
import StartSmallResilience
import StartSmallStreams
import StartSmallTesting
import Testing

/// A refusal of an app's own type, inside of each wrapper of Sources/StartSmall/StartSmall.docc/Wrappers.md and
/// Sources/Products/StartSmallResilience/StartSmallResilience.docc/StartSmallResilience.md that decides by errors.
@Suite(.timeLimit(.minutes(1))) struct RefusalExamples {
    private struct TenantLocked: Refusal {
        let name = "tenantLocked"
        let reason = "the tenant is locked"
        var isTransient = false
        var end = RefusalEnd.never
        var fault = ConnectionError.Fault.caller
    }

    private let input = Input(url: URL(string: "https://api.example.com/a")!)
    private let sent = Recorder<Input>()

    private func refusing(
        _ refusal: TenantLocked,
        after response: Response? = nil,
        recording sent: Recorder<Input> = Recorder()
    ) -> Connector {
        .stub { input in
            sent.append(input)
            return .noResponse(.refused(refusal, after: response))
        }
    }

    private func call(_ app: Connector) async -> Output { await WebAPI.call(with: input, via: app) }

    @Test("a retry repeats a transient refusal only, whatever the response that it keeps", arguments: [true, false])
    func retry(isTransient: Bool) async {
        for response in [nil, Response(statusCode: .serviceUnavailable)] {
            let refusal = TenantLocked(isTransient: isTransient, end: .unknown, fault: .service)
            let sent = Recorder<Input>()
            let app = refusing(refusal, after: response, recording: sent).wrapped(
                by: .retry(.init(condition: .standard, backoff: Backoff { $0.number < 3 ? .zero : nil }))
            )
            #expect(await call(app) == .noResponse(.refused(refusal, after: response)))
            #expect(sent.elements.count == (isTransient ? 3 : 1))
        }
    }

    @Test("no outer wrapper acts again on the response of a refusal: a 401, a 302, a problem of a rule")
    func handled() async {
        let redirect = Response(statusCode: .found, headers: ["Location": "https://api.example.com/b"])
        for response in [redirect, Response(statusCode: .unauthorized)] {
            let app = refusing(TenantLocked(), after: response, recording: sent).wrapped(
                by: .refreshToken(in: .memory(AccessToken("old"))) { _, _ in
                    Issue.record("the refusal has handled the 401")
                    return Fetched<TransformError<Never>, AccessToken>.right(AccessToken("new"))
                },
                .redirect(),
                .validate { _ in "rejected" }
            )
            let output = await call(app)
            #expect(output.connectionError?.refusal(TenantLocked.self) == TenantLocked())
            #expect(output.connectionError?.response == response && output.response == nil)
        }
        #expect(sent.elements.count == 2)
    }

    @Test("a fallback answers for a refusal that ends by itself")
    func fallback() async {
        let other = Response(statusCode: .ok)
        let date = Date(timeIntervalSince1970: 0)
        for (end, answers) in [(RefusalEnd.never, false), (.unknown, true), (.at(date), true)] {
            let app = refusing(TenantLocked(end: end)).wrapped(by: .fallback(to: other))
            #expect((await call(app).response == other) == answers)
        }
    }

    @Test("a request that was sent goes to no other server because of a refusal, unless it is safe to replay")
    func sentBefore() async {
        let refusal = TenantLocked(end: .unknown)
        let app = refusing(refusal, after: Response(statusCode: .conflict))
            .wrapped(by: .fallback(to: Response(statusCode: .ok)))
        let post = Input(url: input.url, methodAndPayload: .post(payload: nil))
        #expect(await WebAPI.call(with: post, via: app).connectionError?.refusal(TenantLocked.self) == refusal)
        #expect(await call(app).response?.statusCode == .ok)
    }

    @Test("a breaker counts a refusal after a response, if it is the fault of the service")
    func breaker() async {
        let policy = CircuitBreakerPolicy(trip: .consecutiveFailures(1))
        for (fault, response, opens) in [
            (ConnectionError.Fault.service, Response(statusCode: .ok), true), (.service, nil, false),
            (.caller, Response(statusCode: .ok), false), (.limit, Response(statusCode: .ok), false),
        ] {
            let app = refusing(TenantLocked(fault: fault), after: response).wrapped(by: .circuitBreaker(policy))
            _ = await call(app)
            #expect((await call(app).connectionError?.refusal(CircuitOpen.self) != nil) == opens)
        }
    }

    @Test("polling goes on after a refusal that ends, and stops after one that does not")
    func polling() async {
        for (refusal, count) in [(TenantLocked(end: .unknown), 3), (TenantLocked(), 1)] {
            let app = refusing(refusal)
            var seen = 0
            for await _ in Polling(Endpoint.text(.right(input)), every: .zero, via: app) {
                seen += 1
                if seen == 3 { break }
            }
            #expect(seen == count)
        }
    }

    @Test("a cache answers with a stale response for a fault of the service or the network", arguments: [true, false])
    func cache(isOfService: Bool) async {
        let fresh = Response(
            statusCode: .ok,
            headers: ["Cache-Control": "max-age=1, stale-if-error=60", "Date": "Thu, 01 Jan 1970 00:00:00 GMT"],
            payload: Data("a".utf8)
        )
        let refusal = TenantLocked(fault: isOfService ? .service : .caller)
        let now = Recorder<Date>()
        now.append(Date(timeIntervalSince1970: 0))
        let app = Connector.stub(sequence: [.hasResponse(fresh), .noResponse(.refused(refusal))])
            .wrapped(by: .cache(in: .memory(), now: { now.elements.last ?? Date() }))
        _ = await call(app)
        now.append(Date(timeIntervalSince1970: 10))
        #expect((await call(app).response?.payload == fresh.payload) == isOfService)
    }

    @Test(
        "a cache forgets after a PUT whose first attempt was lost, whatever the second one gave, and not if none was sent",
        arguments: [true, false],
        [nil, 401, 412, 503]
    )
    func lostBefore(isLost: Bool, status: Int?) async {
        let stored = Response(
            statusCode: .ok,
            headers: ["Cache-Control": "max-age=60", "Date": "Thu, 01 Jan 1970 00:00:00 GMT"]
        )
        let cause = ConnectionError.Cause(domain: "test", code: 1, text: "")
        let refused = status.map { Output.status(.from(code: $0)) } ?? .noResponse(.refused(TenantLocked()))
        let app = Connector.stub(
            sequence: [
                .hasResponse(stored), .noResponse(isLost ? .connectionLost(cause) : .connectionRefused(cause)), refused,
                .status(.notFound),
            ]
        ).wrapped(
            by: .cache(in: .memory(), now: { Date(timeIntervalSince1970: 1) }),
            .retry(.init(condition: .dangerouslyReplayingAnyMethod, backoff: Backoff { $0.number < 2 ? .zero : nil }))
        )
        _ = await call(app)
        let put = Input(url: input.url, methodAndPayload: .put(payload: nil))
        let output = await WebAPI.call(with: put, via: app)
        #expect(status.map { output.response?.statusCode.code == $0 } ?? (output == refused))
        #expect(await call(app).response?.statusCode == (isLost ? .notFound : .ok))
    }

    @Test("logs, metrics and listeners have the name and the reason")
    func shown() async {
        let (log, lines, metrics) = (EventLog(), Recorder<String>(), CallMetrics())
        let app = refusing(TenantLocked()).wrapped(
            by: .listen(to: log.listener + .metrics(metrics)),
            .log(print: { lines.append($0) })
        )
        _ = await call(app)
        #expect(log.events.contains(.noResponse(.refused(TenantLocked()))))
        #expect(lines.elements.joined().contains("tenantLocked: the tenant is locked"))
    }

    @Test("a cassette replays the name, the reason and the facts")
    func cassette() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let refusal = TenantLocked(end: .unknown, fault: .service)
        _ = await call(refusing(refusal).wrapped(by: .record(to: file)))
        let output = await call(.replay(from: file))
        let replayed = try #require(output.connectionError?.refusal(RecordedRefusal.self))
        #expect(replayed.name == "tenantLocked" && replayed.end == .unknown && replayed.fault == .service)
    }
}
