#if os(Linux)
    import CCurl

    /// The end of connections and handles that no call uses.
    extension CurlLoop {
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

        private mutating func forgetSpare() {
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
