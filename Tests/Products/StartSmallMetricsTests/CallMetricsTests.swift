import Foundation
import StartSmall
@testable import StartSmallMetrics
import StartSmallTesting
import TestSupport
import Testing

struct CallMetricsTests {
    private let clock = ManualClock()

    private func metrics(bounds: [Duration] = [.seconds(1), .seconds(2)], nameLimit: Int = 10) -> CallMetrics {
        CallMetrics(bounds: bounds, nameLimit: nameLimit, clock: clock)
    }

    /// Returns a connector that takes this long, with the metrics as its listener.
    private func connector(_ output: Output, taking time: Duration = .zero, _ metrics: CallMetrics) -> Connector {
        Connector { [clock] _ in
            clock.advance(by: time)
            return output
        }.wrapped(by: .listen(to: .metrics(metrics)))
    }

    private let name = "GET api.example.com"

    @Test("a call of a stream is in flight until its body ends, and is counted with the time until then")
    func streams() async throws {
        let endings: [(String?, @Sendable (ResponseBody) async -> Void)] = [
            (nil, { while (try? await $0.next()) != nil {} }), ("cancelled", { $0.discard() }),
            ("connectionLost", { $0.interrupt(with: Fixture.lost) }),
        ]
        for (failure, end) in endings {
            let metrics = metrics()
            let connector = connector(.open(Response(statusCode: .ok), ["a".utf8]), metrics)
            var input = Fixture.input
            input.delivery = .stream
            let body = try #require(await WebAPI.call(with: input, via: connector).response?.body)
            #expect(metrics.snapshot.endpoints[name]?.inFlight == 1 && metrics.snapshot.endpoints[name]?.count == 0)
            clock.advance(by: .seconds(2))
            await end(body)
            let statistics = try #require(metrics.snapshot.endpoints[name])
            #expect(statistics.inFlight == 0 && statistics.count == 1)
            #expect(statistics.latencies[.success]?.sum == .seconds(2))
            #expect(statistics.failures == (failure.map { [$0: 1] } ?? [:]))
        }
    }

    @Test(
        "a duration falls into the first bucket whose bound it does not exceed",
        arguments: [(0, [1, 0]), (1000, [1, 0]), (1001, [0, 1]), (2000, [0, 1]), (2001, [0, 0])]
    )
    func buckets(_ milliseconds: Int, _ expected: [Int]) async throws {
        let metrics = metrics()
        let connector = connector(.hasResponse(Fixture.ok), taking: .milliseconds(milliseconds), metrics)
        _ = await WebAPI.call(with: Fixture.input, via: connector)
        let histogram = try #require(metrics.snapshot.endpoints[name]?.latencies[.success])
        #expect(histogram.buckets.map(\.count) == expected)
        #expect(histogram.count == 1)
    }

    @Test("each status has the class of its first digit, and any other code has the class `other`")
    func statusClasses() {
        let expected: [Int: CallMetrics.StatusClass] = [
            1: .informational, 2: .success, 3: .redirection, 4: .clientError, 5: .serverError,
        ]
        for code in -100...1100 {
            let isKnown = (100...599).contains(code)
            #expect(CallMetrics.StatusClass(.from(code: code)) == (isKnown ? expected[code / 100] : .other))
        }
    }

    @Test(
        "a failure is counted by its reason, and under the class of its status",
        arguments: [
            (Output.noResponse(Fixture.lost), CallMetrics.StatusClass.none, "connectionLost"),
            (.noResponse(.cancelled), .none, "cancelled"),
            (.hasResponse(Response(statusCode: .notFound)), .clientError, "rejected"),
            (.hasResponse(Response(statusCode: .ok, payload: Data([0xFF]))), .success, "malformed"),
            (.noResponse(.payloadTooLarge(Fixture.ok, limit: 1)), .success, "payloadTooLarge"),
            (.noResponse(.tooManyRedirects(Response(statusCode: .found), limit: 1)), .redirection, "tooManyRedirects"),
            (
                .noResponse(.refused(TestRefusal(), after: Response(statusCode: .unauthorized))), .clientError,
                "testRefusal"
            ),
            (.noResponse(.refused(TestRefusal())), .none, "testRefusal"),
            (.noResponse(.connectionLost(brokenOff)), .success, "connectionLost"),
            (.noResponse(.rejected(Response(statusCode: .serviceUnavailable), reason: "")), .serverError, "invalid"),
        ]
    )
    func failures(_ output: Output, _ status: CallMetrics.StatusClass, _ reason: String) async throws {
        let metrics = metrics()
        _ = await Fixture.endpoint.fetch(via: connector(output, metrics))
        let statistics = try #require(metrics.snapshot.endpoints[name])
        #expect(statistics.failures == [reason: 1])
        #expect(statistics.errors == 1)
        #expect(statistics.latencies.mapValues(\.count) == [status: 1])
    }

    private static let brokenOff = ConnectionError.Cause(domain: "stub", code: 1, text: "lost", partial: Fixture.ok)

    @Test("metrics that listen twice to one connector count each call once, and none stays in flight")
    func twice() async {
        let metrics = metrics()
        let connector = connector(.hasResponse(Fixture.ok), metrics).wrapped(by: .listen(to: .metrics(metrics)))
        for _ in 0..<3 { _ = await WebAPI.call(with: Fixture.input, via: connector) }
        #expect(metrics.snapshot.endpoints[name]?.inFlight == 0)
        #expect(metrics.snapshot.endpoints[name]?.count == 3)
    }

    @Test("the default name contains no user, path or query")
    func standardName() {
        let input = Input(
            url: URL(string: "https://user:secret@API.example.com:8443/users/alice?token=secret")!,
            methodAndPayload: .delete(payload: nil)
        )
        #expect(CallMetrics.methodAndHost(input) == "DELETE api.example.com")
        #expect(CallMetrics.methodAndHost(Input(url: URL(string: "/zen")!)) == "GET")
    }

    @Test("names beyond the limit are counted together, and earlier names are still counted separately")
    func nameLimit() async {
        let metrics = metrics(nameLimit: 2)
        let connector = connector(.hasResponse(Fixture.ok), metrics)
        for host in ["a", "b", "c", "d", "a"] {
            _ = await Endpoint.text(.get("https://\(host)/" as String)).fetch(via: connector)
        }
        #expect(metrics.snapshot.endpoints.mapValues(\.count) == ["GET a": 2, "GET b": 1, "other": 2])
    }

    @Test("an input that could not be built has its own name")
    func unbuilt() async {
        let metrics = metrics()
        _ = await Endpoint.text(.get("{")).fetch(via: connector(.hasResponse(Fixture.ok), metrics))
        #expect(metrics.snapshot.endpoints["unbuilt"]?.failures == ["malformedURL": 1])
    }

    @Test("a clock that was set back gives no negative duration")
    func clockSetBack() async {
        let times = Recorder<Duration>()
        let backwards = BackwardsClock(reads: times)
        let metrics = CallMetrics(bounds: [.seconds(1)], clock: backwards)
        _ = await WebAPI.call(with: Fixture.input, via: connector(.hasResponse(Fixture.ok), metrics))
        #expect(metrics.snapshot.endpoints[name]?.latencies[.success]?.sum == .zero)
    }
}

struct OpenMetricsTests {
    @Test("metrics without calls are three families and the end marker")
    func empty() {
        #expect(
            CallMetrics.Snapshot().openMetrics == """
                # TYPE startsmall_calls_in_flight gauge
                # HELP startsmall_calls_in_flight Running calls.
                # TYPE startsmall_call_failures counter
                # HELP startsmall_call_failures Failed calls.
                # TYPE startsmall_call_duration_seconds histogram
                # UNIT startsmall_call_duration_seconds seconds
                # HELP startsmall_call_duration_seconds Duration of calls.
                # EOF

                """
        )
    }

    @Test("each bucket also counts those before it, and +Inf counts all")
    func histogram() async {
        let clock = ManualClock()
        let metrics = CallMetrics(bounds: [.milliseconds(5), .seconds(1)], clock: clock)
        for milliseconds in [1, 5, 500, 2000] {
            let connector = Connector { _ in
                clock.advance(by: .milliseconds(milliseconds))
                return milliseconds == 500 ? .noResponse(Fixture.lost) : .hasResponse(Fixture.ok)
            }.wrapped(by: .listen(to: .metrics(metrics)))
            _ = await Fixture.endpoint.fetch(via: connector)
        }
        let lines = metrics.snapshot.openMetrics.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let endpoint = #"endpoint="GET api.example.com""#
        #expect(
            lines == [
                "startsmall_calls_in_flight{\(endpoint)} 0",
                "startsmall_call_failures_total{\(endpoint),reason=\"connectionLost\"} 1",
                "startsmall_call_duration_seconds_bucket{\(endpoint),status=\"none\",le=\"0.005\"} 0",
                "startsmall_call_duration_seconds_bucket{\(endpoint),status=\"none\",le=\"1.0\"} 1",
                "startsmall_call_duration_seconds_bucket{\(endpoint),status=\"none\",le=\"+Inf\"} 1",
                "startsmall_call_duration_seconds_count{\(endpoint),status=\"none\"} 1",
                "startsmall_call_duration_seconds_sum{\(endpoint),status=\"none\"} 0.5",
                "startsmall_call_duration_seconds_bucket{\(endpoint),status=\"2xx\",le=\"0.005\"} 2",
                "startsmall_call_duration_seconds_bucket{\(endpoint),status=\"2xx\",le=\"1.0\"} 2",
                "startsmall_call_duration_seconds_bucket{\(endpoint),status=\"2xx\",le=\"+Inf\"} 3",
                "startsmall_call_duration_seconds_count{\(endpoint),status=\"2xx\"} 3",
                "startsmall_call_duration_seconds_sum{\(endpoint),status=\"2xx\"} 2.006",
            ]
        )
    }

    @Test("the default bounds are written as Prometheus' clients write them")
    func defaultBounds() async {
        let metrics = CallMetrics(clock: ManualClock())
        let stub = Connector.stub(.hasResponse(Fixture.ok)).wrapped(by: .listen(to: .metrics(metrics)))
        _ = await WebAPI.call(with: Fixture.input, via: stub)
        let bounds = metrics.snapshot.openMetrics.matches(of: /le="([^"]*)"/).map { String($0.output.1) }
        #expect(
            bounds == ["0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "5.0", "10.0", "+Inf"]
        )
    }

    @Test("backslash, quote and line feed of a name are escaped and can't end its label; other characters stay")
    func escaping() {
        let name = "a\\b\"c\nd e\u{301}{}=,"
        var snapshot = CallMetrics.Snapshot()
        snapshot.endpoints[name, default: CallMetrics.EndpointStatistics()].inFlight = 1
        let text = snapshot.openMetrics
        #expect(text.contains(#"{endpoint="a\\b\"c\nd é{}=,"} 1"#))
        #expect(text.split(separator: "\n").count == 9)
    }
}

/// A clock that shows an earlier time at each read.
private struct BackwardsClock: Clock {
    let reads: Recorder<Duration>

    var now: ManualClock.Instant {
        reads.append(.zero)
        return ManualClock.Instant(offset: .seconds(-reads.elements.count))
    }

    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {}
}
