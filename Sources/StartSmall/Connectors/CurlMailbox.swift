#if os(Linux)
    import CCurl
    import Synchronization

    /// One call as it is handed to the thread of the engine.
    struct CurlCall: Sendable {
        let id: UInt64
        let request: WireRequest
        let payloadLimit: Int?
        let continuation: CheckedContinuation<CurlOutcome, Never>
    }

    /// What other threads ask of the thread of the engine.
    enum CurlCommand: Sendable {
        case start(CurlCall)
        case cancel(UInt64)

        /// No other call comes; the thread ends when those there are have ended.
        case stop
    }

    /// Where other threads leave commands for the thread of the engine, and wake it if it may be asleep.
    ///
    /// Whether it sleeps is said under the lock under which commands are left, so that no wake-up is lost: whoever leaves
    /// a command either sees that the thread sleeps, and wakes it, or the thread sees the command before it falls asleep.
    /// The descriptor lives as long as anyone who could use it, unlike a multi handle for `curl_multi_wakeup`.
    struct CurlMailbox: ~Copyable, Sendable {
        private struct State {
            var commands: [CurlCommand] = []
            var isAsleep = false
            var isClosed = false
        }

        private let state = Mutex(State())
        private let hasThread = Atomic(false)
        private let lastID = Atomic<UInt64>(0)

        /// What wakes the thread; -1 if the system has none to give.
        let bell: Int32

        init() { bell = ccurl_wake_create() }

        deinit { ccurl_wake_free(bell) }

        /// A number for a call that no other has.
        func nextID() -> UInt64 {
            lastID.wrappingAdd(1, ordering: .relaxed).newValue
        }

        /// True for the first who asks: it has to start the thread.
        func claimThread() -> Bool {
            if hasThread.load(ordering: .relaxed) { return false }
            return !hasThread.exchange(true, ordering: .relaxed)
        }

        /// Leaves a command; false if there is no thread any more to obey it.
        func leave(_ command: CurlCommand) -> Bool {
            var isAsleep = false
            let isLeft = state.withLock { state in
                if state.isClosed { return false }
                state.commands.append(command)
                isAsleep = state.isAsleep
                state.isAsleep = false
                return true
            }
            if isAsleep { ccurl_wake(bell) }
            return isLeft
        }

        /// Takes all commands in order; `taken` must be empty, and its memory is used for those to come.
        func take(into taken: inout [CurlCommand]) {
            state.withLock { state in
                state.isAsleep = false
                swap(&state.commands, &taken)
            }
        }

        /// Whether the thread may sleep: there is no command, and whoever leaves one will wake it.
        func fallsAsleep() -> Bool {
            state.withLock { state in
                state.isAsleep = state.commands.isEmpty
                return state.isAsleep
            }
        }

        /// Takes no more commands, and gives back those that nobody has obeyed.
        func close() -> [CurlCommand] {
            state.withLock { state in
                state.isClosed = true
                defer { state.commands = [] }
                return state.commands
            }
        }
    }
#endif
