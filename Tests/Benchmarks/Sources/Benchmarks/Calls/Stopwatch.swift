/// Measures the cost of a call, as the median of several runs.
enum Stopwatch {
    static let runs = 9

    /// Returns the nanoseconds per call.
    @concurrent
    static func nanoseconds(calls: Int = 200_000, _ call: @Sendable () async -> Void) async -> Double {
        var results: [Double] = []
        for _ in 0..<runs {
            let duration = await ContinuousClock().measure {
                for _ in 0..<calls { await call() }
            }
            results.append(duration / .nanoseconds(1) / Double(calls))
        }
        return results.sorted()[runs / 2]
    }

    /// Returns whether a figure meets a limit, as text to print after the figure.
    static func decision(_ nanoseconds: Double, _ limit: Double) -> String {
        nanoseconds.rounded() <= limit ? "   at most \(Int(limit)): reached" : "   at most \(Int(limit)): MISSED"
    }
}
