import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The running calls of a connector by the identifiers of their tasks, with their continuations and deadlines.
struct URLSessionCalls: Sendable {
    /// An event of a task for its call.
    indirect enum TaskEvent: Sendable {
        /// A part of the response; more events follow.
        case part(URLSessionParts.Part)

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
        /// A continuation and the event to resume it with.
        var resumption: (Continuation, TaskEvent)?

        /// The task and the command for it, if any.
        var command: (URLSessionTask, TaskCommand)?

        /// Whether progress has to be reported after the interval, even if nothing happens until then.
        var reportsLater = false

        /// Whether the event ends the call.
        fileprivate var isLast: Bool {
            switch resumption?.1 {
            case .output, .again: true
            case .part, .progress, nil: false
            }
        }
    }

    /// A command for a task.
    enum TaskCommand: Sendable { case suspend, resume, cancel }

    private struct Call: Sendable {
        let task: URLSessionTask
        var exchange: URLSessionExchange
        var continuation: Continuation?
        var end: TaskEvent?
        let hasListeners: Bool
        var isPaused = false
        var reportsLater = false

        /// The time at which the call times out if nothing happens; nil if it may wait, or has ended already.
        var deadline: SuspendingClock.Instant? { end == nil ? exchange.deadline : nil }

        mutating func wait(_ continuation: Continuation) -> PendingAction {
            self.continuation = continuation
            return action()
        }

        mutating func change(stopping: Bool, _ change: (inout URLSessionExchange) -> TaskEvent?) -> PendingAction? {
            guard end == nil else { return nil }
            end = change(&exchange)
            return action(stopping: stopping)
        }

        /// Reports the progress that was deferred.
        mutating func reportDeferredProgress() -> PendingAction {
            reportsLater = false
            return action()
        }

        /// Returns the next event, if there is one.
        // Not inlined, as `action` is not: each kind of change would have its own copy.
        @inline(never) private mutating func next() -> TaskEvent? {
            let now = SuspendingClock.now
            if let part = exchange.takePart(at: now) { return .part(part) }
            guard case .output(let output, _) = end else {
                return end ?? (hasListeners ? exchange.takeProgress(at: now).map(TaskEvent.progress) : nil)
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
            if hasListeners, end == nil, !reportsLater, exchange.hasUnreportedProgress {
                (reportsLater, action.reportsLater) = (true, true)
            }
            if end != nil {
                if stopping { action.command = (task, .cancel) }
            } else if URLSessionTask.canPause, exchange.isFull != isPaused {
                isPaused.toggle()
                action.command = (task, isPaused ? .suspend : .resume)
            }
            return action
        }
    }

    private var calls: [Int: Call] = [:]
    private var nextSweep: SuspendingClock.Instant?

    /// Adds a call for a task that is about to run.
    ///
    /// - Parameters:
    ///   - task: the task.
    ///   - exchange: the state of the call.
    ///   - hasListeners: whether a listener observes the call.
    mutating func begin(_ task: URLSessionTask, _ exchange: URLSessionExchange, hasListeners: Bool) {
        calls[task.taskIdentifier] = Call(task: task, exchange: exchange, hasListeners: hasListeners)
    }

    /// Waits for the next event of a task.
    mutating func wait(for id: Int, _ continuation: Continuation) -> PendingAction {
        let action =
            calls[id]?.wait(continuation) ?? PendingAction(resumption: (continuation, .output(.noResponse(.cancelled))))
        if action.isLast { calls[id] = nil }
        return action
    }

    /// Changes the state of a call; the call ends if `change` returns an event, and only once.
    ///
    /// - Parameters:
    ///   - id: the identifier of the task.
    ///   - stopping: whether the task is cancelled if the call ends.
    ///   - change: changes the state, and returns the event that ends the call, or nil.
    /// - Returns: The actions to do outside of the lock; nil if the call is over.
    mutating func change(
        _ id: Int,
        stopping: Bool,
        _ change: (inout URLSessionExchange) -> TaskEvent?
    ) -> PendingAction? {
        // The call is changed in place: a copy of the call would copy its payload with every part that arrives.
        let action = calls[id]?.change(stopping: stopping, change)
        if let action, action.isLast { calls[id] = nil }
        return action
    }

    /// Reports deferred progress after the interval.
    mutating func reportDeferredProgress(_ id: Int) -> PendingAction? {
        calls[id]?.reportDeferredProgress()
    }

    /// Removes a call whose outcome is not needed any more; returns its task if it still runs.
    mutating func abandon(_ id: Int) -> URLSessionTask? {
        let call = calls.removeValue(forKey: id)
        return call?.end == nil ? call?.task : nil
    }

    /// Returns the calls whose deadline is over.
    func overdue(at now: SuspendingClock.Instant) -> [Int] {
        calls.filter { _, call in call.deadline.map { $0 <= now } ?? false }.map(\.key)
    }

    /// Returns the time of the next check for overdue calls, for a call that begins, or goes on after its reader.
    ///
    /// - Returns: Nil if the next check is early enough.
    mutating func arrangeSweep(for id: Int) -> SuspendingClock.Instant? {
        arrangeSweep(by: calls[id]?.deadline)
    }

    /// Returns the time of the next check after a check; nil if there is no call to check, or the check is scheduled.
    ///
    /// One check at the earliest deadline is enough for all calls: a call that made progress meanwhile has a later
    /// deadline.
    mutating func arrangeSweep(after swept: SuspendingClock.Instant) -> SuspendingClock.Instant? {
        if let next = nextSweep, next <= swept { nextSweep = nil }
        return arrangeSweep(by: calls.values.compactMap(\.deadline).min())
    }

    private mutating func arrangeSweep(by deadline: SuspendingClock.Instant?) -> SuspendingClock.Instant? {
        guard let deadline else { return nil }
        if let next = nextSweep, next <= deadline { return nil }
        nextSweep = deadline
        return deadline
    }
}

extension URLSessionTask {
    /// Whether a task can be suspended.
    ///
    /// On Linux, suspending a running task ends the process (`NativeProtocol.swift`, 6.3.1).
    fileprivate static var canPause: Bool {
        #if os(Linux) && !APPLE_BRANCH
            false
        #else
            true
        #endif
    }
}
