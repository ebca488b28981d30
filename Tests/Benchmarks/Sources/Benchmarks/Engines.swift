import BareCurl
import Foundation
import StartSmall

/// Requests a second for a small JSON from a server on this machine, each engine in turn in one run.
enum Engines {
    /// Runs against `url`; each figure is the median of `runs`, taken in turns, so that all meet the same weather.
    static func measure(url: String, runs: Int = 5, seconds: Double = 1) async {
        print("\nrequests a second from \(url), median of \(runs) runs; CPU in µs a request, all threads")
        let connector = Connector.curl()
        for atOnce in [1, 16, 64] {
            let calls = await sized(url, atOnce, seconds)
            var rows: [String: [(rate: Double, cpu: Double)]] = [:]
            for _ in 0..<runs {
                rows["bare libcurl", default: []].append(
                    measured(calls) { bare_curl_run(url, Int32(atOnce), Int32(calls)) }
                )
                rows["curl", default: []].append(await measured(calls) { await run(url, atOnce, calls, connector) })
            }
            let bare = median(rows["bare libcurl"] ?? [])
            for name in ["bare libcurl", "curl"] {
                let figure = median(rows[name] ?? [])
                let share = Int((100 * figure.rate / bare.rate).rounded())
                print("  \(atOnce) at once, \(name): \(Int(figure.rate)) a second, \(Int(figure.cpu)) µs, \(share) %")
            }
        }
    }

    private static func sized(_ url: String, _ atOnce: Int, _ seconds: Double) async -> Int {
        let took = bare_curl_run(url, Int32(atOnce), 2000)
        guard took > 0 else { return 2000 }
        return max(1000, Int(seconds * 2000 / took))
    }

    private static func median(_ figures: [(rate: Double, cpu: Double)]) -> (rate: Double, cpu: Double) {
        let sorted = figures.sorted { $0.rate < $1.rate }
        return sorted.isEmpty ? (0, 0) : sorted[sorted.count / 2]
    }

    private static func measured(_ calls: Int, _ body: () async -> Double) async -> (rate: Double, cpu: Double) {
        let before = clock()
        let seconds = await body()
        return (Double(calls) / seconds, Double(clock() - before) / Double(calls))
    }

    private static func measured(_ calls: Int, _ body: () -> Double) -> (rate: Double, cpu: Double) {
        let before = clock()
        let seconds = body()
        return (Double(calls) / seconds, Double(clock() - before) / Double(calls))
    }

    @concurrent
    private static func run(_ url: String, _ atOnce: Int, _ calls: Int, _ connector: Connector) async -> Double {
        guard let url = URL(string: url) else { return -1 }
        let input = Input(url: url)
        let duration = await ContinuousClock().measure {
            await withTaskGroup { group in
                for worker in 0..<atOnce {
                    let share = calls / atOnce + (worker < calls % atOnce ? 1 : 0)
                    group.addTask {
                        for _ in 0..<share {
                            let output = await WebAPI.call(with: input, via: connector)
                            if output.response?.statusCode != .ok { print("failed: \(output)") }
                        }
                    }
                }
            }
        }
        return duration / .seconds(1)
    }
}
