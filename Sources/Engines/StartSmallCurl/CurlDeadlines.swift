#if CURL_ENGINE
    import StartSmallCore
    import StartSmallEngines
    import StartSmallSupport
    import CCurl
    import StartSmallFoundation

    /// The time limits of running calls.
    extension CurlLoop {
        /// Ends all calls that are overdue, and finds the next time at which a call can be overdue.
        ///
        /// The check runs when the earliest limit is reached, and not at each byte: a call that made progress meanwhile
        /// is not overdue.
        mutating func endOverdue() {
            nextDue = .max
            var blocking: BlockingConnections?
            for slot in running.indices {
                guard let entry = running[slot], !entry.isAnswered else { continue }
                let state = entry.transfer.handle.pointee
                if state.response.redirected_at != 0 {
                    let end = endOfRedirect(entry.transfer.handle)
                    if end <= now {
                        self.end(slot, .ended(entry.transfer.transferResult(nil)))
                        continue
                    }
                    nextDue = min(nextDue, end)
                }
                // While the transfer is paused, the reader is slow, and not the server; while it is starved, the
                // producer, unless the server has begun to respond.
                if state.is_paused || state.is_starved && !state.response.has_checked_head { continue }
                if state.phase == ccurl_phase_connected, entry.call.isLimitedUntilHead, !entry.hasDeliveredHead {
                    // The call is checked again, since the head may arrive meanwhile: the limit can't be reached
                    // before.
                    if let limit = idleLimit { nextDue = min(nextDue, now + limit) }
                } else if state.phase == ccurl_phase_connected {
                    let limit = options.idleTimeout.limit(within: entry.call.remainingTime)?.clampedNanoseconds
                    check(slot, entry, since: state.moved_at, limit, Self.idle)
                } else if state.phase == ccurl_phase_connecting {
                    check(slot, entry, since: state.began_at, connectLimit, ("not connected", "connectTimeout"))
                } else if let limit = connectLimit {
                    let known = blocking ?? blockingConnections()
                    blocking = known
                    let since = known.mayBlock(entry.call.request.url) ? now : max(entry.call.arrivedAt, lastEnd)
                    // libcurl does not count the time that the transfer has waited for a connection either.
                    ccurl_transfer_expect_connection(entry.transfer.handle)
                    check(slot, entry, since: since, limit, Self.noConnection)
                }
            }
            guard let limit = connectLimit else { return }
            if !pending.isEmpty { endOverdue(pending.all, limit, blocking ?? blockingConnections()) }
        }

        /// Returns the time at which the rest of the payload of a redirect is given up, with its connection.
        func endOfRedirect(_ handle: UnsafeMutablePointer<ccurl_transfer>) -> Int64 {
            handle.pointee.response.redirected_at + Response.redirectPayloadTime.clampedNanoseconds
        }

        /// The time by which the cancellation of a call may precede its time limit, by another clock: 10 milliseconds.
        private static let clockDifference: Int64 = 10_000_000

        /// Notes that a call that is cancelled by its time limit had no answer to its request.
        ///
        /// Connecting is a part of the limit, and may leave the server too little of it.
        func noteOverdue(ofCancelled slot: Int) {
            guard let entry = running[slot], !entry.isAnswered else { return }
            let handle = entry.transfer.handle
            if !entry.transfer.isConnected || handle.pointee.head.count > 0 || handle.pointee.is_starved { return }
            let age = now - entry.call.arrivedAt
            let limit = entry.call.remainingTime?.clampedNanoseconds ?? .max
            let isOverdue = limit <= age + Self.clockDifference && now - handle.pointee.moved_at >= age / 2
            if isOverdue { ccurl_note_overdue(handle) }
        }

        /// The missing event, and the option with its limit.
        fileprivate typealias Overdue = (what: String, option: String)

        private static let idle: Overdue = ("no byte was sent or received", "idleTimeout")
        private static let noConnection: Overdue = ("no connection was available", "connectTimeout")

        /// Ends overdue calls that have not begun, by the same rule as calls that wait within libcurl.
        private mutating func endOverdue(_ calls: [CurlCall], _ limit: Int64, _ blocking: BlockingConnections) {
            for call in calls {
                let since = blocking.mayBlock(call.request.url) ? now : max(call.arrivedAt, lastEnd)
                if since + limit > now {
                    nextDue = min(nextDue, since + limit)
                } else if let call = pending.remove(call.id) {
                    let failure = CurlFailure(overdue: Self.noConnection, limit)
                    let transferResult = TransferResult(bytes: [], headCount: 0, failure: failure)
                    call.reply.end(.ended(transferResult))
                }
            }
        }

        /// Ends a call that has reached its limit, or else notes when the call will reach it.
        private mutating func check(
            _ slot: Int,
            _ entry: ActiveCall,
            since: Int64,
            _ limit: Int64?,
            _ what: Overdue
        ) {
            guard let limit else { return }
            if since + limit > now {
                nextDue = min(nextDue, since + limit)
            } else {
                ccurl_note_overdue(entry.transfer.handle)
                end(slot, .ended(entry.transfer.transferResult(CurlFailure(overdue: what, limit))))
            }
        }

        /// The connections that a call may be waiting for: those in use to its host, or all, if no more are allowed.
        private struct BlockingConnections {
            let origins: Set<Origin>
            let isFull: Bool

            func mayBlock(_ url: URL) -> Bool {
                isFull || Origin(url).map(origins.contains) ?? false
            }
        }

        private func blockingConnections() -> BlockingConnections {
            let connected = running.compactMap { $0 }.filter(\.transfer.isConnected)
            return BlockingConnections(
                origins: Set(connected.compactMap { Origin($0.call.request.url) }),
                isFull: connected.count >= options.maxConnections
            )
        }
    }

    extension CurlFailure {
        /// Creates a failure for a reached time limit in nanoseconds.
        fileprivate init(overdue: CurlLoop.Overdue, _ limit: Int64) {
            let (what, option) = overdue
            let text = ConnectionOptions.overdueText(what, for: "\(limit / 1_000_000) ms", option: option)
            self.init(kind: .overdue, text: text)
        }
    }

    extension Duration {
        /// The nanoseconds of a duration, from zero to the longest wait.
        ///
        /// Sums of the results do not overflow; a limit below zero counts as zero.
        var clampedNanoseconds: Int64 {
            let (seconds, attoseconds) = min(max(self, .zero), .maximumWait).components
            return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        }
    }
#endif
