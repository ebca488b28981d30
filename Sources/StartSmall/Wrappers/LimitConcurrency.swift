public import StartSmallCore
import StartSmallSupport

extension Wrapper {
    /// Limits the number of calls that run at once; further calls wait, first come, first served.
    ///
    /// A call that is cancelled while it waits gives up its place in the queue. A running call keeps its permit until
    /// the inner connector has returned, and an open ``Response/body`` has ended, so the limit is never exceeded.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of concurrent calls; with less than 1, every call is refused.
    ///   - waiting: the maximum number of waiting calls; nil for no maximum.
    /// - Passes through: calls that start while fewer than `limit` calls run.
    /// - Order: outside of a time limit that should not include the waiting, inside of one that should. Inside of
    ///   `.retry`, so that a call that waits for its next attempt holds no permit. Inside of `.refreshToken`: outside,
    ///   the calls that wait for a refresh hold their permits, and a refresh that needs a permit, because it calls
    ///   through the app's own connector instead of the connector passed to it, waits forever.
    /// - Events: ``Event/waiting(behind:)`` if the call has to wait.
    /// - Errors: ``ConnectionError/tooManyCalls(limit:waiting:)`` if the maximum number of calls already waits.
    /// - State: the running and the waiting calls, created once per wrap: all calls through the wrapped connector share
    ///   it.
    public static func limitConcurrency(_ limit: Int, waiting: Int? = nil) -> Wrapper {
        Wrapper("limitConcurrency") { connector in
            let semaphore = Semaphore(ConcurrencyQueue(limit: limit, maxWaiting: waiting.map { max(0, $0) }))
            return connector.wrapped(
                by: Wrapper { input, next in
                    if next.context.isDryRun { return await next(input) }
                    switch semaphore.acquire() {
                    case .wait(let number, let behind, let permit):
                        next.report(.waiting(behind: behind))
                        guard await permit.value() != nil else {
                            semaphore.remove(number)
                            return .noResponse(.cancelled)
                        }
                    case .refuse: return .noResponse(.tooManyCalls(limit: limit, waiting: waiting ?? 0))
                    case .admit: break
                    }
                    return await next(input).onEnd { _ in semaphore.release() }
                }
            )
        }
    }
}

/// A semaphore for the calls of one wrapped connector, which executes the decisions of ``ConcurrencyQueue``.
private struct Semaphore: Sendable {
    enum Decision {
        case admit
        case wait(UInt64, behind: Int, Promise<Void>)
        case refuse
    }

    private let queue: Locked<ConcurrencyQueue<Promise<Void>>>

    init(_ queue: ConcurrencyQueue<Promise<Void>>) {
        self.queue = Locked(queue)
    }

    func acquire() -> Decision {
        queue.withLock { queue in
            // Created only for a call that has to wait.
            lazy var permit = Promise<Void>()
            return switch queue.acquire(permit) {
            case .admit: .admit
            case .wait(let number, let behind): .wait(number, behind: behind, permit)
            case .refuse: .refuse
            }
        }
    }

    func remove(_ number: UInt64) {
        queue.withLock { $0.remove(number) }
    }

    /// Passes the permit on to the next call that still waits for it.
    func release() {
        while let waiter = queue.withLock({ $0.release() }), !waiter.fulfill(()) {}
    }
}

/// A first-come, first-served queue with a concurrency limit; it decides only, and has no side effects.
struct ConcurrencyQueue<Waiter: Sendable>: Sendable {
    /// The decision on a call that arrives.
    enum Decision: Equatable {
        case admit

        /// The call waits, with this number, behind that many others.
        case wait(UInt64, behind: Int)

        case refuse
    }

    private(set) var running = 0
    private let limit: Int
    private let maxWaiting: Int?
    private var waiting: [UInt64: Waiter] = [:]
    private var oldest: UInt64 = 0
    private var next: UInt64 = 0

    /// Creates a queue.
    init(limit: Int, maxWaiting: Int?) {
        (self.limit, self.maxWaiting) = (max(0, limit), limit < 1 ? 0 : maxWaiting)
    }

    var count: Int { waiting.count }

    /// Adds a call, and stores its waiter if the call has to wait.
    mutating func acquire(_ waiter: @autoclosure () -> Waiter) -> Decision {
        if running < limit {
            running += 1
            return .admit
        }
        if let maxWaiting, waiting.count >= maxWaiting { return .refuse }
        defer { next &+= 1 }
        let ahead = waiting.count
        waiting[next] = waiter()
        return .wait(next, behind: ahead)
    }

    /// Removes a waiter, which then never gets a permit.
    mutating func remove(_ number: UInt64) {
        waiting[number] = nil
    }

    /// Ends a running call, and returns the next waiter, which takes over the permit.
    mutating func release() -> Waiter? {
        while !waiting.isEmpty {
            defer { oldest &+= 1 }
            if let waiter = waiting.removeValue(forKey: oldest) { return waiter }
        }
        oldest = next
        running -= 1
        return nil
    }
}
