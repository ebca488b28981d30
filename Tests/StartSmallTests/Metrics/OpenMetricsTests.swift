import Foundation
import StartSmall
import StartSmallMetrics
import StartSmallTesting
import Testing

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
        let text = CallMetrics.Snapshot(endpoints: [name: CallMetrics.EndpointStatistics(inFlight: 1)]).openMetrics
        #expect(text.contains(#"{endpoint="a\\b\"c\nd é{}=,"} 1"#))
        #expect(text.split(separator: "\n").count == 9)
    }

    @Test("names are sorted")
    func order() {
        let statistics = CallMetrics.EndpointStatistics(inFlight: 1)
        let text = CallMetrics.Snapshot(endpoints: ["b": statistics, "a": statistics, "c": statistics]).openMetrics
        #expect(text.matches(of: /endpoint="(.)"/).map { String($0.output.1) } == ["a", "b", "c"])
    }
}
