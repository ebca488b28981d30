#if os(Linux)
    import StartSmallTesting

    /// Very many calls: concurrent, and successive.
    enum ManyTable {
        private static let engines: [EngineName] = [.curl, .urlSession, .asyncHTTPClient, .bareURLSession]

        static func measure(_ server: Nginx) throws {
            try measureCrowd(server, connections: 64)
            try measureCrowd(server, connections: min(crowd, ThisProcess.mostDescriptors - keptDescriptors))
            try measureRow(server)
            try measureSilence(server)
        }

        // MARK: at once

        private static let crowd = 10_000

        /// The number of descriptors of a process besides its connections.
        private static let keptDescriptors = 100

        private static func measureCrowd(_ server: Nginx, connections: Int) throws {
            let turns = try Turns(1, of: engines) { engine in
                var order = Order(engine, .crowd, server)
                (order.atOnce, order.connections) = (crowd, connections)
                return order
            }
            Columns.title("\(crowd) at once, \(connections) connections", ["seconds", "CPU µs", "peak MiB"])
            for engine in engines {
                Columns.row(
                    engine.title,
                    [
                        turns.median(engine, \.seconds)?.text(digits: 2),
                        turns.median(engine, \.microsecondsOfCPU)?.whole,
                        turns.median(engine) { Double($0.peak) }?.mebibytes,
                    ]
                )
            }
        }

        // MARK: beside silent calls

        private static let silent = 1_000

        private static func measureSilence(_ server: Nginx) throws {
            let latch = Latch()
            let mute = try LoopbackServer.start { _ in [.receiveRequest, .wait(latch)] }
            defer { mute.stop() }
            let turns = try Turns(3, of: engines) { engine in
                var order = Order(engine, .rowBesideSilence, server)
                (order.calls, order.atOnce, order.connections) = (500, silent, 2 * silent)
                order.large = mute.url
                return order
            }
            Columns.title("in a row, beside \(silent) without answer", ["requests/s", "CPU µs", "peak MiB"])
            for engine in engines {
                Columns.row(
                    engine.title,
                    [
                        turns.median(engine, \.rate)?.whole, turns.median(engine, \.microsecondsOfCPU)?.whole,
                        turns.median(engine) { Double($0.peak) }?.mebibytes,
                    ]
                )
            }
        }

        // MARK: successive calls

        private static let row = 20_000

        /// The permitted growth of memory from the thousandth call to the last: a page for every tenth call would be 7
        /// MiB.
        private static let flatBytes = 1 << 20

        private static func measureRow(_ server: Nginx) throws {
            let turns = try Turns(1, of: engines) { engine in
                var order = Order(engine, .row, server)
                order.calls = row
                return order
            }
            Columns.title("\(row) in a row, MiB", ["seconds", "1st call", "1,000th", "last"])
            for engine in engines {
                let resident = turns.resident(engine)
                let seconds = turns.median(engine, \.seconds)?.text(digits: 1)
                Columns.row(
                    engine.title,
                    [seconds] + (0..<3).map { moment in resident.map { Double($0[moment]).mebibytes } }
                )
            }
            if let resident = turns.resident(.curl) { decision(resident[2] - resident[1]) }
        }

        private static func decision(_ growth: Int) {
            let limit = Double(flatBytes).mebibytes
            let decision = growth <= flatBytes ? "reached" : "MISSED"
            let figure = Double(growth).mebibytes
            Columns.show("    .curl() grows by \(figure) MiB after the 1,000th call, at most \(limit): \(decision)")
        }
    }
#endif
