#if os(Linux)
    import CCurl

    /// The driver of libcurl for one connector: event loops with a thread each, and a router that distributes calls.
    ///
    /// There are three kinds of locks. A thread may take one of them while it has another, but only in this order, so
    /// that there is no deadlock: the lock of a loop, the lock of the router, the lock of a command queue.
    struct CurlEngine: Sendable {
        private let router: Locked<CallRouter>
        private let shares: [ConnectionShare]
        private let options: ConnectionOptions
        private let threadTime: @Sendable () -> Int64

        /// The numbers of connections of all loops.
        private let pool = ConnectionPool()

        /// The first loop, which always exists, since most engines need no other.
        private let first: EventLoop

        /// The further loops, each of which is created when the router first needs it.
        private let others: Locked<[Int: EventLoop]>

        /// Creates an engine without threads; nil if the system has no descriptors left.
        ///
        /// - Parameters:
        ///   - options: the options of connections.
        ///   - threadTime: reads the time that a thread has spent on a processor, in nanoseconds.
        init?(_ options: ConnectionOptions, threadTime: @escaping @Sendable () -> Int64) {
            let shares = ConnectionShare.all(of: options)
            let router = Locked(CallRouter(shares))
            guard let first = Self.loop(0, options, router, shares, pool, threadTime) else { return nil }
            (self.options, self.router, self.shares, self.threadTime) = (options, router, shares, threadTime)
            self.first = first
            others = Locked([:])
        }

        /// Starts a call, or refuses it.
        func start(_ call: CurlCall) {
            let decision = router.withLock { router in
                var decision = router.add(call)
                while case .needsThread(let index) = decision {
                    startThread(index, &router)
                    decision = router.add(call)
                }
                return decision
            }
            switch decision {
            case .start(let call): start([call])
            case .waits: break
            case .refused, .needsThread: call.reply.end(.refused(Self.noThread), FinalReport())
            }
        }

        /// Cancels a call, unless the call is already over.
        ///
        /// The call has arrived either in the router or in one of the loops: it leaves the router for a loop that
        /// executes this command only after that.
        func cancel(_ id: UInt64) {
            if let call = router.withLock({ $0.removeWaiting(id) }) {
                call.reply.end(.cancelled, FinalReport())
            } else {
                for loop in loops { loop.send(.cancel(id)) }
            }
        }

        /// Asks a loop for the chunk of a call that was withheld.
        func sendMore(_ id: UInt64, from loop: Int) {
            self.loop(loop)?.send(.more(id))
        }

        /// Has a loop send the bytes that the stream of a call has produced.
        func sendProduced(_ id: UInt64, in loop: Int) {
            self.loop(loop)?.send(.produced(id))
        }

        /// Ends each thread when its running calls have ended; no other call follows.
        func stop() {
            router.withLock { $0.stop() }
            for loop in loops { loop.send(.stop) }
        }

        /// Starts routed calls; if a loop's thread has just ended, its calls are refused.
        private func start(_ calls: [CurlCall]) {
            var rest = calls
            while let call = rest.popLast() {
                if let route = call.route, loop(route.loop)?.start(call) == true { continue }
                call.reply.end(.refused(Self.noThread), FinalReport())
                rest += router.withLock { $0.end(call.route) }
            }
        }

        // MARK: loops

        private var loops: [EventLoop] { [first] + others.withLock { Array($0.values) } }

        private func loop(_ index: Int) -> EventLoop? {
            index == 0 ? first : others.withLock { $0[index] }
        }

        /// Starts the thread of a loop, under the lock of the router, so that no other thread starts it as well.
        private func startThread(_ index: Int, _ router: inout CallRouter) {
            let existing = loop(index) ?? Self.loop(index, options, self.router, shares, pool, threadTime)
            guard let loop = existing, loop.startThread(foundRoom: startWaitingCalls) else {
                return router.threadFailed(index)
            }
            if index > 0 { others.withLock { $0[index] = loop } }
            router.threadStarted(index)
        }

        /// Has each loop that has room for waiting calls take them.
        @Sendable private func startWaitingCalls() {
            router.withLock { router in
                for index in shares.indices where router.canStartWaiting(in: index) {
                    if router.needsThread(index) { startThread(index, &router) }
                    loop(index)?.send(.startWaiting)
                }
            }
        }

        private static func loop(
            _ index: Int,
            _ options: ConnectionOptions,
            _ router: Locked<CallRouter>,
            _ shares: [ConnectionShare],
            _ pool: ConnectionPool,
            _ threadTime: @escaping @Sendable () -> Int64
        ) -> EventLoop? {
            EventLoop { epollDescriptor in
                CurlLoop(
                    options: options,
                    epollDescriptor: epollDescriptor,
                    router: router,
                    index: index,
                    share: shares[index],
                    pool: pool,
                    threadTime: threadTime
                )
            }
        }

        // MARK: reasons

        /// The reason why a call is refused for which there is no thread.
        static let noThread = "the engine's thread could not be started, or had to end"

        /// The reason why no call is made any more when exit handlers run (`atexit`).
        static let exiting = "the process is exiting: libcurl may not be used any more"
    }
#endif
