#if os(Linux)
    /// The number of event loops that calls are spread over, which follows the load of their threads.
    ///
    /// A loop keeps up as long as its thread does not use up a processor. One more loop is used when all loops in use
    /// together are near that limit, and one less when the others could do the work at half of it. Between the two is a
    /// wide range without a change, so that connections are seldom opened in another loop.
    struct ActiveLoops {
        /// The load of a loop above which another is used: 0.85 of a processor.
        ///
        /// A loop that waits for nothing any more is late already: at 0.85, the mean queue of a single server is 5.7
        /// calls (M/M/1: ρ / (1 - ρ)), and above that it doubles within less than 0.1.
        static let highLoad = 0.85

        /// The load of the remaining loops below which one of them is not used any more: 0.5 of a processor.
        ///
        /// After a loop was added, the load of the others, if they had to do its work again, is 0.85: far above this
        /// limit, so that the number of loops does not go back and forth.
        static let lowLoad = 0.5

        /// The time after which a measurement is out of date: a thread that did not measure meanwhile sleeps.
        private static let validity = 2 * ThreadLoad.window

        /// The number of loops in use, at least 1.
        private(set) var count = 1

        private let maximum: Int
        private var loads: [(load: Double, time: Int64)]

        /// The time from which on all measurements are made with the current number of loops.
        private var settledAt = Int64.min

        init(maximum: Int) {
            self.maximum = maximum
            loads = Array(repeating: (0, Int64.min), count: maximum)
        }

        /// Records the load of a loop's thread, and changes the number of loops if necessary, by one.
        ///
        /// - Parameters:
        ///   - load: the share of a processor that the thread has used.
        ///   - loop: the index of the loop.
        ///   - now: the time in nanoseconds.
        mutating func record(_ load: Double, of loop: Int, at now: Int64) {
            loads[loop] = (load, now)
            if now < settledAt { return }
            let sum = loads.lazy.filter { $0.time > now - Self.validity }.reduce(0) { $0 + $1.load }
            if sum > Self.highLoad * Double(count), count < maximum {
                count += 1
            } else if count > 1, sum < Self.lowLoad * Double(count - 1) {
                count -= 1
            } else {
                return
            }
            settledAt = now + Self.validity
        }
    }
#endif
