#if os(Linux)
    import CCurl
    import Foundation

    /// The limits of time of the calls that run.
    extension CurlLoop {
        /// Ends all calls that are overdue, and finds when the next one can be.
        ///
        /// Looked at when the earliest limit is reached, and not at each byte: what moved meanwhile is not overdue.
        mutating func endOverdue() {
            nextDue = .max
            var line: Line?
            for slot in running.indices {
                guard let entry = running[slot], entry.waiting != nil else { continue }
                let state = entry.transfer.handle.pointee
                // Who is slow then is the receiver, and not the server.
                if state.is_paused { continue }
                if state.is_connected, entry.isLimitedUntilHead, !entry.hasGivenHead {
                    // Looked at again, since the head may come meanwhile: its limit is not over before.
                    if let limit = idleLimit { nextDue = min(nextDue, now + limit) }
                } else if state.is_connected {
                    check(slot, entry, since: state.moved_at, idleLimit, "nothing came or went")
                } else if state.began_at > 0 {
                    check(slot, entry, since: state.began_at, connectLimit, "not connected")
                } else if let limit = connectLimit {
                    let known = line ?? self.line()
                    line = known
                    let since = known.holds(entry.url) ? now : max(entry.startedAt, lastEnd)
                    // What it has waited does not count for libcurl either.
                    ccurl_transfer_expect_connection(entry.transfer.handle)
                    check(slot, entry, since: since, limit, Self.noConnection)
                }
            }
            if let limit = connectLimit, !pending.isEmpty { endOverdueBacklog(limit, line ?? self.line()) }
        }

        private static let noConnection = "no connection to be had"

        /// Ends the calls that have not begun, by the same rule as those that wait within libcurl.
        private mutating func endOverdueBacklog(_ limit: Int64, _ line: Line) {
            for call in Array(pending.calls) {
                let since = line.holds(call.request.url) ? now : max(call.arrivedAt, lastEnd)
                if since + limit > now {
                    nextDue = min(nextDue, since + limit)
                } else if let call = pending.leave(call.id) {
                    let failure = CurlFailure(overdue: Self.noConnection, limit)
                    let remains = TransferResult(bytes: [], headCount: 0, failure: failure)
                    call.answer.end(.ended(remains), FinalReport())
                }
            }
        }

        /// Ends a call that has reached its limit, or else takes note of when it will.
        private mutating func check(
            _ slot: Int,
            _ entry: ActiveCall,
            since: Int64,
            _ limit: Int64?,
            _ what: String
        ) {
            guard let limit else { return }
            if since + limit > now {
                nextDue = min(nextDue, since + limit)
            } else {
                end(slot, .ended(entry.transfer.remains(CurlFailure(overdue: what, limit))))
            }
        }

        /// What a call may be waiting behind: connections in use to its host, or all that there may be.
        private struct Line {
            let origins: Set<Origin>
            let isFull: Bool

            func holds(_ url: URL) -> Bool {
                isFull || Origin(url).map(origins.contains) ?? false
            }
        }

        private func line() -> Line {
            let connected = running.compactMap { $0 }.filter { $0.transfer.handle.pointee.is_connected }
            return Line(
                origins: Set(connected.compactMap { Origin($0.url) }),
                isFull: connected.count >= options.maxConnections
            )
        }
    }

    extension CurlFailure {
        /// A limit of time in nanoseconds was reached.
        fileprivate init(overdue what: String, _ limit: Int64) {
            self.init(code: 28, text: "\(what) for \(limit / 1_000_000) ms")
        }
    }

    extension Duration {
        /// At most the longest wait, so that sums do not overflow; a limit below zero is none to wait for.
        var clampedNanoseconds: Int64 {
            let (seconds, attoseconds) = min(max(self, .zero), .maximumWait).components
            return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        }
    }
#endif
