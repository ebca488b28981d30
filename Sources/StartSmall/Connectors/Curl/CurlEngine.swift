#if os(Linux)
    import CCurl
    import Synchronization

    /// The driver of libcurl for one connector: a dedicated thread, and sometimes the thread of a caller.
    ///
    /// A call that arrives while the engine's thread sleeps begins on the thread that makes the call, since to wake
    /// another thread takes longer than to send a request; the engine's thread receives the response. A thread that
    /// finds the loop locked adds a command to the queue, and waits for nothing: only the engine's thread ever waits
    /// for the lock of the loop. Therefore, replies can be sent while the loop is locked: no code that a reply resumes
    /// waits for that lock, so that there is no deadlock.
    struct CurlEngine: ~Copyable, Sendable {
        private let queue = CommandQueue()
        private let loop: Mutex<CurlLoop>

        /// Creates an engine, which is unusable if the system has no descriptors left.
        init(_ options: ConnectionOptions) {
            loop = Mutex(CurlLoop(options: options, epollDescriptor: queue.epollDescriptor))
        }

        /// Whether the system had descriptors left.
        var isUsable: Bool { queue.epollDescriptor >= 0 }

        /// Returns a number for a call that no other call has.
        func nextID() -> UInt64 { queue.nextID() }

        /// Returns true for the first caller, which has to start a thread that calls ``run()``.
        func claimThread() -> Bool { queue.claimThread() }

        /// Returns the calls for a thread that could not be started.
        ///
        /// The engine takes calls again after ``claimThread()`` has succeeded.
        func releaseThread() -> [EngineCommand] { queue.releaseThread() }

        /// Starts a call; returns false if there is no thread any more to receive the response.
        func start(_ call: CurlCall) -> Bool {
            switch queue.enqueueWithoutWaking(.start(call)) {
            case .refused: return false
            case .taken: return true
            case .takenNeedsWake:
                let isDone = loop.withLockIfAvailable { $0.runOnCaller(queue) }
                if isDone != true { queue.wake() }
                return true
            }
        }

        /// Sends any other command to the engine's thread; safe on any thread, since this only adds to the queue.
        func send(_ command: EngineCommand) {
            _ = queue.enqueue(command)
        }

        /// Runs until the command to stop was executed, and all calls are over.
        func run() {
            var canWait = true
            while let milliseconds = loop.withLock({ $0.runIteration(queue, canWait: canWait) }) {
                canWait = queue.wait(milliseconds)
            }
        }

        /// Ends calls for which there is no thread.
        static func refuse(
            _ commands: [EngineCommand],
            _ reason: String = "the engine's thread could not be started, or had to end"
        ) {
            for case .start(let call) in commands { call.reply.end(.refused(reason), FinalReport()) }
        }

        /// The reason why no call is made any more when exit handlers run (`atexit`).
        static let exiting = "the process is exiting: libcurl may not be used any more"
    }
#endif
