#if os(Linux)
    import CCurl

    /// All calls of an engine, and libcurl, which nothing else touches; for one thread at a time.
    ///
    /// A turn takes commands, lets libcurl do what can be done without waiting, hands on what has come, and ends the calls
    /// that are over or overdue. Between two turns, the engine's thread waits for a socket, a command, or the next limit of
    /// time; a turn of a caller's thread may come in between.
    struct CurlLoop: ~Copyable {
        /// The most memory for commands that is kept after a burst.
        private static let keptCommands = 1024

        /// How many calls may begin in a turn: a few milliseconds of work, after which commands are looked at again.
        ///
        /// Few enough that nobody waits for long to be cancelled, enough that it makes no difference to how soon all begin.
        static let startsInTurn = 128

        /// How many calls may wait in libcurl for a connection; the others wait here.
        ///
        /// libcurl looks through all of them each time that a call ends: with ten thousand, that is most of what it does.
        /// Enough that all connections of a host, and of many others, can be opened at once.
        static let mostInLine = 1024

        /// What libcurl calls a failure that has no other name.
        private static let internalError: Int32 = 4

        let options: ConnectionOptions
        let connectLimit: Int64?
        let idleLimit: Int64?
        private let idleConnectionAge: Int64

        /// What is told of sockets.
        let watch: Int32

        /// What the callbacks of all transfers share.
        let round: UnsafeMutablePointer<ccurl_round>

        var multi: OpaquePointer?
        var running: [ActiveCall?] = []
        var freeSlots: [Int] = []
        var slots: [UInt64: Int] = [:]
        var spare: [CurlTransfer] = []

        /// No call can be overdue before.
        var nextDue = Int64.max

        /// How many of those that run may share a connection with others.
        var sharing = 0

        /// No progress is told before.
        var nextLook = Int64.min

        /// When libcurl next looks at all transfers, if it is opening a connection: see `ccurl_multi_perform`.
        private var nextConnectLook = Int64.max

        /// 250 milliseconds: a silent address is left that much later at most, and most connections are open by then (RFC
        /// 8305 8 recommends the same between two attempts).
        private static let connectLookInterval: Int64 = 250_000_000

        /// The calls that begin in the next turns.
        var pending: PendingCalls

        private var isStopping = false

        /// Those that are obeyed now; kept for its memory.
        private var commands: [CurlCommand] = []

        /// Why libcurl can't go on with any call, until the engine's thread has ended them.
        private var breakdown: (what: String, code: Int32)?

        /// How many calls ran at a time, at most, since none did.
        var mostAtOnce = 0

        /// Since when no call runs.
        var idleSince: Int64 = 0

        /// When connections may be past their age though a call runs.
        var sweepAt = Int64.max

        /// The age, and a second more: libcurl counts whole ones, and by another clock than ours.
        var sweepAge: Int64 { max(idleConnectionAge, 1_000_000_000) + 1_100_000_000 }

        /// Until when the engine's thread waits, unless something happens.
        private var restsUntil = Int64.max

        /// The next time at which libcurl may have something to do by its own clock.
        ///
        /// It stays when its call is over, as the limits of calls do: calls that follow each other do not each wake the
        /// engine's thread.
        var libraryDue = Int64.max

        /// When a transfer was last over: until then, whoever waits in line may have been waiting for that.
        private(set) var lastEnd: Int64 = 0

        /// Whether there is a call that may begin.
        private var mayStart: Bool { pending.hasReady && round.pointee.awaiting_connection < Self.mostInLine }

        var isIdle: Bool { running.count == freeSlots.count && pending.isEmpty }
        var now: Int64 { round.pointee.now }

        init(options: ConnectionOptions, watch: Int32) {
            (self.options, self.watch) = (options, watch)
            pending = PendingCalls(maxConnectionsPerHost: options.maxConnectionsPerHost)
            connectLimit = options.connectTimeout?.clampedNanoseconds
            idleLimit = options.idleTimeout?.clampedNanoseconds
            idleConnectionAge = options.idleConnectionAge.clampedNanoseconds
            round = .allocate(capacity: 1)
            round.initialize(
                to: ccurl_round(
                    now: ccurl_now(),
                    news: nil,
                    holding: nil,
                    has_progress: false,
                    awaiting_connection: 0,
                    connecting: 0
                )
            )
        }

        deinit { round.deallocate() }

        /// A turn of the engine's thread; how many milliseconds it may wait then, or nil if it is told to stop and all calls
        /// are over.
        ///
        /// - Parameter canWait: Whether it could wait before.
        mutating func turn(_ queue: borrowing CommandQueue, canWait: Bool = true) -> Int32? {
            if ccurl_is_exiting() { return endAtExit(queue) }
            if let multi { ccurl_multi_hear(multi) }
            if !canWait { breakdown = ("epoll_wait", Self.internalError) }
            work(queue)
            if let (what, code) = breakdown.take() { failAll(what, code) }
            // A thread that can't wait would try to for ever.
            if isIdle, isStopping || !canWait {
                // A wait that failed may be a matter of a moment: the next call starts another thread.
                CurlEngine.refuse(isStopping ? queue.close() : queue.disclaimThread())
                forgetConnections()
                return nil
            }
            // libcurl closes connections past their age only when it opens another: without a new call, that is for the loop.
            if isIdle, idleSince + idleConnectionAge <= now { forgetConnections() }
            if !isIdle, sweepAt <= now { sweep() }
            return rest(isAsleep: !mayStart && queue.prepareToSleep())
        }

        /// Answers all calls at the end of the process, when libcurl may not be entered any more: an exit handler may wait
        /// for one of them.
        private mutating func endAtExit(_ queue: borrowing CommandQueue) -> Int32? {
            for slot in running.indices {
                running[slot]?.waiting?.answer.end(.refused(CurlEngine.exiting), FinalReport())
                running[slot]?.waiting = nil
            }
            for call in Array(pending.calls) {
                pending.leave(call.id)?.answer.end(.refused(CurlEngine.exiting), FinalReport())
            }
            CurlEngine.refuse(queue.close(), CurlEngine.exiting)
            return nil
        }

        /// A turn of a caller's thread, while the engine's own may sleep; false if that has to be woken.
        mutating func runOnCaller(_ queue: borrowing CommandQueue) -> Bool {
            // The engine's thread waits with the handle: it alone makes one, and takes it apart. And where calls come several
            // at a time, they had better be its own work: it has them while callers do theirs.
            guard let multi, breakdown == nil, isIdle, !ccurl_is_exiting(), mostAtOnce <= 1 else { return false }
            let signals = ccurl_hold_signals()
            ccurl_multi_set_on_caller(multi, true)
            work(queue)
            ccurl_multi_set_on_caller(multi, false)
            ccurl_release_signals(signals)
            if breakdown != nil || isStopping || mayStart { return false }
            return queue.prepareToSleep() && nextDueTime() >= restsUntil
        }

        private mutating func work(_ queue: borrowing CommandQueue) {
            queue.take(into: &commands)
            round.pointee.now = ccurl_now()
            execute(commands)
            if commands.capacity > Self.keptCommands {
                commands = []
            } else {
                commands.removeAll(keepingCapacity: true)
            }
            // Without a call, too: libcurl may be closing connections, and would ask for it for ever.
            if multi != nil {
                // Anew, so that no call's time is counted in which others were prepared.
                round.pointee.now = ccurl_now()
                perform()
            }
            if nextDue <= now { endOverdue() }
        }

        /// Calls that have come begin after all else: what ends a call, or has one go on, is quick.
        mutating func execute(_ commands: [CurlCommand]) {
            for command in commands {
                switch command {
                case .start(let call):
                    pending.append(call)
                    expectLimits()
                case .more(let id): if let slot = slots[id] { handOn(slot) }
                case .cancel(let id): cancel(id)
                case .stop: isStopping = true
                }
            }
            for _ in 0..<Self.startsInTurn {
                guard mayStart, let call = pending.next() else { break }
                start(call)
            }
        }

        /// A call that is over already is none of ours any more.
        private mutating func cancel(_ id: UInt64) {
            if let slot = slots[id] {
                end(slot, .cancelled)
            } else if let call = pending.leave(id) {
                call.answer.end(.cancelled, FinalReport())
            }
        }

        private mutating func perform() {
            guard let multi else { return }
            if round.pointee.connecting == 0 { nextConnectLook = now + Self.connectLookInterval }
            let isLookDue = nextConnectLook <= now
            if isLookDue { nextConnectLook = now + Self.connectLookInterval }
            let code = ccurl_multi_perform(multi, round, sharing > 0 || isLookDue)
            if code != 0 { return breakdown = ("curl_multi_socket_action", code) }
            handOnNews()
            tellProgress()
            var result: Int32 = 0
            while let handle = ccurl_multi_next_ended(multi, &result) {
                let slot = Int(handle.pointee.slot)
                guard running.indices.contains(slot) else { continue }
                result = ccurl_read_answer(handle, result)
                if ccurl_multi_repeat(multi, handle, result) {
                    expectLimits()
                    continue
                }
                lastEnd = now
                // Before the handle is taken away, which takes its time: whoever waits may go on meanwhile.
                if let entry = running[slot], let waiting = entry.waiting {
                    let failure = entry.transfer.failure(result, options)
                    let outcome = CurlOutcome.ended(entry.transfer.remains(failure))
                    waiting.answer.end(outcome, entry.finalReport(isWhole: failure == nil))
                }
                clear(slot)
            }
        }

        private mutating func rest(isAsleep: Bool) -> Int32 {
            restsUntil = isAsleep ? nextDueTime() : now
            return isAsleep ? Self.milliseconds(until: restsUntil) : 0
        }

        /// When there is something to do, even if nothing happens before.
        private mutating func nextDueTime() -> Int64 {
            // What is due stays so when the call that it was for is over: calls that follow each other are not each a reason
            // to wake the engine's thread.
            var due = nextDue
            if round.pointee.has_progress { due = min(due, nextLook) }
            if round.pointee.connecting > 0 { due = min(due, nextConnectLook) }
            if isIdle, multi != nil || !spare.isEmpty { due = min(due, idleSince + idleConnectionAge) }
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

        /// Closes connections past their age, and gives the memory of a burst back, while calls go on.
        private mutating func sweep() {
            forgetSpare()
            // With all connections in use there is none to close, and one more would have to wait in line.
            let hasRoom =
                round.pointee.awaiting_connection == 0 && running.count - freeSlots.count < options.maxConnections
            if let multi, hasRoom { ccurl_multi_sweep(multi, Int(idleConnectionAge / 1_000_000_000)) }
            // Again, as libcurl does not look twice within a second.
            sweepAt = now + sweepAge
        }

        private mutating func forgetSpare() {
            for var transfer in spare { transfer.free() }
            spare = []
        }

        /// Closes all connections and gives the memory of a burst back.
        mutating func forgetConnections() {
            forgetSpare()
            sweepAt = .max
            (running, freeSlots, slots) = ([], [], [:])
            if let multi { _ = ccurl_multi_free(multi) }
            multi = nil
        }
    }
#endif
