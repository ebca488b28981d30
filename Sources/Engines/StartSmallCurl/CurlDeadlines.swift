#if CURL_ENGINE
    import StartSmallCore
    import StartSmallEngines
    import StartSmallSupport
    import CCurl
    import StartSmallFoundation

    /// The times at which an engine has something to do, though nothing happens: facts in, the next time out.
    ///
    /// All times are nanoseconds of one clock, which the caller reads. A time stays when the call that it was for is
    /// over: successive calls do not each wake the engine's thread.
    struct CurlDeadlines {
        /// The event that a call waits for.
        enum Wait {
            /// A connection, which may be in use for a call that blocks this one.
            case connection(since: Int64, isBlocked: Bool)
            case connecting(since: Int64)

            /// The head of the response, for which another limit replaces the idle timeout.
            case limitedHead
            case bytes(since: Int64, remainingTime: Duration?)
        }

        /// A limit that a call has reached: the missing event, and the option with its limit in nanoseconds.
        struct Overdue: Equatable {
            let what: String
            let option: String
            let limit: Int64
        }

        /// The work of an engine when its thread may fall asleep.
        struct Activity {
            var hasProgress = false
            var isConnecting = false
            /// Whether there are connections or handles, and no call.
            var isIdle = false
            /// The milliseconds until libcurl has something to do; -1 if it has nothing to do.
            var libraryTimeLeft = -1
        }

        /// The interval of libcurl's checks of all transfers while it opens a connection: 250 milliseconds.
        ///
        /// An unresponsive address is left later by this time at most, and most connections are open before a check
        /// (RFC 8305 8 recommends the same time between two attempts).
        private static let connectCheckInterval: Int64 = 250_000_000

        private let connectLimit: Int64?
        private let idleTimeout: ConnectionOptions.IdleTimeout
        private let idleLimit: Int64?
        private let idleConnectionAge: Int64

        /// The earliest time at which a call can be overdue.
        private(set) var call = Int64.max

        private var progressReport = Int64.min
        private var connectCheck = Int64.max
        private var library = Int64.max

        /// The time since which no call runs.
        var idleSince: Int64 = 0

        /// The time at which a transfer last ended: until then, waiting calls may have waited for that transfer.
        var lastEnd: Int64 = 0

        init(_ options: ConnectionOptions) {
            connectLimit = options.connectTimeout?.clampedNanoseconds
            idleTimeout = options.idleTimeout
            idleLimit = options.idleTimeout.limit(within: nil)?.clampedNanoseconds
            idleConnectionAge = options.idleConnectionAge.clampedNanoseconds
        }

        /// Begins a check of all calls, each of which is asked for by ``overdue(_:at:)``.
        mutating func beginCheck() { call = .max }

        /// Schedules a check for this time, or an earlier one.
        mutating func schedule(_ due: Int64) { call = min(call, due) }

        /// Schedules a check for when a call that begins now can reach its first limit.
        mutating func callBegins(at now: Int64) {
            if let connectLimit { schedule(now + connectLimit) }
            callContinues(at: now)
        }

        /// Schedules a check for when a call that sends or receives again can reach its limit.
        mutating func callContinues(at now: Int64) {
            if let idleLimit { schedule(now + idleLimit) }
        }

        /// Returns the limit that a call has reached; or nil, when the next check is scheduled.
        mutating func overdue(_ wait: Wait, at now: Int64) -> Overdue? {
            let (what, option, since, limit): (String, String, Int64, Int64?)
            switch wait {
            case .connection(let first, let isBlocked):
                (what, option, limit) = ("no connection was available", "connectTimeout", connectLimit)
                since = isBlocked ? now : max(first, lastEnd)
            case .connecting(let first):
                (what, option, since, limit) = ("not connected", "connectTimeout", first, connectLimit)
            case .limitedHead:
                // The head may arrive meanwhile: the limit can't be reached before.
                callContinues(at: now)
                return nil
            case .bytes(let first, let remainingTime):
                (what, option, since) = ("no byte was sent or received", "idleTimeout", first)
                limit = idleTimeout.limit(within: remainingTime)?.clampedNanoseconds
            }
            guard let limit else { return nil }
            if since + limit <= now { return Overdue(what: what, option: option, limit: limit) }
            schedule(since + limit)
            return nil
        }

        /// Whether the rest of the payload of a redirect is given up, with its connection.
        mutating func givesUpRedirect(since redirectedAt: Int64, at now: Int64) -> Bool {
            let end = redirectedAt + Response.redirectPayloadTime.clampedNanoseconds
            if end > now { schedule(end) }
            return end <= now
        }

        /// Whether progress is reported now.
        mutating func reportsProgress(at now: Int64) -> Bool {
            guard progressReport <= now else { return false }
            progressReport = now + ProgressMeter.interval.clampedNanoseconds
            return true
        }

        /// Whether libcurl has to check all transfers now: see `ccurl_multi_perform`.
        mutating func checksConnecting(_ isConnecting: Bool, at now: Int64) -> Bool {
            let isDue = isConnecting && connectCheck <= now
            if isDue || !isConnecting { connectCheck = now + Self.connectCheckInterval }
            return isDue
        }

        /// Whether the connections are too old to be kept: libcurl closes them only when a call begins.
        func endsConnections(at now: Int64) -> Bool { idleSince + idleConnectionAge <= now }

        /// Returns the time at which there is something to do, even if nothing happens before.
        mutating func next(_ activity: Activity, at now: Int64) -> Int64 {
            if library <= now { library = .max }
            let left = activity.libraryTimeLeft
            if left >= 0 { library = min(library, now + Int64(left) * 1_000_000) }
            var due = min(call, library)
            if activity.hasProgress { due = min(due, progressReport) }
            if activity.isConnecting { due = min(due, connectCheck) }
            return activity.isIdle ? min(due, idleSince + idleConnectionAge) : due
        }
    }

    /// The ends of calls by their time limits.
    extension CurlLoop {
        /// Ends all calls that are overdue, and finds the next time at which a call can be overdue.
        ///
        /// The check runs when the earliest limit is reached, and not at each byte: a call that made progress meanwhile
        /// is not overdue.
        mutating func endOverdue() {
            deadlines.beginCheck()
            let blocking = blockingOrigins()
            for slot in slots.indices {
                guard let entry = slots[slot], entry.reply != nil else { continue }
                let handle = entry.transfer.handle
                let redirectedAt = handle.pointee.response.redirected_at
                if redirectedAt != 0, deadlines.givesUpRedirect(since: redirectedAt, at: now) {
                    end(slot, .ended(entry.transfer.transferResult(nil)))
                    continue
                }
                guard let wait = wait(of: entry, blocking) else { continue }
                // libcurl does not count the time that the transfer has waited for a connection either.
                if case .connection = wait { ccurl_transfer_expect_connection(handle) }
                guard let overdue = deadlines.overdue(wait, at: now) else { continue }
                ccurl_note_overdue(handle)
                end(slot, .ended(entry.transfer.transferResult(CurlFailure(overdue))))
            }
            // The calls that have not begun, by the same rule as those that wait within libcurl.
            for call in pending.all {
                let wait = wait(ofWaiting: call, blocking)
                guard let overdue = deadlines.overdue(wait, at: now), pending.remove(call.id) != nil else { continue }
                call.reply.end(.ended(TransferResult(bytes: [], headCount: 0, failure: CurlFailure(overdue))))
            }
        }

        /// Returns what a call waits for; nil if it waits for its own reader or producer.
        private func wait(of entry: ActiveCall, _ blocking: Set<UInt64>?) -> CurlDeadlines.Wait? {
            let state = entry.transfer.handle.pointee
            // While the transfer is paused, the reader is slow, and not the server; while it is starved, the producer,
            // unless the server has begun to respond.
            if state.is_paused || state.is_starved && !state.response.has_checked_head { return nil }
            switch state.phase {
            case ccurl_phase_connected where entry.call.isLimitedUntilHead && !entry.hasDeliveredHead:
                return .limitedHead
            case ccurl_phase_connected:
                return .bytes(since: state.moved_at, remainingTime: entry.call.remainingTime)
            case ccurl_phase_connecting: return .connecting(since: state.began_at)
            default: return wait(ofWaiting: entry.call, blocking)
            }
        }

        private func wait(ofWaiting call: CurlCall, _ blocking: Set<UInt64>?) -> CurlDeadlines.Wait {
            .connection(since: call.arrivedAt, isBlocked: blocking?.contains(call.origin) ?? true)
        }

        /// Returns the origins with connections in use, for which other calls may be waiting; nil for all origins, if no
        /// more connections are allowed.
        private func blockingOrigins() -> Set<UInt64>? {
            let connected = slots.indices.compactMap { slots[$0] }.filter(\.transfer.isConnected)
            return connected.count >= options.maxConnections ? nil : Set(connected.map(\.call.origin))
        }

        /// The time by which the cancellation of a call may precede its time limit, by another clock: 10 milliseconds.
        private static let clockDifference: Int64 = 10_000_000

        /// Notes that a call that is cancelled by its time limit had no answer to its request.
        ///
        /// Connecting is a part of the limit, and may leave the server too little of it.
        func noteOverdue(ofCancelled slot: Int) {
            guard let entry = slots[slot], entry.reply != nil else { return }
            let handle = entry.transfer.handle
            if !entry.transfer.isConnected || handle.pointee.head.count > 0 || handle.pointee.is_starved { return }
            let age = now - entry.call.arrivedAt
            let limit = entry.call.remainingTime?.clampedNanoseconds ?? .max
            let isOverdue = limit <= age + Self.clockDifference && now - handle.pointee.moved_at >= age / 2
            if isOverdue { ccurl_note_overdue(handle) }
        }

        /// Ends the calls on silent connections in whose place their hosts may have others.
        mutating func endReplaced() {
            for slot in slots.indices {
                guard let entry = slots[slot], ccurl_is_replaced(entry.transfer.handle) else { continue }
                end(slot, .ended(entry.transfer.transferResult(.silent)))
            }
        }
    }

    extension CurlFailure {
        /// The failure of a call whose connection gives way to another one.
        fileprivate static let silent = CurlFailure(
            kind: .library(56),
            text: "nothing arrived on the connection, and it gave way to another one: the host may have no more",
            isConnected: true
        )

        /// Creates a failure for a reached time limit.
        fileprivate init(_ overdue: CurlDeadlines.Overdue) {
            let time = "\(overdue.limit / 1_000_000) ms"
            let text = ConnectionOptions.overdueText(overdue.what, for: time, option: overdue.option)
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
