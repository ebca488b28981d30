#if os(Linux)
    /// The measurement of the share of a processor that a thread uses.
    ///
    /// The time of the processor counts, and not the time that passes outside of waits: a thread that waits for a
    /// processor, because other threads have all of them, is not helped by one more thread.
    struct ThreadLoad {
        /// The time over which a load is measured: 100 milliseconds.
        ///
        /// Shorter than a user notices, and longer than the bursts that any loop has; reading the thread's time, a call
        /// of the system, then costs nothing.
        static let window: Int64 = 100_000_000

        /// The beginning of the window, and the thread's time at that moment; nil before the first one.
        private var start: (now: Int64, threadTime: Int64)?

        /// Returns the load over the window that ends now; nil while the window lasts.
        ///
        /// - Parameters:
        ///   - now: the time in nanoseconds.
        ///   - threadTime: reads the time that the thread has spent on a processor, in nanoseconds.
        mutating func measure(at now: Int64, _ threadTime: () -> Int64) -> Double? {
            if let start, now - start.now < Self.window { return nil }
            let time = threadTime()
            defer { start = (now, time) }
            guard let start else { return nil }
            return Double(time - start.threadTime) / Double(now - start.now)
        }
    }
#endif
