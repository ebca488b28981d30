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

    /// Returns a figure as a share of Foundation's decoding of a user in the same run, as text to print after it.
    ///
    /// Nanoseconds depend on the machine; shares depend on it much less.
    ///
    /// - Parameters:
    ///   - nanoseconds: the figure.
    ///   - decoding: the nanoseconds of the decoding.
    ///   - limit: the largest share; nil to print none.
    static func share(_ nanoseconds: Double, of decoding: Double, atMost limit: Double?) -> String {
        let share = nanoseconds / max(decoding, 1)
        let text = String(format: "   %.3f", share)
        guard let limit else { return text }
        return text + String(format: ", at most %.3f: ", limit) + (share <= limit ? "reached" : "MISSED")
    }
}
