import StartSmallCore

/// The running calls of a connector by the identifiers of their tasks, with their continuations and deadlines.
struct URLSessionCalls: Sendable {
    indirect enum TaskEvent: Sendable {
        /// A part of the response; more events follow.
        case part(URLSessionExchange.Part)

        /// The progress of the call, for listeners; more events follow.
        case progress(TransferProgress)

        /// The end, with the remaining events for listeners.
        case output(Output, reported: [Event] = [])

        /// The server had closed a reused connection, and the same task can't send the payload again.
        case again
    }

    typealias Continuation = CheckedContinuation<TaskEvent, Never>

    /// The actions that are left to do outside of the lock.
    struct PendingAction: Sendable {
        var resumption: (Continuation, TaskEvent)?
        var command: (@Sendable () -> Void)?

        /// The time of the next check of all calls; nil if none has to be arranged.
        var check: SuspendingClock.Instant?

        fileprivate var isLast: Bool {
            switch resumption?.1 {
            case .output, .again: true
            case .part, .progress, nil: false
            }
        }
    }

    private struct Call: Sendable {
        let task: URLSessionTask
        var exchange: URLSessionExchange
        var continuation: Continuation?
        var end: TaskEvent?
        let hasListeners: Bool
        var isPaused = false

        /// The time at which the call times out, or reports its progress, if nothing happens; nil if it may wait, or
        /// has ended already.
        var deadline: SuspendingClock.Instant? {
            if end != nil { return nil }
            let report = hasListeners && continuation != nil ? exchange.transferState.reportTime : nil
            return [exchange.deadline, report].compactMap(\.self).min()
        }

        mutating func wait(_ continuation: Continuation) -> PendingAction {
            self.continuation = continuation
            return action()
        }

        mutating func change(stopping: Bool, _ change: (inout URLSessionExchange) -> TaskEvent?) -> PendingAction? {
            guard end == nil else { return nil }
            end = change(&exchange)
            return action(stopping: stopping)
        }

        /// Returns the next event, if there is one.
        // Not inlined, as `action` is not: each kind of change would have its own copy.
        @inline(never) private mutating func next() -> TaskEvent? {
            let now = SuspendingClock.now
            if let part = exchange.takePart(at: now) { return .part(part) }
            guard case .output(let output, _) = end else {
                if let end { return end }
                return hasListeners ? exchange.transferState.takeProgress(at: now).map(TaskEvent.progress) : nil
            }
            return .output(
                output,
                reported: hasListeners ? exchange.reported(isWhole: output.connectionError == nil, at: now) : []
            )
        }

        /// Delivers the next event to the waiting continuation, and adapts the task to the speed of the reader.
        @inline(never) private mutating func action(stopping: Bool = false) -> PendingAction {
            var action = PendingAction()
            if let waiting = continuation, let event = next() {
                continuation = nil
                action.resumption = (waiting, event)
            }
            if end != nil {
                if stopping { action.command = { [task] in task.cancel() } }
            } else if URLSessionTask.canPause, exchange.isFull != isPaused {
                isPaused.toggle()
                action.command = { [task, isPaused] in if isPaused { task.suspend() } else { task.resume() } }
            }
            return action
        }
    }

    private var calls: [Int: Call] = [:]
    private var nextCheck: SuspendingClock.Instant?

    /// Adds a call for a task that is about to run.
    mutating func begin(_ task: URLSessionTask, _ exchange: URLSessionExchange, hasListeners: Bool) {
        calls[task.taskIdentifier] = Call(task: task, exchange: exchange, hasListeners: hasListeners)
    }

    mutating func wait(for id: Int, _ continuation: Continuation) -> PendingAction {
        after(calls[id]?.wait(continuation), of: id)
            ?? PendingAction(resumption: (continuation, .output(.noResponse(.cancelled))))
    }

    /// Changes the state of a call; the call ends if `change` returns an event, and only once.
    ///
    /// - Returns: The actions to do outside of the lock; nil if the call is over.
    mutating func change(
        _ id: Int,
        stopping: Bool,
        _ change: (inout URLSessionExchange) -> TaskEvent?
    ) -> PendingAction? {
        // The call is changed in place: a copy of the call would copy its payload with every part that arrives.
        after(calls[id]?.change(stopping: stopping, change), of: id)
    }

    private mutating func after(_ action: PendingAction?, of id: Int) -> PendingAction? {
        guard var action else { return nil }
        if action.isLast { calls[id] = nil }
        action.check = arrangeCheck(by: calls[id]?.deadline)
        return action
    }

    /// Removes a call whose outcome is not needed any more.
    mutating func abandon(_ id: Int) {
        calls[id] = nil
    }

    func overdue(at now: SuspendingClock.Instant) -> [Int] {
        calls.filter { _, call in call.deadline.map { $0 <= now } ?? false }.map(\.key)
    }

    /// Returns the time of the next check after a check; nil if there is no call to check, or the check is arranged.
    ///
    /// One check at the earliest deadline is enough for all calls: a call that made progress meanwhile has a later
    /// deadline.
    mutating func arrangeCheck(after last: SuspendingClock.Instant) -> SuspendingClock.Instant? {
        if let next = nextCheck, next <= last { nextCheck = nil }
        return arrangeCheck(by: calls.values.compactMap(\.deadline).min())
    }

    private mutating func arrangeCheck(by deadline: SuspendingClock.Instant?) -> SuspendingClock.Instant? {
        guard let deadline, nextCheck.map({ $0 > deadline }) ?? true else { return nil }
        nextCheck = deadline
        return deadline
    }
}
