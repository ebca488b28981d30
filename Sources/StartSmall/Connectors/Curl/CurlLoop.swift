#if os(Linux)
    import CCurl

    /// The event loop of an engine: all calls, and libcurl, which only the loop uses; for one thread at a time.
    ///
    /// An iteration takes commands, lets libcurl do what can be done without waiting, delivers the parts that have
    /// arrived, and ends the calls that are over or overdue. Between two iterations, the engine's thread waits for a
    /// socket, a command, or the next time limit; an iteration on a caller's thread may come in between.
    struct CurlLoop: ~Copyable {
        /// The largest capacity for commands, in elements, that is kept after a burst.
        private static let keptCommands = 1024

        /// The number of calls that may begin in one iteration, before commands are checked again.
        ///
        /// That is a few milliseconds of work: few enough that no cancellation waits long, and enough that the time
        /// until all calls have begun is the same.
        static let startsPerIteration = 128

        /// The number of calls that may wait in libcurl for a connection; the others wait in ``pending``.
        ///
        /// libcurl looks through all of them each time that a call ends: with ten thousand, that is most of its work.
        /// The number is large enough to open all connections of a host, and of many others, at once.
        static let maxAwaitingConnection = 1024

        /// The code of libcurl for a failure that has no other name.
        private static let internalError: Int32 = 4

        let options: ConnectionOptions

        /// The router, which counts the calls of all loops, and the index of this loop in it.
        let router: Locked<CallRouter>
        let index: Int

        /// The part of the limits of connections that this loop may use.
        let share: ConnectionShare

        /// The numbers of connections of all loops, for listeners.
        let pool: ConnectionPool

        /// Whether a call of this loop had listeners, so that connections are counted.
        var isObserved = false

        /// The origins of connections and calls, by the numbers that the router gave them.
        var origins: [UInt64: Origin] = [:]

        let connectLimit: Int64?
        let idleLimit: Int64?
        let idleConnectionAge: Int64

        /// The descriptor that watches sockets.
        let epollDescriptor: Int32

        /// The policy that the callbacks of all transfers ask; nil if all addresses are allowed.
        let addressPolicy: UnsafeMutablePointer<ConnectionOptions.AddressPolicy>?

        /// The state that the callbacks of all transfers share.
        let sharedState: UnsafeMutablePointer<ccurl_round>

        var multi: OpaquePointer?
        var running: [ActiveCall?] = []
        var freeSlots: [Int] = []
        var slots: [UInt64: Int] = [:]
        var idleTransfers: [CurlTransfer] = []

        /// The earliest time at which a call can be overdue.
        var nextDue = Int64.max

        /// The earliest time at which progress is reported.
        var nextProgressReport = Int64.min

        /// The time of libcurl's next check of all transfers while it opens a connection: see `ccurl_multi_perform`.
        var nextConnectCheck = Int64.max

        /// The interval of these checks: 250 milliseconds.
        ///
        /// An unresponsive address is left later by this time at most, and most connections are open before a check
        /// (RFC 8305 8 recommends the same time between two attempts).
        private static let connectCheckInterval: Int64 = 250_000_000

        /// The calls that begin in the next iterations.
        var pending = PendingCalls()

        /// Whether other loops may have room for calls that wait in the router.
        var hasFoundRoom = false

        /// The load of the engine's thread.
        var threadLoad = ThreadLoad()

        /// Reads the time that the thread has spent on a processor, in nanoseconds.
        let threadTime: @Sendable () -> Int64

        private var isStopping = false

        /// The commands of the current iteration; kept for the array's memory.
        private var commands: [EngineCommand] = []

        /// The calls that have ended in the current iteration; kept for the array's memory.
        var ended: [EndedCall] = []

        /// The reason why libcurl can't continue any call, until the engine's thread has ended the calls.
        private var loopFailure: (what: String, code: Int32)?

        /// The largest number of concurrent calls since the last time that none ran.
        var peakConcurrency = 0

        /// The time since which no call runs.
        var idleSince: Int64 = 0

        /// The time at which connections may be past their age while calls run.
        var sweepAt = Int64.max

        /// The age of idle connections and a second more: libcurl counts whole seconds, and by another clock.
        var sweepAge: Int64 { max(idleConnectionAge, 1_000_000_000) + 1_100_000_000 }

        /// The time until which the engine's thread waits, unless something happens.
        var sleepsUntil = Int64.max

        /// The next time at which libcurl may have something to do by its own clock.
        ///
        /// The value stays when its call is over, as the limits of calls do: successive calls do not each wake the
        /// engine's thread.
        var libraryDue = Int64.max

        /// The times at which calls last ended during a lookup, up to `ccurl_lookup_limit` of them.
        var endedLookups: [Int64] = []

        /// The time at which a transfer last ended: until then, waiting calls may have waited for that transfer.
        var lastEnd: Int64 = 0

        /// Whether a call may begin.
        private var mayStart: Bool {
            !pending.isEmpty && sharedState.pointee.awaiting_connection < Self.maxAwaitingConnection
        }

        var isIdle: Bool { running.count == freeSlots.count && pending.isEmpty }
        var now: Int64 { sharedState.pointee.now }

        /// Creates one of the loops of an engine.
        ///
        /// - Parameters:
        ///   - options: the options of the engine.
        ///   - epollDescriptor: the descriptor that watches sockets.
        ///   - router: the router of the engine.
        ///   - index: the index of the loop in the router.
        ///   - share: the part of the limits of connections that the loop may use.
        ///   - pool: the numbers of connections of all loops.
        ///   - threadTime: reads the time that the thread has spent on a processor, in nanoseconds.
        init(
            options: ConnectionOptions,
            epollDescriptor: Int32,
            router: Locked<CallRouter>,
            index: Int,
            share: ConnectionShare,
            pool: ConnectionPool = ConnectionPool(),
            threadTime: @escaping @Sendable () -> Int64
        ) {
            (self.options, self.epollDescriptor) = (options, epollDescriptor)
            (self.router, self.index, self.share, self.threadTime) = (router, index, share, threadTime)
            self.pool = pool
            connectLimit = options.connectTimeout?.clampedNanoseconds
            idleLimit = options.idleTimeout.limit(within: nil)?.clampedNanoseconds
            idleConnectionAge = options.idleConnectionAge.clampedNanoseconds
            addressPolicy = options.addressPolicy.forCallbacks()
            sharedState = .allocate(capacity: 1)
            sharedState.initialize(
                to: ccurl_round(
                    now: ccurl_now(),
                    ready: nil,
                    holding: nil,
                    has_progress: false,
                    awaiting_connection: 0,
                    connecting: 0,
                    has_new_use: false,
                    allows: addressPolicy == nil ? nil : ConnectionOptions.AddressPolicy.check,
                    allows_context: addressPolicy.map { UnsafeRawPointer($0) },
                    silence: options.silence.clampedNanoseconds
                )
            )
        }

        deinit {
            sharedState.deallocate()
            addressPolicy?.deinitialize(count: 1)
            addressPolicy?.deallocate()
        }

        /// Runs an iteration on the engine's thread.
        ///
        /// - Parameters:
        ///   - queue: the commands of other threads.
        ///   - canWait: whether the thread could wait before.
        /// - Returns: The number of milliseconds that the thread may wait, or nil if it has to stop and all calls are
        ///   over.
        mutating func runIteration(_ queue: borrowing CommandQueue, canWait: Bool = true) -> Int32? {
            if ccurl_is_exiting() { return endAtExit(queue) }
            if let multi { ccurl_multi_read_events(multi) }
            if !canWait { loopFailure = ("epoll_wait", Self.internalError) }
            work(queue)
            if let (what, code) = loopFailure.take() { failAll(what, code) }
            // A thread that can't wait would retry forever.
            if isIdle, isStopping || !canWait {
                endThread(queue)
                forgetConnections()
                countConnections()
                return nil
            }
            measureLoad()
            // libcurl closes connections past their age only when it opens another: without a new call, the loop has
            // to.
            if isIdle, idleSince + idleConnectionAge <= now { forgetConnections() }
            if !isIdle, sweepAt <= now { sweep() }
            countConnections()
            return scheduleSleep(isAsleep: !mayStart && queue.prepareToSleep())
        }

        /// Runs an iteration on a caller's thread, while the engine's thread may sleep.
        ///
        /// - Returns: False if the engine's thread has to be woken.
        mutating func runOnCaller(_ queue: borrowing CommandQueue) -> Bool {
            // The engine's thread waits with the multi handle: it alone creates and destroys the handle. And if several
            // calls arrive at a time, they are better done by the engine's thread, while the callers do their own work.
            guard let multi, loopFailure == nil, isIdle, !ccurl_is_exiting(), peakConcurrency <= 1 else { return false }
            let signals = ccurl_hold_signals()
            ccurl_multi_set_on_caller(multi, true)
            work(queue)
            countConnections()
            ccurl_multi_set_on_caller(multi, false)
            ccurl_release_signals(signals)
            if loopFailure != nil || isStopping || mayStart || hasFoundRoom { return false }
            return queue.prepareToSleep() && nextDueTime() >= sleepsUntil
        }

        private mutating func work(_ queue: borrowing CommandQueue) {
            queue.take(into: &commands)
            sharedState.pointee.now = ccurl_now()
            execute(commands)
            if commands.capacity > Self.keptCommands {
                commands = []
            } else {
                commands.removeAll(keepingCapacity: true)
            }
            // Also without a call: libcurl may be closing connections, and would ask to be called forever.
            if multi != nil {
                // The clock is read again, so that the time in which other calls were prepared does not count.
                sharedState.pointee.now = ccurl_now()
                perform()
            }
            if nextDue <= now { endOverdue() }
        }

        /// Executes commands; calls begin after all other commands, which are quick: they end a call, or continue one.
        mutating func execute(_ commands: [EngineCommand]) {
            for command in commands {
                switch command {
                case .start(let call):
                    pending.append(call)
                    scheduleTimeouts()
                case .more(let id): if let slot = slots[id] { deliver(slot) }
                case .produced(let id): if let slot = slots[id] { resumeSending(slot) }
                case .cancel(let id): cancel(id)
                case .startWaiting: startWaiting()
                case .stop: isStopping = true
                }
            }
            for _ in 0..<Self.startsPerIteration {
                guard mayStart, let call = pending.next() else { break }
                start(call)
            }
        }

        /// Cancels a call, unless the call is already over.
        private mutating func cancel(_ id: UInt64) {
            if let slot = slots[id] {
                noteOverdue(ofCancelled: slot)
                end(slot, .cancelled)
            } else if let call = removeWaiting(id) {
                call.reply.end(.cancelled, FinalReport())
            }
        }

        private mutating func perform() {
            guard let multi else { return }
            if sharedState.pointee.connecting == 0 { nextConnectCheck = now + Self.connectCheckInterval }
            let isCheckDue = nextConnectCheck <= now
            if isCheckDue { nextConnectCheck = now + Self.connectCheckInterval }
            let code = ccurl_multi_perform(multi, sharedState, isCheckDue)
            if code != 0 { return loopFailure = ("curl_multi_socket_action", code) }
            if sharedState.pointee.has_new_use { reportUses() }
            deliverEvents()
            reportProgress()
            takeEnded(multi)
            answerEnded()
            if ccurl_multi_take_replaced(multi) { endReplaced() }
        }
    }
#endif
