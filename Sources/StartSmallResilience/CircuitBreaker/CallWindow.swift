/// The calls and failures of the last time, by tenths of it.
struct CallWindow: Hashable, Sendable {
    private struct Slot: Hashable, Sendable {
        var calls = 0
        var failures = 0
    }

    private let slotLength: Duration
    private var slots = [Slot](repeating: Slot(), count: slotCount)
    private var newest: Int64 = 0

    /// The number of calls in the window.
    private(set) var calls = 0

    /// The number of failures in the window.
    private(set) var failures = 0

    /// The number of slots: a call counts for nine to ten tenths of the window.
    private static let slotCount = 10

    /// The shortest slot, so that no division is by zero.
    private static let shortestSlot: Duration = .milliseconds(1)

    init(length: Duration) {
        slotLength = max(length.bounded / Self.slotCount, Self.shortestSlot)
    }

    /// Adds a call; the times of all calls must not go back.
    mutating func add(isFailure: Bool, at now: Duration) {
        discard(before: number(of: now))
        let slot = Int(newest % Int64(Self.slotCount))
        slots[slot].calls += 1
        calls += 1
        if isFailure {
            slots[slot].failures += 1
            failures += 1
        }
    }

    /// Removes all calls.
    mutating func removeAll() {
        if calls > 0 { slots = Array(repeating: Slot(), count: Self.slotCount) }
        (calls, failures) = (0, 0)
    }

    /// The time for which a call counts.
    var length: Duration { slotLength * Self.slotCount }

    private func number(of time: Duration) -> Int64 { Int64(time / slotLength) }

    private mutating func discard(before number: Int64) {
        let current = max(newest, number)
        for passed in 0..<min(current - newest, Int64(Self.slotCount)) {
            let slot = Int((current - passed) % Int64(Self.slotCount))
            calls -= slots[slot].calls
            failures -= slots[slot].failures
            slots[slot] = Slot()
        }
        newest = current
    }
}
