#if os(Linux)
    /// Figures of several engines, taken in turns, so that all meet the same weather.
    struct Turns {
        private var figures: [EngineName: [Figure]] = [:]

        /// An engine that fails has no figures, and is not asked again.
        ///
        /// - Throws: if an engine of StartSmall fails, unless it is the one over a `URLSession`, and that fails by itself, too.
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

        /// The median of something; nil if the engine has failed.
        func median(_ engine: EngineName, _ value: (Figure) -> Double) -> Double? {
            figures[engine]?.map(value).median
        }

        /// Memory at several moments, of the last turn.
        func resident(_ engine: EngineName) -> [Int]? {
            figures[engine]?.last?.resident
        }

        /// How many times as fast one is as the other: the median of what it was in each turn, since figures of one turn
        /// are nearest to each other in time.
        func ratio(_ engine: EngineName, to other: EngineName) -> Double? {
            guard let ours = figures[engine], let theirs = figures[other] else { return nil }
            return zip(ours, theirs).map { $0.rate / $1.rate }.median
        }
    }

    extension EngineName {
        var isStartSmall: Bool { self == .curl || self == .urlSession }
    }

    extension [Double] {
        fileprivate var median: Double? { isEmpty ? nil : sorted()[count / 2] }
    }
#endif
