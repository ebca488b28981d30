#if os(Linux)
    import CCurl

    /// The connection of a loop to the router, which decides in which loop a call runs.
    extension CurlLoop {
        /// Tells the router that a call does not run any more, and takes the calls that can start in its place.
        mutating func release(_ route: CallRoute?) {
            take(router.withLock { $0.end(route) })
        }

        /// Takes the waiting calls for which this loop has room.
        mutating func startWaiting() {
            take(router.withLock { [index] in $0.startWaiting(in: index) })
        }

        private mutating func take(_ calls: [CurlCall]) {
            for call in calls { pending.append(call) }
        }

        /// Removes and returns a call that has not begun; nil if there is none with this ID.
        mutating func removeWaiting(_ id: UInt64) -> CurlCall? {
            guard let call = pending.remove(id) else { return router.withLock { $0.removeWaiting(id) } }
            release(call.route)
            return call
        }

        /// Tells the router which hosts use HTTP/2, as soon as connections to them are open.
        mutating func reportUses() {
            sharedState.pointee.has_new_use = false
            for slot in running.indices {
                // A call that needs its own connection has one, even if it speaks HTTP/2.
                guard let entry = running[slot], let route = entry.route, !entry.call.needsOwnConnection else {
                    continue
                }
                let use = ConnectionUse(entry.transfer.handle.pointee.use)
                if use == route.use { continue }
                running[slot]?.route?.use = use
                guard let started = router.withLock({ $0.identify(route, as: use) }) else { continue }
                take(started)
                hasFoundRoom = true
            }
        }

        /// Tells the router the load of the engine's thread from time to time.
        mutating func measureLoad() {
            guard let load = threadLoad.measure(at: now, threadTime) else { return }
            router.withLock { [index, now] in $0.record(load, of: index, at: now) }
        }
    }
#endif
