/// A queue of timers, ordered by time; no side effects.
///
/// Each operation on a timer costs at most logarithmic amortized time, for any times.
struct TimerQueue<Time: Comparable, Handler> {
    private struct Entry: Comparable {
        let time: Time
        let id: UInt64

        static func < (left: Entry, right: Entry) -> Bool {
            left.time < right.time || left.time == right.time && left.id < right.id
        }
    }

    /// The handlers of the timers that are neither cancelled nor fired.
    ///
    /// A handler is released when its timer is cancelled. The entry of a cancelled timer stays until it is the first
    /// one, or until there are too many such entries.
    private var handlers: [UInt64: Handler] = [:]
    private var entries = Heap<Entry>()
    private var lastID: UInt64 = 0

    /// The number of entries of cancelled timers that are kept, in addition to one for each active timer.
    ///
    /// The number is 32, since a few entries do not matter. Removal takes linear time, and removes at least half of the
    /// entries.
    private static var maximumCancelledEntries: Int { 32 }

    /// Adds a timer and returns its ID.
    mutating func set(at time: Time, _ handler: Handler) -> UInt64 {
        lastID &+= 1
        handlers[lastID] = handler
        entries.insert(Entry(time: time, id: lastID))
        return lastID
    }

    /// Removes a timer, if it has not fired yet.
    mutating func cancel(_ id: UInt64) {
        guard handlers.removeValue(forKey: id) != nil, entries.count > 2 * handlers.count + Self.maximumCancelledEntries
        else { return }
        entries.removeAll { [handlers] in handlers[$0.id] == nil }
    }

    var isEmpty: Bool { handlers.isEmpty }

    /// Removes the timers that are due, and returns their handlers.
    ///
    /// The handlers are in order of time, and for equal times, in order of insertion.
    mutating func due(at now: Time) -> [Handler] {
        var due: [Handler] = []
        while let first = entries.first, first.time <= now || handlers[first.id] == nil {
            _ = entries.removeFirst()
            if let handler = handlers.removeValue(forKey: first.id) { due.append(handler) }
        }
        return due
    }

    /// The time of the next timer; can be that of a cancelled one until ``due(at:)`` is called.
    var next: Time? { entries.first?.time }
}
