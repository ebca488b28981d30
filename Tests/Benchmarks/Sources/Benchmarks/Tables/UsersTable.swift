#if os(Linux)
    /// The small JSON, decoded to a struct: requests a second, and their cost.
    enum UsersTable {
        static let turns = 7
        static let seconds = 0.3

        static func measure(_ server: Nginx) throws {
            Columns.show("\na small JSON from nginx on this machine, decoded to a struct")
            Columns.show(
                "each engine in its own process, in \(turns) turns of \(seconds) s; medians; at most 64 connections"
            )
            var plot = Plot(title: "Requests a second, a small JSON from nginx on the same machine")
            for atOnce in [1, 16, 64] { plot.add("\(atOnce) at a time", try measure(server, atOnce)) }
            try plot.write()
        }

        private static func measure(_ server: Nginx, _ atOnce: Int) throws -> [Plot.Bar] {
            let turns = try Turns(turns, of: EngineName.allCases) { engine in
                var order = Order(engine, .users, server)
                (order.atOnce, order.seconds) = (atOnce, seconds)
                return order
            }
            turns.show("\(atOnce) at a time", EngineName.allCases, relativeTo: .curl)
            verdicts(turns, atOnce)
            return EngineName.allCases.compactMap { engine in
                turns.median(engine, \.rate).map {
                    Plot.Bar(name: engine.title, value: $0, isOurs: engine.isStartSmall)
                }
            }
        }

        private static func verdicts(_ turns: Turns, _ atOnce: Int) {
            let ratio = { turns.ratio(.curl, to: $0) }
            Columns.decision(".curl() to AsyncHTTPClient", ratio(.asyncHTTPClient), atLeast: 1.5, \.times)
            let asItComes = ".curl() to AsyncHTTPClient as it comes, with 8 connections"
            Columns.decision(asItComes, ratio(.asyncHTTPClientAsItComes), atLeast: 1.5, \.times)
            Columns.decision(".curl() to URLSession", ratio(.bareURLSession), atLeast: 10, \.times)
            Columns.decision(".curl() to libcurl in C", ratio(.bareCurl), atLeast: 0.7, \.percent)
            // The server uses one of two processors: another engine can't gain much, and must not lose.
            Columns.decision("two engines to one", turns.ratio(.curl2, to: .curl), atLeast: 0.95, \.percent)
            if atOnce > 1 { undecodedVerdicts(turns) }
        }

        /// The requirements of the engine itself: with several calls at a time, and nothing decoded.
        private static func undecodedVerdicts(_ turns: Turns) {
            let ratio = { turns.ratio(.curlUndecoded, to: $0) }
            Columns.decision("not decoded, to AsyncHTTPClient", ratio(.asyncHTTPClientUndecoded), atLeast: 1.6, \.times)
            Columns.decision("not decoded, to libcurl in C", ratio(.bareCurlUndecoded), atLeast: 0.8, \.percent)
            let cost = { turns.median($0, \.microsecondsOfCPU) }
            guard let ours = cost(.curlUndecoded), let bare = cost(.bareCurlUndecoded) else { return }
            Columns.decision("CPU of libcurl in C to .curl(), not decoded", bare / ours, atLeast: 1 / 1.5, \.percent)
        }
    }
#endif
