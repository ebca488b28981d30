import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The running calls of a connector by the numbers of their tasks: who waits for each, and when each has waited enough.
struct URLSessionCalls: Sendable {
    /// How a task ends.
    enum Answer: Sendable {
        case output(Output)

        /// A connection that was used again turned out closed, and the payload can't be sent again by the same task.
        case again
    }

    typealias Continuation = CheckedContinuation<Answer, Never>

    /// A call that has just ended, and what is left to do outside of the lock.
    struct Ended: Sendable {
        let task: URLSessionTask
        let answer: Answer
        let continuation: Continuation?
    }

    private struct Call: Sendable {
        let task: URLSessionTask
        var exchange: URLSessionExchange
        var continuation: Continuation?
        var answer: Answer?

        mutating func change(_ change: (inout URLSessionExchange) -> Answer?) -> Ended? {
            guard answer == nil, let new = change(&exchange) else { return nil }
            answer = new
            return Ended(task: task, answer: new, continuation: continuation)
        }
    }

    private var calls: [Int: Call] = [:]
    private var nextSweep: SuspendingClock.Instant?

    /// A task is about to be run.
    mutating func begin(_ task: URLSessionTask, _ exchange: URLSessionExchange) {
        calls[task.taskIdentifier] = Call(task: task, exchange: exchange)
    }

    /// Someone waits for a task; its answer if it was ended before.
    mutating func wait(for id: Int, _ continuation: Continuation) -> Answer? {
        guard let answer = calls[id]?.answer else {
            calls[id]?.continuation = continuation
            return nil
        }
        calls[id] = nil
        return answer
    }

    /// Changes what is known of a call; it ends where `change` gives an answer, and only once.
    mutating func change(_ id: Int, _ change: (inout URLSessionExchange) -> Answer?) -> Ended? {
        // In place: a copy of the call would have its payload copied with every part that arrives.
        guard let ended = calls[id]?.change(change) else { return nil }
        if ended.continuation != nil { calls[id] = nil }
        return ended
    }

    /// The calls whose deadline is over.
    func overdue(at now: SuspendingClock.Instant) -> [Int] {
        calls.filter { _, call in call.exchange.deadline.map { $0 <= now } ?? false }.map(\.key)
    }

    /// When to look for overdue calls next, because of one that has begun; nil if that is soon enough arranged.
    mutating func arrangeSweep(for id: Int) -> SuspendingClock.Instant? {
        arrangeSweep(by: calls[id]?.exchange.deadline)
    }

    /// When to look for overdue calls next, after having looked; nil if there is none, or it is arranged.
    ///
    /// One look at the earliest deadline is enough for all calls: who has given a sign since has a later one by then.
    mutating func arrangeSweep(after swept: SuspendingClock.Instant) -> SuspendingClock.Instant? {
        if let next = nextSweep, next <= swept { nextSweep = nil }
        return arrangeSweep(by: calls.values.compactMap(\.exchange.deadline).min())
    }

    private mutating func arrangeSweep(by deadline: SuspendingClock.Instant?) -> SuspendingClock.Instant? {
        guard let deadline else { return nil }
        if let next = nextSweep, next <= deadline { return nil }
        nextSweep = deadline
        return deadline
    }
}
