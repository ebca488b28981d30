import StartSmallCore
import StartSmallSupport
import Synchronization

/// An inner call whose output several callers wait for, and which is cancelled when the last of them has left.
///
/// The inner call runs in its own task, and begins on the thread of its first caller.
final class SharedCall: Sendable {
    /// A caller, which waits for the output.
    struct Caller: Sendable {
        fileprivate let id: UInt64
        fileprivate let context: CallContext
        fileprivate let output = Promise<Output>()
    }

    private struct State: Sendable {
        /// The callers that have not left, in the order in which they came.
        var callers: [Caller]
        var lastID: UInt64 = 0
        var isEnded = false
        var task: Task<Void, Never>?

        /// Whether nobody waits for the output before the end; nobody can join any more.
        ///
        /// A caller that is past a time limit, or whose `CallGroup` was cancelled, does not wait any more: it leaves
        /// soon.
        var isAbandoned: Bool { !isEnded && callers.allSatisfy(\.context.isOver) }
    }

    /// The caller that begins the inner call.
    let first: Caller

    private let state: Mutex<State>

    /// The time limit that the first caller has chosen, by which the engine has set its own limits.
    private let limit: Duration?

    init(for context: CallContext, of limit: Duration? = nil) {
        self.limit = limit
        let first = Caller(id: 0, context: context)
        self.first = first
        state = Mutex(State(callers: [first]))
    }

    /// Adds a caller, unless the call has ended, nobody waits for it any more, or the caller waits longer than the first.
    func join(_ context: CallContext, for limit: Duration? = nil) -> Caller? {
        if let limit, let first = self.limit, limit > first { return nil }
        return state.withLock { state in
            if state.isEnded || state.isAbandoned { return nil }
            state.lastID += 1
            let caller = Caller(id: state.lastID, context: context)
            state.callers.append(caller)
            return caller
        }
    }

    /// Waits for the output of the inner call, which the first caller begins.
    ///
    /// - Returns: the output, or ``ConnectionError/cancelled`` as soon as the task of the caller is cancelled.
    func output(for caller: Caller, beginning begin: (@Sendable () async -> Output)? = nil) async -> Output {
        await withTaskCancellationHandler {
            if let begin { start(begin) }
            return await caller.output.value() ?? .noResponse(.cancelled)
        } onCancel: {
            self.leave(caller)
        }
    }

    /// Begins the inner call on this thread, and returns when it suspends for the first time.
    private func start(_ begin: @escaping @Sendable () async -> Output) {
        let task = Task.startedImmediately { self.end(with: await begin()) }
        let isAbandoned = state.withLock { state in
            if !state.isEnded, !state.isAbandoned { state.task = task }
            return state.isAbandoned
        }
        // The callers left before the inner call suspended.
        if isAbandoned { task.cancel() }
    }

    /// Ends the call, and resumes the waiting callers outside of the lock.
    ///
    /// The `Set-Cookie` fields are for one caller: the first that has not left.
    private func end(with output: Output) {
        let callers = state.withLock { state -> [Caller] in
            if state.isAbandoned { return [] }
            state.isEnded = true
            state.task = nil
            defer { state.callers = [] }
            return state.callers
        }
        let other = callers.count > 1 ? output.withoutCookies : output
        var output = output
        for caller in callers where caller.output.fulfill(output) { output = other }
    }

    /// Removes a caller, and cancels the inner call if it was the last one.
    private func leave(_ caller: Caller) {
        let task = state.withLock { state in
            state.callers.removeAll { $0.id == caller.id }
            return state.isAbandoned ? state.task.take() : nil
        }
        task?.cancel()
    }
}

extension SharedCall {
    /// The contexts of the callers that have not left.
    var callers: [CallContext] { state.withLock { $0.callers.map(\.context) } }

    /// Whether nobody waits for the output any more, so that nothing more may be sent for it.
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }
}

extension Output {
    /// The output for a caller whose request got no response of its own.
    fileprivate var withoutCookies: Output {
        mapResponse { response in
            var response = response
            response.headers["Set-Cookie"] = nil
            return response
        }
    }
}
