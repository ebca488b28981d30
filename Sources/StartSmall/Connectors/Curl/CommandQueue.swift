#if os(Linux)
    import CCurl
    import Synchronization

    /// How the thread of the engine answers a call.
    enum CurlAnswer: Sendable {
        /// Once, when it is over.
        case once(CheckedContinuation<CurlOutcome, Never>)

        /// In parts, and with what is told to those who listen.
        case parts(CurlChannel)

        var takesParts: Bool { if case .parts(let channel) = self { channel.takesParts } else { false } }
        var wantsHead: Bool { if case .parts(let channel) = self { channel.wantsHead } else { false } }
        var hasListeners: Bool { if case .parts(let channel) = self { channel.hasListeners } else { false } }

        /// Says that the call is over; nothing may come after.
        func end(_ outcome: CurlOutcome, _ finalReport: FinalReport) {
            switch self {
            case .once(let continuation): continuation.resume(returning: outcome)
            case .parts(let channel): channel.send(.end(outcome, finalReport))
            }
        }
    }

    /// What other threads ask of the thread of the engine.
    enum CurlCommand: Sendable {
        case start(CurlCall)

        /// There is room for the chunk that was withheld.
        case more(UInt64)

        case cancel(UInt64)

        /// No other call comes; the thread ends when those there are have ended.
        case stop
    }

    /// Where other threads leave commands for the thread of the engine, and wake it if it may be asleep.
    ///
    /// Whether it sleeps is said under the lock under which commands are left, so that no wake-up is lost: whoever leaves
    /// a command either sees that the thread sleeps, and wakes it, or the thread sees the command before it falls asleep.
    /// The descriptor lives as long as anyone who could use it, unlike a multi handle for `curl_multi_wakeup`.
    struct CommandQueue: ~Copyable, Sendable {
        // Not private: Swift 6.3 makes a broken module of it where a mailbox is kept in a value of another file.
        struct State {
            var commands: [CurlCommand] = []
            var isAsleep = false
            var isClosed = false
        }

        private let state = Mutex(State())
        private let hasThread = Atomic(false)
        private let lastID = Atomic<UInt64>(0)

        /// What wakes the thread.
        private let wakeDescriptor: Int32

        /// What tells the thread of sockets, and of the bell; -1 if the system has none to give.
        let watch: Int32

        init() {
            wakeDescriptor = ccurl_wake_create()
            watch = wakeDescriptor < 0 ? -1 : ccurl_watch_create(wakeDescriptor)
        }

        deinit {
            ccurl_watch_free(watch)
            ccurl_wake_free(wakeDescriptor)
        }

        /// A number for a call that no other has.
        func nextID() -> UInt64 {
            lastID.wrappingAdd(1, ordering: .relaxed).newValue
        }

        /// True for the first who asks: it has to start the thread.
        func claimThread() -> Bool {
            if hasThread.load(ordering: .relaxed) { return false }
            return state.withLock { state in
                if hasThread.load(ordering: .relaxed) { return false }
                hasThread.store(true, ordering: .relaxed)
                state.isClosed = false
                return true
            }
        }

        /// Gives back what was left for a thread that could not be started, and takes nothing until somebody tries again.
        func disclaimThread() -> [CurlCommand] {
            let rest = close()
            hasThread.store(false, ordering: .relaxed)
            return rest
        }

        /// What became of a command.
        enum Receipt { case refused, taken, takenAsleep }

        /// Leaves a command; if the thread may be asleep, whoever left it has to wake the thread, or to do its work.
        func put(_ command: CurlCommand) -> Receipt {
            state.withLock { state in
                if state.isClosed { return .refused }
                state.commands.append(command)
                defer { state.isAsleep = false }
                return state.isAsleep ? .takenAsleep : .taken
            }
        }

        /// Leaves a command, and wakes the thread; false if there is none any more to obey it.
        func leave(_ command: CurlCommand) -> Bool {
            let receipt = put(command)
            if receipt == .takenAsleep { wake() }
            return receipt != .refused
        }

        /// Wakes the thread.
        func wake() { ccurl_wake(wakeDescriptor) }

        /// Waits, as the thread alone may: until it is woken, something happens to a socket, or the time is over; false if it
        /// can't.
        func wait(_ milliseconds: Int32) -> Bool {
            ccurl_wait(watch, wakeDescriptor, milliseconds)
        }

        /// Takes all commands in order; `taken` must be empty, and its memory is used for those to come.
        func take(into taken: inout [CurlCommand]) {
            state.withLock { state in
                state.isAsleep = false
                swap(&state.commands, &taken)
            }
        }

        /// Whether the thread may sleep: there is no command, and whoever leaves one will wake it.
        func prepareToSleep() -> Bool {
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
