extension CallMetrics.Snapshot {
    /// The metrics in the text format of OpenMetrics 1.0, to be served as `application/openmetrics-text`.
    ///
    /// | family | type | labels |
    /// | --- | --- | --- |
    /// | `startsmall_calls_in_flight` | gauge | `endpoint` |
    /// | `startsmall_call_failures` | counter | `endpoint`, `reason` |
    /// | `startsmall_call_duration_seconds` | histogram | `endpoint`, `status` |
    ///
    /// The number of calls is the count of the histogram. Families and labels are in a fixed order.
    public var openMetrics: String {
        let endpoints = endpoints.sorted { $0.key < $1.key }
        var text = OpenMetricsText()
        text.begin("startsmall_calls_in_flight", .gauge, help: "Running calls.")
        for (name, statistics) in endpoints { text.add("", [("endpoint", name)], statistics.inFlight) }
        text.begin("startsmall_call_failures", .counter, help: "Failed calls.")
        for (name, statistics) in endpoints {
            for (reason, count) in statistics.failures.sorted(by: { $0.key < $1.key }) {
                text.add("_total", [("endpoint", name), ("reason", reason)], count)
            }
        }
        text.begin("startsmall_call_duration_seconds", .histogram, unit: "seconds", help: "Duration of calls.")
        for (name, statistics) in endpoints {
            for status in CallMetrics.StatusClass.allCases {
                guard let histogram = statistics.latencies[status] else { continue }
                text.addHistogram([("endpoint", name), ("status", status.rawValue)], histogram)
            }
        }
        return text.ended
    }
}

/// A writer of the text format of OpenMetrics 1.0 (https://prometheus.io/docs/specs/om/open_metrics_spec/).
private struct OpenMetricsText {
    enum Kind: String {
        case gauge, counter, histogram
    }

    typealias Labels = [(name: String, value: String)]

    private var text = ""
    private var family = ""

    var ended: String { text + "# EOF\n" }

    mutating func begin(_ family: String, _ kind: Kind, unit: String? = nil, help: String) {
        self.family = family
        text += "# TYPE \(family) \(kind.rawValue)\n"
        if let unit { text += "# UNIT \(family) \(unit)\n" }
        text += "# HELP \(family) \(Self.escaped(help))\n"
    }

    mutating func add(_ suffix: String, _ labels: Labels, _ value: some CustomStringConvertible) {
        let labels = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        text += "\(family)\(suffix){\(labels)} \(value)\n"
    }

    /// Adds a histogram with cumulative buckets: each bucket includes those before it, and the last one includes all
    /// durations.
    mutating func addHistogram(_ labels: Labels, _ histogram: CallMetrics.Histogram) {
        var count = 0
        for bucket in histogram.buckets {
            count += bucket.count
            add("_bucket", labels + [("le", "\(bucket.bound / .seconds(1))")], count)
        }
        add("_bucket", labels + [("le", "+Inf")], histogram.count)
        add("_count", labels, histogram.count)
        add("_sum", labels, histogram.sum / .seconds(1))
    }

    /// Escapes the three characters that a string of the format can't contain unescaped.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
