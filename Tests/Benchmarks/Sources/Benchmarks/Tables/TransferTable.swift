#if os(Linux)
    /// A large file: download and upload.
    enum TransferTable {
        static let turns = 3
        private static let engines: [EngineName] = [.curl, .urlSession, .asyncHTTPClient, .bareURLSession]
        private static let works: [(String, Order.Work)] = [
            ("256 MiB into memory", .downloadToMemory), ("256 MiB into a file", .downloadToFile),
            ("256 MiB from a file, up", .upload),
        ]

        static func measure(_ server: Nginx) throws {
            Columns.show("\n256 MiB from and to nginx on this machine; medians of \(turns) turns")
            for (title, work) in works {
                let turns = try Turns(turns, of: engines) { Order($0, work, server) }
                Columns.title(title, ["MiB/s", "CPU ms", "peak MiB", "of .curl()"])
                for engine in engines {
                    Columns.row(
                        engine.title,
                        [
                            turns.median(engine) { 256 * $0.rate }?.whole,
                            turns.median(engine) { $0.cpu * 1000 }?.whole,
                            turns.median(engine) { Double($0.peak) }?.mebibytes,
                            turns.ratio(engine, to: .curl)?.percent,
                        ]
                    )
                }
            }
        }
    }
#endif
