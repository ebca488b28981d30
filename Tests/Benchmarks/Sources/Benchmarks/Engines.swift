#if os(Linux)
    import BareCurl
    import Foundation
    import StartSmall

    /// Requests a second for a small JSON from a server on this machine, each engine in turn in one run.
    enum Engines {
        /// Runs against `url`; each figure is the median of `runs`, taken in turns, so that all meet the same weather.
        static func measure(url: String, runs: Int = 15, seconds: Double = 0.3) async {
            print("\nrequests a second from \(url), median of \(runs) runs; CPU in µs a request, all threads")
            let connector = Connector.curl()
            for atOnce in [1, 16, 64] {
                let calls = await sized(url, atOnce, seconds)
                var (bare, ours): ([Figure], [Figure]) = ([], [])
                for _ in 0..<runs {
                    bare.append(measured(calls) { bare_curl_run(url, Int32(atOnce), Int32(calls)) })
                    ours.append(await measured(calls) { await run(url, atOnce, calls, connector) })
                }
                // Each figure beside the one that was taken just before it: the machine has other things to do.
                let share = median(zip(ours, bare).map { $0.rate / $1.rate })
                show(atOnce, "bare libcurl", bare, share: 1)
                show(atOnce, "curl", ours, share: share)
            }
        }

        private typealias Figure = (rate: Double, cpu: Double)

        private static func show(_ atOnce: Int, _ name: String, _ figures: [Figure], share: Double) {
            let (rate, cpu) = (Int(median(figures.map(\.rate))), Int(median(figures.map(\.cpu))))
            print("  \(atOnce) at once, \(name): \(rate) a second, \(cpu) µs, \(Int((100 * share).rounded())) %")
        }

        private static func median(_ figures: [Double]) -> Double {
            figures.isEmpty ? 0 : figures.sorted()[figures.count / 2]
        }

        private static func sized(_ url: String, _ atOnce: Int, _ seconds: Double) async -> Int {
            let took = bare_curl_run(url, Int32(atOnce), 2000)
            guard took > 0 else { return 2000 }
            return max(1000, Int(seconds * 2000 / took))
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
#endif
