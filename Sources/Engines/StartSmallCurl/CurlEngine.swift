#if CURL_ENGINE
    import StartSmallCore
    import StartSmallEngines
    import CCurl
    import Synchronization

    /// The driver of libcurl for one connector: the commands, the state and the thread of an event loop.
    ///
    /// A call is always added to the queue first. If the engine's thread sleeps and no other call runs, the thread that
    /// added it then runs one iteration of the loop itself, since to wake another thread takes longer than to send a
    /// request; the engine's thread receives the response. If the loop is locked, it only wakes the engine's thread:
    /// only that one ever waits for the lock of the loop. Therefore, replies can be sent while the loop is locked: no
    /// code that a reply resumes waits for that lock, so that there is no deadlock.
    final class CurlEngine: Sendable {
        private let queue: CommandQueue
        private let loop: Mutex<CurlLoop>

        /// Creates an engine without a thread, which the first call starts; nil if the system has no descriptors left.
        init?(_ options: ConnectionOptions) {
            let queue = CommandQueue()
            guard queue.epollDescriptor >= 0 else { return nil }
            loop = Mutex(CurlLoop(options, epollDescriptor: queue.epollDescriptor))
            self.queue = queue
        }

        /// Starts a call; refuses it if the system has no thread left to receive the response.
        func start(_ call: CurlCall) {
            let receipt = queue.enqueueWithoutWaking(.start(call)) { CurlThread.start { self.run() } }
            switch receipt {
            case .refused: call.reply.end(.refused(Self.noThread))
            case .taken: break
            case .takenNeedsWake:
                let isDone = loop.withLockIfAvailable { $0.runOnCaller(queue) }
                if isDone != true { queue.wake() }
            }
        }

        /// Sends any other command to the engine's thread; safe on any thread, since this only adds to the queue.
        ///
        /// Without a thread, no call runs: there is nothing to do.
        func send(_ command: EngineCommand) {
            _ = queue.enqueue(command)
        }

        /// Runs until the command to stop was executed, and all calls are over.
        private func run() {
            var canWait = true
            while let milliseconds = loop.withLock({ $0.runIteration(queue, canWait: canWait) }) {
                canWait = queue.wait(milliseconds)
            }
        }

        /// The reason why a call is refused for which there is no thread.
        static let noThread = "the engine's thread could not be started, or had to end"

        /// The reason why no call is made any more when exit handlers run (`atexit`).
        static let exiting = "the process is exiting: libcurl may not be used any more"
    }

    /// Dedicated threads for blocking work, for which Swift's thread pool is not meant.
    enum CurlThread {
        /// Runs a function on a new thread; returns false if the system has no thread left.
        static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
            let context = UnsafeMutablePointer<@Sendable () -> Void>.allocate(capacity: 1)
            context.initialize(to: body)
            let code = ccurl_start_thread({ CurlThread.take($0)() }, context)
            if code != 0 { _ = take(context) }
            return code == 0
        }

        private static func take(_ context: UnsafeMutableRawPointer) -> @Sendable () -> Void {
            let context = context.assumingMemoryBound(to: (@Sendable () -> Void).self)
            defer { context.deallocate() }
            return context.move()
        }
    }
#endif
