#if os(Linux)
    import CCurl
    import Foundation

    /// The thread of the engine: it alone touches libcurl, and does what is left in the mailbox.
    ///
    /// A round takes commands, lets libcurl do what can be done without waiting, ends the calls that are over or overdue,
    /// and then waits for a socket, a command, or the next limit of time.
    struct CurlLoop: ~Copyable {
        /// How many handles without work are kept for the next calls, with up to `keptBytes` of memory in each buffer.
        private static let keptHandles = 64
        private static let keptBytes = 64 * 1024

        /// The most memory for commands that is kept after a burst.
        private static let keptCommands = 1024

        private struct Running {
            /// Nil when the call has its answer, and only the handle is still busy.
            var waiting: Waiting?
            var transfer: CurlTransfer
            let url: URL
            let startedAt: Int64
        }

        /// Who waits for the outcome.
        private struct Waiting {
            let id: UInt64
            let continuation: CheckedContinuation<CurlOutcome, Never>
        }

        private let options: CurlOptions
        private let connectLimit: Int64?
        private let idleLimit: Int64?
        private let clock: UnsafeMutablePointer<Int64>

        private var multi: OpaquePointer?
        private var running: [Running?] = []
        private var freeSlots: [Int] = []
        private var slots: [UInt64: Int] = [:]
        private var spare: [CurlTransfer] = []
        private var answers: [(CheckedContinuation<CurlOutcome, Never>, CurlOutcome)] = []

        /// No call can be overdue before.
        private var nextDue = Int64.max
        private var isStopping = false

        private var isIdle: Bool { running.count == freeSlots.count }

        init(options: CurlOptions) {
            self.options = options
            connectLimit = options.connectTimeout?.clampedNanoseconds
            idleLimit = options.idleTimeout?.clampedNanoseconds
            clock = .allocate(capacity: 1)
            clock.initialize(to: ccurl_now())
        }

        deinit { clock.deallocate() }

        /// Obeys until it is told to stop, and all calls are over.
        mutating func run(_ mailbox: borrowing CurlMailbox) {
            var commands: [CurlCommand] = []
            while !(isStopping && isIdle) {
                mailbox.take(into: &commands)
                clock.pointee = ccurl_now()
                for command in commands { obey(command) }
                if commands.capacity > Self.keptCommands {
                    commands = []
                } else {
                    commands.removeAll(keepingCapacity: true)
                }
                if !isIdle { perform() }
                if nextDue <= clock.pointee { endOverdue() }
                if mailbox.fallsAsleep(), !(isStopping && isIdle) { wait(mailbox.bell) }
            }
            for case .start(let call) in mailbox.close() { call.continuation.resume(returning: .cancelled) }
            forgetConnections()
        }

        private mutating func obey(_ command: CurlCommand) {
            switch command {
            case .start(let call): start(call)
            case .cancel(let id): cancel(id)
            case .stop: isStopping = true
            }
        }
    }

    // MARK: starting and ending calls

    extension CurlLoop {
        private mutating func start(_ call: CurlCall) {
            guard let multi = multi ?? openMulti() else { return refuse(call, "curl_multi_init: no memory") }
            guard var transfer = spare.popLast() ?? CurlTransfer(clock: clock) else {
                return refuse(call, "curl_easy_init: no memory")
            }
            let slot = freeSlots.popLast() ?? running.count
            if let reason = transfer.prepare(for: call, options, slot: slot) {
                freeSlots.append(slot)
                if slot == running.count { running.append(nil) }
                transfer.free()
                return refuse(call, reason)
            }
            let now = clock.pointee
            let waiting = Waiting(id: call.id, continuation: call.continuation)
            let entry = Running(waiting: waiting, transfer: transfer, url: call.request.url, startedAt: now)
            if slot == running.count { running.append(entry) } else { running[slot] = entry }
            slots[call.id] = slot
            let code = ccurl_multi_add(multi, transfer.handle)
            if code != 0 {
                clear(slot)
                return refuse(call, "curl_multi_add_handle: \(String(cString: ccurl_multi_text(code)))")
            }
            if let limit = connectLimit { nextDue = min(nextDue, now + limit) }
            if let limit = idleLimit { nextDue = min(nextDue, now + limit) }
        }

        private func refuse(_ call: CurlCall, _ reason: String) {
            call.continuation.resume(returning: .refused(reason))
        }

        private mutating func openMulti() -> OpaquePointer? {
            guard let multi = ccurl_multi_create() else { return nil }
            _ = ccurl_multi_set(multi, ccurl_connections_per_host, options.connectionsPerHost)
            _ = ccurl_multi_set(multi, ccurl_connections_in_all, options.connectionsInAll)
            _ = ccurl_multi_set(multi, ccurl_kept_connections, options.connectionsInAll)
            self.multi = multi
            return multi
        }

        private mutating func perform() {
            guard let multi else { return }
            _ = ccurl_multi_perform(multi)
            var result: Int32 = 0
            while let handle = ccurl_multi_next_ended(multi, &result) {
                let slot = Int(handle.pointee.slot)
                guard running.indices.contains(slot) else { continue }
                if let waiting = running[slot]?.waiting, let transfer = running[slot]?.transfer {
                    answers.append((waiting.continuation, .ended(transfer.remains(transfer.failure(result, options)))))
                }
                clear(slot)
            }
            for (continuation, outcome) in answers { continuation.resume(returning: outcome) }
            answers.removeAll(keepingCapacity: true)
        }

        private mutating func cancel(_ id: UInt64) {
            // A call that is over already is none of ours any more.
            if let slot = slots[id] { end(slot, .cancelled) }
        }

        /// Answers a call before its handle is removed, since that may take its time.
        private mutating func end(_ slot: Int, _ outcome: CurlOutcome) {
            guard let waiting = running[slot]?.waiting, let handle = running[slot]?.transfer.handle else { return }
            slots[waiting.id] = nil
            waiting.continuation.resume(returning: outcome)
            if handle.pointee.is_resolving {
                // Removing it would wait for the name lookup, and all other calls with it (curl 8515): it is left alone,
                // and ends when it would open a socket.
                handle.pointee.is_abandoned = true
                running[slot]?.waiting = nil
            } else {
                clear(slot)
            }
        }

        /// Takes a handle away from libcurl, and keeps it for another call.
        private mutating func clear(_ slot: Int) {
            guard var entry = running[slot] else { return }
            running[slot] = nil
            freeSlots.append(slot)
            if let id = entry.waiting?.id { slots[id] = nil }
            if let multi { _ = ccurl_multi_remove(multi, entry.transfer.handle) }
            if spare.count < Self.keptHandles {
                entry.transfer.reset(keeping: Self.keptBytes)
                spare.append(entry.transfer)
            } else {
                entry.transfer.free()
            }
        }
    }

    // MARK: time

    extension CurlLoop {
        /// Ends all calls that are overdue, and finds when the next one can be.
        ///
        /// Looked at when the earliest limit is reached, and not at each byte: what moved meanwhile is not overdue.
        private mutating func endOverdue() {
            let now = clock.pointee
            nextDue = .max
            var line: Line?
            for slot in running.indices {
                guard let entry = running[slot], entry.waiting != nil else { continue }
                let state = entry.transfer.handle.pointee
                if state.is_connected {
                    check(slot, entry, since: state.moved_at, idleLimit, "nothing came or went")
                } else if state.began_at > 0 {
                    check(slot, entry, since: state.began_at, connectLimit, "not connected")
                } else if let limit = connectLimit {
                    let known = line ?? self.line()
                    line = known
                    let isMoving = known.holds(entry.url)
                    check(slot, entry, since: isMoving ? now : entry.startedAt, limit, "no connection to be had")
                }
            }
        }

        /// Ends a call that has reached its limit, or else takes note of when it will.
        private mutating func check(_ slot: Int, _ entry: Running, since: Int64, _ limit: Int64?, _ what: String) {
            guard let limit else { return }
            if since + limit > clock.pointee {
                nextDue = min(nextDue, since + limit)
            } else {
                let failure = CurlFailure(code: 28, text: "\(what) for \(limit / 1_000_000) ms")
                end(slot, .ended(entry.transfer.remains(failure)))
            }
        }

        /// What a call may be waiting behind: connections in use to its host, or all that there may be.
        private struct Line {
            var origins: Set<Origin> = []
            var isFull = false

            func holds(_ url: URL) -> Bool {
                isFull || Origin(url).map(origins.contains) ?? false
            }
        }

        private func line() -> Line {
            let connected = running.compactMap { $0 }.filter { $0.transfer.handle.pointee.is_connected }
            return Line(
                origins: Set(connected.compactMap { Origin($0.url) }),
                isFull: connected.count >= options.connectionsInAll
            )
        }

        private mutating func wait(_ bell: Int32) {
            if isIdle { return waitIdle(bell) }
            guard let multi else { return }
            _ = ccurl_multi_wait(multi, bell, milliseconds(until: nextDue))
        }

        /// libcurl closes connections past their age only when it opens another: without a call, that is for the loop.
        private mutating func waitIdle(_ bell: Int32) {
            nextDue = .max
            guard multi != nil || !spare.isEmpty else { return ccurl_wake_wait(bell, -1) }
            let age = options.idleConnectionAge.clampedNanoseconds
            ccurl_wake_wait(bell, milliseconds(until: clock.pointee + age))
            if ccurl_now() >= clock.pointee + age { forgetConnections() }
        }

        private func milliseconds(until due: Int64) -> Int32 {
            if due == .max { return .max }
            let nanoseconds = max(0, due - ccurl_now())
            return Int32(clamping: nanoseconds / 1_000_000 + 1)
        }

        /// Closes all connections and gives the memory of a burst back.
        private mutating func forgetConnections() {
            for var transfer in spare { transfer.free() }
            spare = []
            (running, freeSlots, slots, answers) = ([], [], [:], [])
            if let multi { _ = ccurl_multi_free(multi) }
            multi = nil
        }
    }

    extension Duration {
        /// At most a hundred years, so that sums do not overflow; a limit below zero is none to wait for.
        var clampedNanoseconds: Int64 {
            let longest: Int64 = 100 * 365 * 86_400
            let (seconds, attoseconds) = components
            return min(max(seconds, 0), longest) * 1_000_000_000 + max(attoseconds, 0) / 1_000_000_000
        }
    }
#endif
