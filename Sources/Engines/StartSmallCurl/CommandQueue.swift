#if CURL_ENGINE
    import CCurl
    import Synchronization

    /// A command of another thread for the thread of the engine.
    enum EngineCommand: Sendable {
        case start(CurlCall)

        /// The channel of the call with this ID has room for the chunk that was withheld.
        case more(UInt64)

        /// The stream of the call with this ID has bytes to send, or has ended.
        case produced(UInt64)

        case cancel(UInt64)

        /// No other call follows; the thread ends when the running calls have ended.
        case stop

        /// The call that the command starts; nil for any other command.
        var startedCall: CurlCall? { if case .start(let call) = self { call } else { nil } }
    }

    /// The queue of commands from other threads for the thread of the engine.
    ///
    /// A thread that adds a command wakes the engine's thread if it may be asleep. Whether the engine's thread sleeps
    /// is recorded under the lock of the queue, so that no wake-up is lost: either the thread that adds a command sees
    /// that the engine's thread sleeps, and wakes it, or the engine's thread sees the command before it falls asleep.
    /// The descriptor lives as long as any thread that could use it, unlike a multi handle for `curl_multi_wakeup`.
    struct CommandQueue: ~Copyable, Sendable {
        // Not private: Swift 6.3 emits a broken module for a private type if a value in another file contains a queue.
        struct State {
            var commands: [EngineCommand] = []
            var isAsleep = false

            /// Whether there is a thread that executes the commands.
            var isOpen: Bool
        }

        private let state: Mutex<State>
        private let wakeDescriptor: Int32

        /// The descriptor that reports events of sockets, and wake-ups; -1 if the system has none left.
        let epollDescriptor: Int32

        init(isOpen: Bool = false) {
            state = Mutex(State(isOpen: isOpen))
            wakeDescriptor = ccurl_wake_create()
            epollDescriptor = wakeDescriptor < 0 ? -1 : ccurl_watch_create(wakeDescriptor)
        }

        deinit {
            ccurl_close(epollDescriptor)
            ccurl_close(wakeDescriptor)
        }

        enum Receipt { case refused, taken, takenNeedsWake }

        /// Adds a command, without waking the thread.
        ///
        /// - Parameter startThread: starts the thread if there is none; returns false if that is not possible. The lock
        ///   of the queue is held meanwhile, so that only one thread is started.
        /// - Returns: ``Receipt/takenNeedsWake`` if the engine's thread may be asleep; the caller then has to wake the
        ///   thread, or to do its work.
        func enqueueWithoutWaking(
            _ command: EngineCommand,
            orElse startThread: () -> Bool = { false }
        ) -> Receipt {
            state.withLock { state in
                if !state.isOpen { state.isOpen = startThread() }
                guard state.isOpen else { return .refused }
                state.commands.append(command)
                defer { state.isAsleep = false }
                return state.isAsleep ? .takenNeedsWake : .taken
            }
        }

        /// Adds a command, and wakes the thread; returns false if there is no thread any more to execute the command.
        func enqueue(_ command: EngineCommand) -> Bool {
            let receipt = enqueueWithoutWaking(command)
            if receipt == .takenNeedsWake { wake() }
            return receipt != .refused
        }

        func wake() { ccurl_wake(wakeDescriptor) }

        /// Waits until the thread is woken, something happens to a socket, or the time is over.
        ///
        /// Only the thread of the engine may wait.
        ///
        /// - Returns: False if the thread can't wait.
        func wait(_ milliseconds: Int32) -> Bool {
            ccurl_wait(epollDescriptor, wakeDescriptor, milliseconds)
        }

        /// Takes all commands in order; `taken` must be empty, and its memory is used for the next commands.
        func take(into taken: inout [EngineCommand]) {
            state.withLock { state in
                state.isAsleep = false
                swap(&state.commands, &taken)
            }
        }

        /// Whether the thread may sleep: there is no command, and the thread that adds the next one will wake this one.
        func prepareToSleep() -> Bool {
            state.withLock { state in
                state.isAsleep = state.commands.isEmpty
                return state.isAsleep
            }
        }

        /// Closes the queue for more commands, and returns those that have not been executed.
        func close() -> [EngineCommand] {
            state.withLock { state in
                state.isOpen = false
                defer { state.commands = [] }
                return state.commands
            }
        }
    }
#endif
