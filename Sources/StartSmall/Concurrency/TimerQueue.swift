/// Says which alarm is the next, and which have come; does nothing itself.
///
/// Whatever becomes of an alarm costs logarithmic time at most, seen over all of them, whatever their times are.
struct TimerQueue<Time: Comparable, Handler> {
    private struct Entry: Comparable {
        let time: Time
        let id: UInt64

        static func < (left: Entry, right: Entry) -> Bool {
            left.time < right.time || left.time == right.time && left.id < right.id
        }
    }

    /// What an alarm holds is let go as soon as it is turned off; its entry stays until it comes first, or until too many
    /// such entries are there.
    private var handlers: [UInt64: Handler] = [:]
    private var entries = Heap<Entry>()
    private var lastID: UInt64 = 0

    /// How many such entries are left alone, beside one for each alarm that still rings.
    ///
    /// 32, since a few don't matter. Cleaning up takes time by the number of entries, and at least half of them go.
    private static var maximumCancelledEntries: Int { 32 }

    /// Adds an alarm, and gives its number.
    mutating func set(at time: Time, _ handler: Handler) -> UInt64 {
        lastID &+= 1
        handlers[lastID] = handler
        entries.insert(Entry(time: time, id: lastID))
        return lastID
    }

    /// Takes an alarm out, if it has not come yet.
    mutating func cancel(_ id: UInt64) {
        guard handlers.removeValue(forKey: id) != nil, entries.count > 2 * handlers.count + Self.maximumCancelledEntries
        else { return }
        entries.removeAll { [handlers] in handlers[$0.id] == nil }
    }

    /// Whether no alarm is left that could ring.
    var isEmpty: Bool { handlers.isEmpty }

    /// Takes out the alarms whose time has come, in the order of their times, and of one time in which they were set.
    mutating func due(at now: Time) -> [Handler] {
        var due: [Handler] = []
        while let first = entries.first, first.time <= now || handlers[first.id] == nil {
            _ = entries.removeFirst()
            if let handler = handlers.removeValue(forKey: first.id) { due.append(handler) }
        }
        return due
    }

    /// When the next alarm rings, or, until ``due(at:)`` is asked, would have rung if it were not turned off.
    var next: Time? { entries.first?.time }
}
