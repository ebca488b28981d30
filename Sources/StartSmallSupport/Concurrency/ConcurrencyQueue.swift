/// A first-come, first-served queue with a concurrency limit; it decides only, and has no side effects.
public struct ConcurrencyQueue<Waiter> {
    /// The decision on a call that arrives.
    public enum Decision: Hashable, Sendable {
        case admit

        /// The call waits, with this number, behind that many others.
        case wait(UInt64, behind: Int)

        case refuse
    }

    @usableFromInline var running = 0
    @usableFromInline let limit: Int
    @usableFromInline let maxWaiting: Int?
    @usableFromInline var waiting: [UInt64: Waiter] = [:]
    @usableFromInline var oldest: UInt64 = 0
    @usableFromInline var next: UInt64 = 0

    /// Creates a queue.
    ///
    /// - Parameter maxWaiting: the maximum number of waiting calls; nil for no maximum.
    @inlinable
    public init(limit: Int, maxWaiting: Int?) {
        (self.limit, self.maxWaiting) = (max(0, limit), limit < 1 ? 0 : maxWaiting)
    }

    var count: Int { waiting.count }

    /// Starts a call if fewer calls run than the limit allows, and returns whether it did.
    @inlinable
    mutating func tryAcquire() -> Bool {
        guard running < limit else { return false }
        running += 1
        return true
    }

    /// Adds a call, and stores its waiter if the call has to wait.
    @inlinable
    public mutating func acquire(_ waiter: @autoclosure () -> Waiter) -> Decision {
        if tryAcquire() { return .admit }
        if let maxWaiting, waiting.count >= maxWaiting { return .refuse }
        defer { next &+= 1 }
        let ahead = waiting.count
        waiting[next] = waiter()
        return .wait(next, behind: ahead)
    }

    /// Removes a waiter, which then never gets a permit.
    @inlinable
    public mutating func remove(_ number: UInt64) {
        waiting[number] = nil
    }

    /// Ends a running call, and returns the next waiter, which takes over the permit.
    @inlinable
    public mutating func release() -> Waiter? {
        while !waiting.isEmpty {
            defer { oldest &+= 1 }
            if let waiter = waiting.removeValue(forKey: oldest) { return waiter }
        }
        oldest = next
        running -= 1
        return nil
    }
}

extension ConcurrencyQueue: Sendable where Waiter: Sendable {}
