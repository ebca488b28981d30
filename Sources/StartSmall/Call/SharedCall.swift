import Synchronization

/// An inner call whose output several callers wait for, and which is cancelled when the last of them has left.
///
/// The inner call runs in its own task, and begins on the thread of its first caller. Its time limits are those that
/// all callers have; its events go to its first caller.
final class SharedCall: Sendable {
    /// A caller that has not received an output yet.
    private struct Caller: Sendable {
        let context: CallContext
        var waiter: CheckedContinuation<Output, Never>?
    }

    private enum Phase: Sendable {
        case running

        /// The inner call has ended. Its `Set-Cookie` fields are for one caller: the first that has not left.
        case ended(Output, owner: UInt64?)

        /// All callers have left; nobody can join any more.
        case abandoned
    }

    private struct State: Sendable {
        var phase = Phase.running
        var callers: [UInt64: Caller]
        var lastCaller = firstCaller
        var task: Task<Void, Never>?

        /// Ends the call if nobody waits for it any more.
        mutating func abandonIfLeft() {
            guard case .running = phase, callers.values.allSatisfy(\.context.isOver) else { return }
            phase = .abandoned
        }
    }

    /// The number of the caller that begins the inner call.
    static let firstCaller: UInt64 = 1

    private let state: Mutex<State>

    /// Creates a call with its first caller.
    init(for first: CallContext) {
        state = Mutex(State(callers: [Self.firstCaller: Caller(context: first)]))
    }

    /// Adds a caller, and returns its number, unless the call has ended, or nobody waits for it any more.
    func join(_ context: CallContext) -> UInt64? {
        state.withLock { state in
            state.abandonIfLeft()
            guard case .running = state.phase else { return nil }
            state.lastCaller += 1
            state.callers[state.lastCaller] = Caller(context: context)
            return state.lastCaller
        }
    }

    /// Waits for the output of the inner call, which the first caller begins.
    ///
    /// - Parameters:
    ///   - caller: the number of the caller.
    ///   - begin: makes the inner call; nil if another caller has begun it.
    /// - Returns: the output, or ``ConnectionError/cancelled`` as soon as the task of the caller is cancelled.
    func output(for caller: UInt64, beginning begin: (@Sendable () async -> Output)? = nil) async -> Output {
        await withTaskCancellationHandler {
            if let begin { start(begin) }
            if let output = takeOutput(for: caller) { return output }
            return await withCheckedContinuation { waiter in
                if let output = takeOutput(for: caller, orWaitWith: waiter) { waiter.resume(returning: output) }
            }
        } onCancel: {
            self.leave(caller)
        }
    }

    /// Begins the inner call on this thread, and returns when it suspends for the first time.
    private func start(_ begin: @escaping @Sendable () async -> Output) {
        let task = Task.startedImmediately { self.end(with: await begin()) }
        let isAbandoned = state.withLock { state in
            switch state.phase {
            case .running:
                state.task = task
                return false
            case .ended: return false
            case .abandoned: return true
            }
        }
        // The callers left before the inner call suspended.
        if isAbandoned { task.cancel() }
    }

    /// Returns the output for a caller, which can be taken once; nil if there is none yet.
    private func takeOutput(
        for caller: UInt64,
        orWaitWith waiter: CheckedContinuation<Output, Never>? = nil
    ) -> Output? {
        state.withLock { state in
            guard state.callers[caller] != nil else { return .noResponse(.cancelled) }
            switch state.phase {
            case .running:
                state.callers[caller]?.waiter = waiter
                return nil
            case .ended(let output, let owner):
                state.callers[caller] = nil
                return caller == owner ? output : output.withoutCookies
            case .abandoned: return .noResponse(.cancelled)
            }
        }
    }

    /// Ends the call, and resumes the waiting callers outside of the lock.
    private func end(with output: Output) {
        let (waiters, owner) = state.withLock { state -> ([UInt64: CheckedContinuation<Output, Never>], UInt64?) in
            guard case .running = state.phase else { return ([:], nil) }
            let owner = state.callers.keys.min()
            state.phase = .ended(output, owner: owner)
            state.task = nil
            defer { state.callers = state.callers.filter { $0.value.waiter == nil } }
            return (state.callers.compactMapValues(\.waiter), owner)
        }
        for (caller, waiter) in waiters { waiter.resume(returning: caller == owner ? output : output.withoutCookies) }
    }

    /// Removes a caller, and cancels the inner call if it was the last one.
    private func leave(_ caller: UInt64) {
        let (waiter, task) = state.withLock { state in
            let waiter = state.callers.removeValue(forKey: caller)?.waiter
            state.abandonIfLeft()
            return if case .abandoned = state.phase { (waiter, state.task.take()) } else { (waiter, nil) }
        }
        waiter?.resume(returning: .noResponse(.cancelled))
        task?.cancel()
    }
}

// The scope of the inner call.
extension SharedCall {
    /// Whether nobody waits for the output any more, so that nothing more may be sent for it.
    ///
    /// A caller that is past a time limit, or whose `CallGroup` was cancelled, does not wait any more: it leaves soon.
    var isAbandoned: Bool {
        state.withLock { state in
            state.abandonIfLeft()
            return if case .abandoned = state.phase { true } else { false }
        }
    }

    /// The longest time that is left to a caller; nil if a caller has no time limit.
    var remainingTime: Duration? { longest?.time }

    /// The time limit of the caller with the longest time left, as it was set; nil if a caller has none.
    var timeLimit: TimeLimit? { longest?.context.timeLimit }

    private var longest: (time: Duration, context: CallContext)? {
        // The clock of a time limit is a function of the app.
        let contexts = state.withLock { $0.callers.values.map(\.context) }
        var longest: (time: Duration, context: CallContext)?
        for context in contexts {
            guard let time = context.remainingTime else { return nil }
            if longest.map({ $0.time < time }) ?? true { longest = (time, context) }
        }
        return longest
    }
}

extension Output {
    /// The output for a caller whose request got no response of its own.
    fileprivate var withoutCookies: Output {
        switch self {
        case .hasResponse(let response): .hasResponse(response.withoutCookies)
        case .noResponse(let error): .noResponse(error.changingResponse(\.withoutCookies))
        }
    }
}

extension Response {
    fileprivate var withoutCookies: Response {
        var response = self
        response.headers["Set-Cookie"] = nil
        return response
    }
}
