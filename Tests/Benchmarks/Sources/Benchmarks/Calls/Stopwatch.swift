import Foundation
import GitHubAPI
import StartSmall

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

    /// A user as JSON, and a response with it.
    static let user = Response(statusCode: .ok, payload: Data(#"{"id":1124024,"login":"Kuniwak"}"#.utf8))

    /// Returns the nanoseconds of Foundation's decoding of a user.
    static func decoding() async -> Double {
        await nanoseconds(calls: 20_000) { _ = try? JSONDecoder().decode(GitHubUser.self, from: user.payload) }
    }

    /// Prints the figure of a row, and a text after it.
    static func show(_ name: String, _ nanoseconds: Double, _ rest: String) {
        let figure = String(Int(nanoseconds.rounded()))
        let column = String(repeating: " ", count: max(1, 48 - name.count - figure.count))
        print("  \(name)\(column)\(figure)\(rest)")
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
