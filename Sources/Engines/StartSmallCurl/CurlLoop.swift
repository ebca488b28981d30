#if CURL_ENGINE
    import StartSmallCore
    import StartSmallEngines
    import CCurl

    /// The event loop of an engine: all calls, and libcurl, which only the loop uses; for one thread at a time.
    ///
    /// An iteration takes commands, lets libcurl do what can be done without waiting, delivers the parts that have
    /// arrived, and ends the calls that are over or overdue. Between two iterations, the engine's thread waits for a
    /// socket, a command, or the next time limit; an iteration on a caller's thread may come in between.
    struct CurlLoop: ~Copyable {
        /// A reply that is due, with its outcome and the last events.
        typealias PendingReply = (reply: CurlReply, outcome: CurlOutcome, events: [Event])

        /// The largest capacity for commands, in elements, that is kept after a burst.
        private static let keptCommands = 1024

        /// The number of calls that may begin in one iteration, before commands are checked again.
        ///
        /// That is a few milliseconds of work: few enough that no cancellation waits long, and enough that the time
        /// until all calls have begun is the same.
        static let startsPerIteration = 128

        /// The code of libcurl for a failure that has no other name.
        private static let internalError: Int32 = 4

        let options: ConnectionOptions

        /// The descriptor that watches sockets.
        let epollDescriptor: Int32

        /// The policy that the callbacks of all transfers ask; nil if all addresses are allowed.
        let addressPolicy: UnsafeMutablePointer<ConnectionOptions.AddressPolicy>?

        /// The state that the callbacks of all transfers share: `round` in C.
        let sharedState: UnsafeMutablePointer<ccurl_round>

        var multi: OpaquePointer?
        var slots = CallSlots()
        var idleTransfers: [CurlTransfer] = []
        var deadlines: CurlDeadlines

        /// The calls that begin in the next iterations, as far as their hosts have room.
        var pending: PendingCalls

        private var isStopping = false

        /// The commands of the current iteration; kept for the array's memory.
        private var commands: [EngineCommand] = []

        /// The calls that have ended in the current iteration; kept for the array's memory.
        var ended: [(slot: Int, reply: PendingReply?)] = []

        /// The reason why libcurl can't continue any call, until the engine's thread has ended the calls.
        private var loopFailure: (what: String, code: Int32)?

        /// The time until which the engine's thread waits, unless something happens.
        var sleepsUntil = Int64.max

        /// The times at which calls last ended during a lookup, up to `ccurl_lookup_limit` of them.
        var endedLookups: [Int64] = []

        var isIdle: Bool { slots.isEmpty && pending.isEmpty }
        var now: Int64 { sharedState.pointee.now }

        init(_ options: ConnectionOptions, epollDescriptor: Int32) {
            (self.options, self.epollDescriptor) = (options, epollDescriptor)
            pending = PendingCalls(maxPerHost: options.maxConnectionsPerHost, maxInAll: options.maxConnections)
            deadlines = CurlDeadlines(options)
            addressPolicy = options.addressPolicy.forCallbacks()
            sharedState = .allocate(capacity: 1)
            sharedState.initialize(to: ccurl_round())
            sharedState.pointee.now = ccurl_now()
            sharedState.pointee.allows = addressPolicy == nil ? nil : ConnectionOptions.AddressPolicy.check
            sharedState.pointee.allows_context = addressPolicy.map { UnsafeRawPointer($0) }
            sharedState.pointee.silence = options.silence.clampedNanoseconds
        }

        deinit {
            sharedState.deallocate()
            addressPolicy?.deinitialize(count: 1)
            addressPolicy?.deallocate()
        }

        /// Runs an iteration on the engine's thread.
        ///
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
                return nil
            }
            if isIdle, deadlines.endsConnections(at: now) { forgetConnections() }
            return scheduleSleep(isAsleep: !pending.hasNext && queue.prepareToSleep())
        }

        /// Runs an iteration on a caller's thread, while the engine's thread may sleep.
        ///
        /// - Returns: False if the engine's thread has to be woken.
        mutating func runOnCaller(_ queue: borrowing CommandQueue) -> Bool {
            // The engine's thread waits with the multi handle: it alone creates and destroys the handle. And if several
            // calls arrive at a time, they are better done by the engine's thread, while the callers do their own work.
            guard let multi, loopFailure == nil, isIdle, !ccurl_is_exiting(), slots.peak <= 1 else { return false }
            let signals = ccurl_hold_signals()
            ccurl_multi_set_on_caller(multi, true)
            work(queue)
            ccurl_multi_set_on_caller(multi, false)
            ccurl_release_signals(signals)
            if loopFailure != nil || isStopping || pending.hasNext { return false }
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
            if deadlines.call <= now { endOverdue() }
        }

        /// Executes commands in their order; a call begins at once, unless another one waits for its turn.
        mutating func execute(_ commands: [EngineCommand]) {
            var begun = 0
            for command in commands {
                switch command {
                case .start(let call) where begun < Self.startsPerIteration && pending.begin(call.origin):
                    begun += 1
                    start(call)
                case .start(let call):
                    pending.append(call)
                    deadlines.callBegins(at: now)
                case .more(let id): if let slot = slots.slot(of: id) { deliver(slot) }
                case .produced(let id): if let slot = slots.slot(of: id) { resumeSending(slot) }
                case .cancel(let id): cancel(id)
                case .stop: isStopping = true
                }
            }
            for _ in begun..<Self.startsPerIteration {
                guard let call = pending.next() else { break }
                start(call)
            }
        }

        /// Cancels a call, unless the call is already over.
        private mutating func cancel(_ id: UInt64) {
            if let slot = slots.slot(of: id) {
                noteOverdue(ofCancelled: slot)
                end(slot, .cancelled)
            } else if let call = pending.remove(id) {
                call.reply.end(.cancelled)
            }
        }

        private mutating func perform() {
            guard let multi else { return }
            let checksAll = deadlines.checksConnecting(sharedState.pointee.connecting > 0, at: now)
            let code = ccurl_multi_perform(multi, sharedState, checksAll)
            if code != 0 { return loopFailure = ("curl_multi_socket_action", code) }
            deliverEvents()
            reportProgress()
            takeEnded(multi)
            answerEnded()
            if ccurl_multi_take_replaced(multi) { endReplaced() }
        }

        // MARK: the end

        /// Ends all calls at the end of the process, since an exit handler may wait for one of them.
        ///
        /// libcurl must not be called any more at that time.
        mutating func endAtExit(_ queue: borrowing CommandQueue) -> Int32? {
            for slot in slots.indices {
                slots[slot]?.reply.take()?.end(.refused(CurlEngine.exiting))
            }
            for call in pending.removeAll() + queue.close().compactMap(\.startedCall) {
                call.reply.end(.refused(CurlEngine.exiting))
            }
            return nil
        }

        /// Ends the calls for which there is no thread any more.
        ///
        /// If the thread could not wait, the failure may be temporary: the next call starts another thread.
        mutating func endThread(_ queue: borrowing CommandQueue) {
            for call in queue.close().compactMap(\.startedCall) {
                call.reply.end(.refused(CurlEngine.noThread))
            }
        }

        /// Closes all connections, and frees the memory of a burst.
        mutating func forgetConnections() {
            for var transfer in idleTransfers { transfer.free() }
            (idleTransfers, slots) = ([], CallSlots())
            if let multi { _ = ccurl_multi_free(multi) }
            multi = nil
        }

        // MARK: times

        /// Sets the time until which the thread sleeps, and returns the number of milliseconds until then.
        private mutating func scheduleSleep(isAsleep: Bool) -> Int32 {
            sleepsUntil = isAsleep ? nextDueTime() : now
            return isAsleep ? Self.milliseconds(until: sleepsUntil) : 0
        }

        /// Returns the time at which there is something to do, even if nothing happens before.
        private mutating func nextDueTime() -> Int64 {
            let activity = CurlDeadlines.Activity(
                hasProgress: sharedState.pointee.has_progress,
                isConnecting: sharedState.pointee.connecting > 0,
                isIdle: isIdle && (multi != nil || !idleTransfers.isEmpty),
                libraryTimeLeft: multi.map { ccurl_multi_time_left($0) } ?? -1
            )
            return deadlines.next(activity, at: ccurl_now())
        }

        private static func milliseconds(until due: Int64) -> Int32 {
            if due == .max { return .max }
            return Int32(clamping: (max(0, due - ccurl_now()) + 999_999) / 1_000_000)
        }
    }
#endif
