#if os(Linux)
    import Synchronization

    /// One event loop of an engine: its commands, its state, and its thread.
    ///
    /// A call that arrives while the loop's thread sleeps begins on the thread that makes the call, since to wake
    /// another thread takes longer than to send a request; the loop's thread receives the response. A thread that finds
    /// the loop locked adds a command to the queue, and waits for nothing: only the loop's thread ever waits for the
    /// lock of the loop. Therefore, replies can be sent while the loop is locked: no code that a reply resumes waits
    /// for that lock, so that there is no deadlock.
    final class EventLoop: Sendable {
        private let queue: CommandQueue
        private let loop: Mutex<CurlLoop>

        /// Creates a loop without a thread; nil if the system has no descriptors left.
        ///
        /// - Parameter make: creates the state of the loop, given the descriptor that watches sockets.
        init?(_ make: (_ epollDescriptor: Int32) -> sending CurlLoop) {
            let queue = CommandQueue()
            guard queue.epollDescriptor >= 0 else { return nil }
            loop = Mutex(make(queue.epollDescriptor))
            self.queue = queue
        }

        /// Starts the thread of the loop; false if the system has no thread left.
        ///
        /// - Parameter foundRoom: starts calls in other loops, which may have room.
        func startThread(foundRoom: @escaping @Sendable () -> Void) -> Bool {
            queue.reopen()
            return CurlThread.start { self.run(foundRoom) }
        }

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

        /// Sends any other command to the loop's thread; safe on any thread, since this only adds to the queue.
        func send(_ command: EngineCommand) {
            _ = queue.enqueue(command)
        }

        /// Runs until the command to stop was executed, and all calls are over.
        private func run(_ foundRoom: () -> Void) {
            var canWait = true
            while true {
                let (milliseconds, hasFoundRoom) = loop.withLock { loop in
                    defer { loop.hasFoundRoom = false }
                    return (loop.runIteration(queue, canWait: canWait), loop.hasFoundRoom)
                }
                if hasFoundRoom { foundRoom() }
                guard let milliseconds else { return }
                canWait = queue.wait(milliseconds)
            }
        }
    }
#endif
