import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The running calls of a connector by the numbers of their tasks: who waits for each, and when each has waited enough.
struct URLSessionCalls: Sendable {
    /// What comes of a task.
    enum Answer: Sendable {
        /// A part for the receiver; more is to come.
        case part(PayloadConsumer.Part)

        /// The head of a response that is not given in parts; more is to come.
        case head(Response)

        /// How far the call is, for those who listen; more is to come.
        case progress(TransferProgress)

        /// The end, with what is left to tell those who listen.
        case output(Output, told: [Event] = [])

        /// A connection that was used again turned out closed, and the payload can't be sent again by the same task.
        case again
    }

    typealias Continuation = CheckedContinuation<Answer, Never>

    /// What is left to do outside of the lock.
    struct PendingAction: Sendable {
        /// Who waits for what.
        var answering: (Continuation, Answer)?

        /// The task and what it is to do, if anything.
        var order: (URLSessionTask, TaskCommand)?

        /// Whether there will be a progress to tell in a while, though nothing may happen until then.
        var tellsLater = false

        /// Whether nothing comes after it.
        fileprivate var isLast: Bool {
            switch answering?.1 {
            case .output, .again: true
            case .part, .head, .progress, nil: false
            }
        }
    }

    /// What a task can be told.
    enum TaskCommand: Sendable { case suspend, resume, cancel }

    private struct Call: Sendable {
        let task: URLSessionTask
        var exchange: URLSessionExchange
        var continuation: Continuation?
        var end: Answer?
        let hasListeners: Bool
        var isPaused = false
        var tellsLater = false

        /// When the call ends if nothing happens until then; nil if it may wait, or has ended already.
        var deadline: SuspendingClock.Instant? { end == nil ? exchange.deadline : nil }

        mutating func wait(_ continuation: Continuation) -> PendingAction {
            self.continuation = continuation
            return errand()
        }

        mutating func change(stopping: Bool, _ change: (inout URLSessionExchange) -> Answer?) -> PendingAction? {
            guard end == nil else { return nil }
            end = change(&exchange)
            return errand(stopping: stopping)
        }

        /// It is time to tell what was left for later.
        mutating func tell() -> PendingAction {
            tellsLater = false
            return errand()
        }

        /// What comes next, if it is there.
        private mutating func next() -> Answer? {
            let now = SuspendingClock.now
            if let head = exchange.takeHead() { return .head(head) }
            if let part = exchange.takePart(at: now) { return .part(part) }
            guard case .output(let output, _) = end else {
                return end ?? (hasListeners ? exchange.takeProgress(at: now).map(Answer.progress) : nil)
            }
            return .output(output, told: hasListeners ? exchange.told(isWhole: output.response != nil, at: now) : [])
        }

        /// Gives what has come to who waits for it, and keeps the task to the pace of the receiver.
        private mutating func errand(stopping: Bool = false) -> PendingAction {
            var errand = PendingAction()
            if let waiting = continuation, let answer = next() {
                continuation = nil
                errand.answering = (waiting, answer)
            }
            if hasListeners, end == nil, !tellsLater, exchange.owesProgress {
                (tellsLater, errand.tellsLater) = (true, true)
            }
            if end != nil {
                if stopping { errand.order = (task, .cancel) }
            } else if URLSessionTask.canPause, exchange.isFull != isPaused {
                isPaused.toggle()
                errand.order = (task, isPaused ? .suspend : .resume)
            }
            return errand
        }
    }

    private var calls: [Int: Call] = [:]
    private var nextSweep: SuspendingClock.Instant?

    /// A task is about to be run, for a call to which somebody listens or nobody does.
    mutating func begin(_ task: URLSessionTask, _ exchange: URLSessionExchange, hasListeners: Bool) {
        calls[task.taskIdentifier] = Call(task: task, exchange: exchange, hasListeners: hasListeners)
    }

    /// Someone waits for what comes next of a task.
    mutating func wait(for id: Int, _ continuation: Continuation) -> PendingAction {
        let errand =
            calls[id]?.wait(continuation) ?? PendingAction(answering: (continuation, .output(.noResponse(.cancelled))))
        if errand.isLast { calls[id] = nil }
        return errand
    }

    /// Changes what is known of a call; it ends where `change` gives an answer, and only once.
    mutating func change(
        _ id: Int,
        stopping: Bool,
        _ change: (inout URLSessionExchange) -> Answer?
    ) -> PendingAction? {
        // In place: a copy of the call would have its payload copied with every part that arrives.
        let errand = calls[id]?.change(stopping: stopping, change)
        if let errand, errand.isLast { calls[id] = nil }
        return errand
    }

    /// A while has passed since there was a progress to tell.
    mutating func tell(_ id: Int) -> PendingAction? {
        calls[id]?.tell()
    }

    /// Nobody wants anything of a task any more; it is given if it still runs.
    mutating func abandon(_ id: Int) -> URLSessionTask? {
        let call = calls.removeValue(forKey: id)
        return call?.end == nil ? call?.task : nil
    }

    /// The calls whose deadline is over.
    func overdue(at now: SuspendingClock.Instant) -> [Int] {
        calls.filter { _, call in call.deadline.map { $0 <= now } ?? false }.map(\.key)
    }

    /// When to look for overdue calls next, because of one that has begun, or goes on after its
    /// receiver took its time; nil if that is soon enough arranged.
    mutating func arrangeSweep(for id: Int) -> SuspendingClock.Instant? {
        arrangeSweep(by: calls[id]?.deadline)
    }

    /// When to look for overdue calls next, after having looked; nil if there is none, or it is arranged.
    ///
    /// One look at the earliest deadline is enough for all calls: who has given a sign since has a later one by then.
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
    /// Whether a task can be told to wait: on Linux, one that runs ends the process then (`NativeProtocol.swift`, 6.3.1).
    fileprivate static var canPause: Bool {
        #if os(Linux) && !APPLE_BRANCH
            false
        #else
            true
        #endif
    }
}
