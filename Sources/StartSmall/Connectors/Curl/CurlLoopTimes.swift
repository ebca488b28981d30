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
    }
#endif
