#if os(Linux)
    import CCurl
    import Synchronization

    /// What drives libcurl for one connector: a thread of its own, and now and then the thread of a caller.
    ///
    /// A call that comes while the engine's thread sleeps begins on the thread that makes it, since to wake another takes
    /// longer than to send a request; the engine's thread hears of the answer. Whoever finds somebody else at work leaves
    /// what is to be done in the mailbox, and waits for nobody. Answers are given while the loop is held, which is safe for
    /// that reason: only the engine's thread ever waits for it.
    struct CurlEngine: ~Copyable, Sendable {
        private let queue = CommandQueue()
        private let loop: Mutex<CurlLoop>

        /// The engine, which is of no use if the system has no descriptors to give.
        init(_ options: ConnectionOptions) {
            loop = Mutex(CurlLoop(options: options, watch: queue.watch))
        }

        /// Whether the system had descriptors to give.
        var isUsable: Bool { queue.watch >= 0 }

        /// A number for a call that no other has.
        func nextID() -> UInt64 { queue.nextID() }

        /// True for the first who asks: it has to have the thread ``run()``.
        func claimThread() -> Bool { queue.claimThread() }

        /// Gives back the calls for a thread that could not be started, and takes none until somebody tries again.
        func disclaimThread() -> [CurlCommand] { queue.disclaimThread() }

        /// Has a call begin; false if there is no thread any more to hear of its answer.
        func start(_ call: CurlCall) -> Bool {
            switch queue.put(.start(call)) {
            case .refused: return false
            case .taken: return true
            case .takenAsleep:
                let isDone = loop.withLockIfAvailable { $0.runOnCaller(queue) }
                if isDone != true { queue.wake() }
                return true
            }
        }

        /// Asks anything else of the engine's thread; from anywhere, since nothing is done here but to ask.
        func ask(_ command: CurlCommand) {
            _ = queue.leave(command)
        }

        /// Works until it is told to stop, and all calls are over.
        func run() {
            var canWait = true
            while let milliseconds = loop.withLock({ $0.turn(queue, canWait: canWait) }) {
                canWait = queue.wait(milliseconds)
            }
        }

        /// Ends calls for which there is no thread.
        static func refuse(
            _ commands: [CurlCommand],
            _ reason: String = "the engine's thread could not be started, or had to end"
        ) {
            for case .start(let call) in commands { call.answer.end(.refused(reason), FinalReport()) }
        }

        /// Why no call is made any more when exit handlers run (`atexit`).
        static let exiting = "the process is exiting: libcurl may not be used any more"
    }
#endif
