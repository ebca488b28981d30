#if os(Linux)
    /// Figures of several engines, measured in turns, so that all meet the same conditions.
    struct Turns {
        private var figures: [EngineName: [Figure]] = [:]

        /// Measures `count` turns; an engine that fails has no figures, and is not measured again.
        ///
        /// - Throws: The error of an engine of StartSmall; for the one over a `URLSession`, only if the bare
        ///   `URLSession` succeeds.
        init(_ count: Int, of engines: [EngineName], order: (EngineName) -> Order) throws {
            var failures: [EngineName: any Error] = [:]
            for _ in 0..<count {
                for engine in engines where failures[engine] == nil {
                    do {
                        figures[engine, default: []].append(try order(engine).measured())
                    } catch {
                        if engine == .curl { throw error }
                        failures[engine] = error
                        figures[engine] = nil
                    }
                }
            }
            if let failure = failures[.urlSession], failures[.bareURLSession] == nil { throw failure }
        }

        /// Returns the median of a value; nil if the engine has failed.
        func median(_ engine: EngineName, _ value: (Figure) -> Double) -> Double? {
            figures[engine]?.map(value).median
        }

        /// Returns the memory at several moments, of the last turn.
        func resident(_ engine: EngineName) -> [Int]? {
            figures[engine]?.last?.resident
        }

        /// Returns the speed of an engine relative to another: the median of the ratios of each turn, since figures of
        /// one turn are nearest to each other in time.
        func ratio(_ engine: EngineName, to other: EngineName) -> Double? {
            guard let ours = figures[engine], let theirs = figures[other] else { return nil }
            return zip(ours, theirs).map { $0.rate / $1.rate }.median
        }

        /// Prints a table of small calls, with the speed of each engine relative to one of them.
        func show(_ title: String, _ engines: [EngineName], relativeTo other: EngineName) {
            Columns.title(title, ["requests/s", "CPU µs", "peak MiB", "of .curl()"])
            for engine in engines {
                Columns.row(
                    engine.title,
                    [
                        median(engine, \.rate)?.whole, median(engine, \.microsecondsOfCPU)?.whole,
                        median(engine) { Double($0.peak) }?.mebibytes, ratio(engine, to: other)?.percent,
                    ]
                )
            }
        }
    }

    extension EngineName {
        var isStartSmall: Bool { [.curl, .curl2, .urlSession].contains(self) }
    }

    extension [Double] {
        fileprivate var median: Double? { isEmpty ? nil : sorted()[count / 2] }
    }
#endif
