/// Says who may go on and who waits, first come, first served; does nothing itself.
struct TurnQueue<Waiter> {
    /// What one who comes is to do.
    enum Decision: Hashable, Sendable {
        /// Go on at once.
        case go

        /// Wait, with this number; that many others come first.
        case wait(UInt64, behind: Int)

        /// Go away.
        case refuse
    }

    /// How many have gone on and have not ended.
    private(set) var running = 0

    private let limit: Int
    private let room: Int?
    private var waiting: [UInt64: Waiter] = [:]
    private var oldest: UInt64 = 0
    private var next: UInt64 = 0

    /// A queue for at most `limit` at once and `room` waiting; nil for as many as come.
    init(limit: Int, room: Int?) {
        (self.limit, self.room) = (max(0, limit), limit < 1 ? 0 : room)
    }

    /// How many wait.
    var count: Int { waiting.count }

    /// Somebody comes, and is kept if he has to wait.
    mutating func come(_ waiter: @autoclosure () -> Waiter) -> Decision {
        if running < limit {
            running += 1
            return .go
        }
        if let room, waiting.count >= room { return .refuse }
        defer { next &+= 1 }
        let ahead = waiting.count
        waiting[next] = waiter()
        return .wait(next, behind: ahead)
    }

    /// Somebody does not wait any longer.
    mutating func leave(_ number: UInt64) {
        waiting[number] = nil
    }

    /// Somebody who had gone on has ended; whoever comes back takes his place.
    mutating func end() -> Waiter? {
        while !waiting.isEmpty {
            defer { oldest &+= 1 }
            if let waiter = waiting.removeValue(forKey: oldest) { return waiter }
        }
        oldest = next
        running -= 1
        return nil
    }
}

extension TurnQueue: Sendable where Waiter: Sendable {}
