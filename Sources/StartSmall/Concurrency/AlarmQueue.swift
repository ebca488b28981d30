/// Says which alarm is the next, and which have come; does nothing itself.
///
/// Whatever becomes of an alarm costs logarithmic time at most, seen over all of them, whatever their times are.
struct AlarmQueue<Time: Comparable, Ring> {
    private struct Entry: Comparable {
        let time: Time
        let id: UInt64

        static func < (left: Entry, right: Entry) -> Bool {
            left.time < right.time || left.time == right.time && left.id < right.id
        }
    }

    /// What an alarm holds is let go as soon as it is turned off; its entry stays until it comes first, or until too many
    /// such entries are there.
    private var rings: [UInt64: Ring] = [:]
    private var entries = Heap<Entry>()
    private var lastID: UInt64 = 0

    /// How many such entries are left alone, beside one for each alarm that still rings.
    ///
    /// 32, since a few don't matter. Cleaning up takes time by the number of entries, and at least half of them go.
    private static var tolerated: Int { 32 }

    /// Adds an alarm, and gives its number.
    mutating func set(at time: Time, _ ring: Ring) -> UInt64 {
        lastID &+= 1
        rings[lastID] = ring
        entries.insert(Entry(time: time, id: lastID))
        return lastID
    }

    /// Takes an alarm out, if it has not come yet.
    mutating func turnOff(_ id: UInt64) {
        guard rings.removeValue(forKey: id) != nil, entries.count > 2 * rings.count + Self.tolerated else { return }
        entries.removeAll { [rings] in rings[$0.id] == nil }
    }

    /// Whether no alarm is left that could ring.
    var isEmpty: Bool { rings.isEmpty }

    /// Takes out the alarms whose time has come, in the order of their times, and of one time in which they were set.
    mutating func due(at now: Time) -> [Ring] {
        var due: [Ring] = []
        while let first = entries.first, first.time <= now || rings[first.id] == nil {
            _ = entries.removeFirst()
            if let ring = rings.removeValue(forKey: first.id) { due.append(ring) }
        }
        return due
    }

    /// When the next alarm rings, or, until ``due(at:)`` is asked, would have rung if it were not turned off.
    var next: Time? { entries.first?.time }
}
