#if os(Linux)
    import CCurl

    /// The thread of the engine: it alone touches libcurl, and does what is left in the mailbox.
    ///
    /// A round takes commands, lets libcurl do what can be done without waiting, hands on what has come, ends the calls
    /// that are over or overdue, and then waits for a socket, a command, or the next limit of time.
    struct CurlLoop: ~Copyable {
        /// The most memory for commands that is kept after a burst.
        private static let keptCommands = 1024

        /// How many calls may begin in a round: a few milliseconds of work, after which commands are looked at again.
        ///
        /// Few enough that nobody waits for long to be cancelled, enough that it makes no difference to how soon all begin.
        static let startsInRound = 128

        /// How many calls may wait in libcurl for a connection; the others wait here.
        ///
        /// libcurl looks through all of them each time that a call ends: with ten thousand, that is most of what it does.
        /// Enough that all connections of a host, and of many others, can be opened at once.
        static let mostInLine = 1024

        let options: CurlOptions
        let connectLimit: Int64?
        let idleLimit: Int64?

        /// What wakes the thread.
        let bell: Int32

        /// What the callbacks of all transfers share.
        let round: UnsafeMutablePointer<ccurl_round>

        var multi: OpaquePointer?
        var running: [CurlRunning?] = []
        var freeSlots: [Int] = []
        var slots: [UInt64: Int] = [:]
        var spare: [CurlTransfer] = []

        /// No call can be overdue before.
        var nextDue = Int64.max

        /// How many of those that run may share a connection with others.
        var sharing = 0

        /// No progress is told before.
        var nextLook = Int64.min

        /// The calls that begin in the next rounds.
        var backlog: CurlBacklog

        private var isStopping = false

        /// When a transfer was last over: until then, whoever waits in line may have been waiting for that.
        private(set) var lastEnd: Int64 = 0

        /// Whether there is a call that may begin.
        private var mayStart: Bool { backlog.hasReady && round.pointee.in_line < Self.mostInLine }

        var isIdle: Bool { running.count == freeSlots.count && backlog.isEmpty }
        var now: Int64 { round.pointee.now }

        init(options: CurlOptions, bell: Int32) {
            (self.options, self.bell) = (options, bell)
            backlog = CurlBacklog(connectionsPerHost: options.connectionsPerHost)
            connectLimit = options.connectTimeout?.clampedNanoseconds
            idleLimit = options.idleTimeout?.clampedNanoseconds
            round = .allocate(capacity: 1)
            round.initialize(to: ccurl_round(now: ccurl_now(), news: nil, has_progress: false, in_line: 0))
        }

        deinit { round.deallocate() }

        /// Obeys until it is told to stop, and all calls are over.
        mutating func run(_ mailbox: borrowing CurlMailbox) {
            var commands: [CurlCommand] = []
            while true {
                mailbox.take(into: &commands)
                round.pointee.now = ccurl_now()
                obey(commands)
                if commands.capacity > Self.keptCommands {
                    commands = []
                } else {
                    commands.removeAll(keepingCapacity: true)
                }
                if !isIdle { perform() }
                if nextDue <= now { endOverdue() }
                if isStopping, isIdle { break }
                wait(asleep: !mayStart && mailbox.fallsAsleep())
            }
            for case .start(let call) in mailbox.close() { call.answer.end(.cancelled, CurlTold()) }
            forgetConnections()
        }

        /// Calls that have come begin after all else: what ends a call, or has one go on, is quick.
        mutating func obey(_ commands: [CurlCommand]) {
            for command in commands {
                switch command {
                case .start(let call):
                    backlog.append(call)
                    expectLimits()
                case .more(let id): if let slot = slots[id] { handOn(slot) }
                case .cancel(let id): cancel(id)
                case .stop: isStopping = true
                }
            }
            for _ in 0..<Self.startsInRound {
                guard mayStart, let call = backlog.next() else { break }
                start(call)
            }
        }

        /// A call that is over already is none of ours any more.
        private mutating func cancel(_ id: UInt64) {
            if let slot = slots[id] {
                end(slot, .cancelled)
            } else if let call = backlog.leave(id) {
                call.answer.end(.cancelled, CurlTold())
            }
        }

        private mutating func perform() {
            guard let multi else { return }
            let code = ccurl_multi_perform(multi, sharing > 0)
            if code != 0 { return giveUp("curl_multi_socket_action", code) }
            handOnNews()
            tellProgress()
            var result: Int32 = 0
            while let handle = ccurl_multi_next_ended(multi, &result) {
                let slot = Int(handle.pointee.slot)
                guard running.indices.contains(slot) else { continue }
                if ccurl_multi_repeat(multi, handle, result) {
                    expectLimits()
                    continue
                }
                lastEnd = now
                // Before the handle is taken away, which takes its time: whoever waits may go on meanwhile.
                if let entry = running[slot], let waiting = entry.waiting {
                    let outcome = CurlOutcome.ended(entry.transfer.remains(entry.transfer.failure(result, options)))
                    waiting.answer.end(outcome, entry.told(isWhole: result == 0))
                }
                clear(slot)
            }
        }

        /// Hears what has happened to the sockets, and lets time pass until something does if the thread is asleep.
        private mutating func wait(asleep: Bool) {
            if isIdle { return asleep ? waitIdle() : () }
            guard let multi else { return }
            let due = round.pointee.has_progress ? min(nextDue, nextLook) : nextDue
            let code = ccurl_multi_wait(multi, asleep ? milliseconds(until: due) : 0)
            if code != 0 { giveUp("epoll_wait", code) }
        }

        /// libcurl closes connections past their age only when it opens another: without a call, that is for the loop.
        private mutating func waitIdle() {
            nextDue = .max
            guard multi != nil || !spare.isEmpty else { return ccurl_wake_wait(bell, -1) }
            let age = options.idleConnectionAge.clampedNanoseconds
            ccurl_wake_wait(bell, milliseconds(until: now + age))
            if ccurl_now() >= now + age { forgetConnections() }
        }

        private func milliseconds(until due: Int64) -> Int32 {
            if due == .max { return .max }
            let nanoseconds = max(0, due - ccurl_now())
            return Int32(clamping: nanoseconds / 1_000_000 + 1)
        }

        /// Closes all connections and gives the memory of a burst back.
        mutating func forgetConnections() {
            for var transfer in spare { transfer.free() }
            spare = []
            (running, freeSlots, slots) = ([], [], [:])
            if let multi { _ = ccurl_multi_free(multi) }
            multi = nil
        }
    }
#endif
