/// Measures what a call costs, as the median of several runs.
enum Stopwatch {
    static let runs = 9

    /// Nanoseconds a call.
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

    /// Whether a figure keeps a limit, to be printed behind it.
    static func decision(_ nanoseconds: Double, _ limit: Double) -> String {
        nanoseconds.rounded() <= limit ? "   at most \(Int(limit)): reached" : "   at most \(Int(limit)): MISSED"
    }
}
