import Synchronization
import Testing

@testable import StartSmall

struct TimerQueueTests {
    private var queue = TimerQueue<Int, String>()

    @Test("alarms come in the order of their times, and of one time in that in which they were set")
    mutating func order() {
        for (time, ring) in [(2, "b"), (1, "a"), (2, "c"), (3, "d")] { _ = queue.set(at: time, ring) }
        #expect(queue.next == 1)
        #expect(queue.due(at: 2) == ["a", "b", "c"])
        #expect(queue.next == 3)
        #expect(queue.due(at: 2) == [])
    }

    @Test("one that was turned off does not come, and is not slept for")
    mutating func turnedOff() {
        let first = queue.set(at: 1, "a")
        _ = queue.set(at: 2, "b")
        queue.cancel(first)
        queue.cancel(first)
        #expect(queue.due(at: 0) == [])
        #expect(queue.next == 2)
        #expect(queue.due(at: 5) == ["b"])
        #expect(queue.next == nil)
    }

    @Test("one that has come can be turned off, and the others stay")
    mutating func turnedOffLate() {
        let first = queue.set(at: 1, "a")
        _ = queue.set(at: 2, "b")
        _ = queue.due(at: 1)
        queue.cancel(first)
        #expect(queue.due(at: 2) == ["b"])
    }

    // Work is counted in comparisons, of which a search among all alarms for each of them would take 50,000,000.

    private static let count = 10_000

    /// A few for each of the fourteen levels of a heap of 10,000.
    private static let most = 10 * 14 * count

    private static let orders: [[Int]] = [
        Array(0..<count), (0..<count).reversed(), (0..<count).map { $0 * 7_919 % count },
        Array(repeating: 0, count: count),
    ]

    @Test("10,000 alarms that each come at a time of their own cost n log n", arguments: orders)
    func work(_ times: [Int]) {
        let work = Work()
        var queue = TimerQueue<Counted, Int>()
        for time in times { _ = queue.set(at: work.counted(time), time) }
        var rung: [Int] = []
        for now in 0..<Self.count { rung += queue.due(at: work.counted(now)) }
        let isSorted = rung == times.sorted()
        #expect(isSorted)
        #expect(work.comparisons < Self.most)
    }

    @Test("10,000 alarms that are turned off cost n log n, however many there are at once", arguments: [1, 100, count])
    func workOfTurningOff(_ atOnce: Int) {
        let work = Work()
        var queue = TimerQueue<Counted, Int>()
        for start in stride(from: 0, to: Self.count, by: atOnce) {
            let ids = (0..<atOnce).map { queue.set(at: work.counted((start + $0) * 7_919 % Self.count), $0) }
            for id in ids { queue.cancel(id) }
        }
        #expect(queue.due(at: work.counted(Self.count)) == [])
        #expect(work.comparisons < Self.most)
    }
}

/// Counts how often the times that it made were compared.
private final class Work: Sendable {
    private let count = Atomic(0)

    var comparisons: Int { count.load(ordering: .relaxed) }

    func counted(_ time: Int) -> Counted { Counted(time: time, work: self) }

    fileprivate func compare() { count.add(1, ordering: .relaxed) }
}

private struct Counted: Comparable {
    let time: Int
    let work: Work

    static func == (left: Counted, right: Counted) -> Bool { left.time == right.time }

    static func < (left: Counted, right: Counted) -> Bool {
        left.work.compare()
        return left.time < right.time
    }
}
