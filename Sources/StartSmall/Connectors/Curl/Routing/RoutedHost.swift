#if os(Linux)
    /// The calls to one host, as the router counts them.
    struct RoutedHost {
        /// The scheme, host and port as URLs name them.
        let origin: String

        /// The number of the host that no other host has, not even after it was forgotten; at least 1.
        let serial: UInt64

        /// Whether running calls share connections.
        var use: ConnectionUse

        /// The number of running calls in each event loop.
        private(set) var running: [Int]

        /// The number of running calls in all event loops.
        private(set) var runningInAll = 0

        /// The number of calls that wait for room in an event loop.
        private(set) var waiting = 0

        /// The order of the waiting calls; a call that was removed before its turn may still be listed.
        private var order = CallIDQueue()

        init(origin: String, serial: UInt64, use: ConnectionUse, loops: Int) {
            (self.origin, self.serial, self.use) = (origin, serial, use)
            running = Array(repeating: 0, count: loops)
        }

        /// Whether no call runs or waits.
        var isIdle: Bool { runningInAll == 0 && waiting == 0 }

        /// Returns the number of connections that the running calls of a loop need.
        func connections(in loop: Int) -> Int {
            use == .multiplexed ? min(1, running[loop]) : running[loop]
        }

        /// Whether one more call in a loop needs no further connection.
        func sharesConnection(in loop: Int) -> Bool { use == .multiplexed && running[loop] > 0 }

        /// Whether one more call may run in a loop, as far as the calls to this host are concerned.
        ///
        /// As long as it is not known whether calls share connections, all of them stay in one loop, so that they can
        /// share a connection if that is possible.
        func mayRun(in loop: Int, share: ConnectionShare) -> Bool {
            if use == .multiplexed { return true }
            if use == .unknown, runningInAll > 0, running[loop] == 0 { return false }
            return running[loop] < share.perHost
        }

        /// Adds a call that waits.
        mutating func addWaiting(_ id: UInt64) {
            order.append(id)
            waiting += 1
        }

        /// Records that a call does not wait any more, whatever its place in the order.
        mutating func removeWaiting() {
            waiting -= 1
            if waiting == 0 { order = CallIDQueue() }
        }

        /// Removes and returns the next ID in the order, which may be that of a call that does not wait any more.
        mutating func popFirst() -> UInt64? { order.popFirst() }

        mutating func begin(in loop: Int) {
            running[loop] += 1
            runningInAll += 1
        }

        mutating func end(in loop: Int) {
            running[loop] -= 1
            runningInAll -= 1
        }
    }
#endif
