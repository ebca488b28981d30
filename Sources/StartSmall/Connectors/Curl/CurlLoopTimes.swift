#if os(Linux)
    import CCurl

    /// The times at which the engine's thread has something to do without an event, and the closing of connections.
    extension CurlLoop {
        /// Sets the time until which the thread sleeps, and returns the number of milliseconds until then.
        mutating func scheduleSleep(isAsleep: Bool) -> Int32 {
            sleepsUntil = isAsleep ? nextDueTime() : now
            return isAsleep ? Self.milliseconds(until: sleepsUntil) : 0
        }

        /// Returns the time at which there is something to do, even if nothing happens before.
        mutating func nextDueTime() -> Int64 {
            // A due time stays when the call that it was for is over: successive calls do not each wake the engine's
            // thread.
            var due = nextDue
            if sharedState.pointee.has_progress { due = min(due, nextProgressReport) }
            if sharedState.pointee.connecting > 0 { due = min(due, nextConnectCheck) }
            if isIdle, multi != nil || !idleTransfers.isEmpty { due = min(due, idleSince + idleConnectionAge) }
            if !isIdle { due = min(due, sweepAt) }
            guard let multi else { return due }
            let left = ccurl_multi_time_left(multi)
            let now = ccurl_now()
            if libraryDue <= now { libraryDue = .max }
            if left >= 0 { libraryDue = min(libraryDue, now + Int64(left) * 1_000_000) }
            return min(due, libraryDue)
        }

        private static func milliseconds(until due: Int64) -> Int32 {
            if due == .max { return .max }
            return Int32(clamping: (max(0, due - ccurl_now()) + 999_999) / 1_000_000)
        }

        /// Closes connections past their age, and frees the memory of a burst, while calls run.
        mutating func sweep() {
            forgetSpare()
            // With all connections in use there is none to close, and one more would have to wait for a connection.
            let hasRoom =
                sharedState.pointee.awaiting_connection == 0 && running.count - freeSlots.count < share.total
            if let multi, hasRoom { ccurl_multi_sweep(multi, Int(idleConnectionAge / 1_000_000_000)) }
            // The next sweep is scheduled again, as libcurl does not look twice within a second.
            sweepAt = now + sweepAge
        }

        mutating func forgetSpare() {
            for var transfer in idleTransfers { transfer.free() }
            idleTransfers = []
        }

        /// Closes all connections and frees the memory of a burst.
        mutating func forgetConnections() {
            forgetSpare()
            sweepAt = .max
            (running, freeSlots, slots) = ([], [], [:])
            if let multi { _ = ccurl_multi_free(multi) }
            multi = nil
        }
    }
#endif
