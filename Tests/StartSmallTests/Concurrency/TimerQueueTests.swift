import Synchronization
import Testing

@testable import StartSmall

struct TimerQueueTests {
    private var queue = TimerQueue<Int, String>()

    @Test("timers are due in the order of their times, and at equal times in the order they were set")
    mutating func order() {
        for (time, handler) in [(2, "b"), (1, "a"), (2, "c"), (3, "d")] { _ = queue.set(at: time, handler) }
        #expect(queue.next == 1)
        #expect(queue.due(at: 2) == ["a", "b", "c"])
        #expect(queue.next == 3)
        #expect(queue.due(at: 2) == [])
    }

    @Test("a cancelled timer is never due, and does not count for the next time")
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

    // Work is counted in comparisons, of which a search among all timers for each timer would take 50,000,000.

    private static let count = 10_000

    /// The maximum of comparisons: a few for each of the fourteen levels of a heap of 10,000.
    private static let most = 10 * 14 * count

    private static let orders: [[Int]] = [
        Array(0..<count), (0..<count).reversed(), (0..<count).map { $0 * 7_919 % count },
        Array(repeating: 0, count: count),
    ]

    @Test("10,000 timers that become due one after another cost n log n comparisons", arguments: orders)
    func work(_ times: [Int]) {
        let work = Work()
        var queue = TimerQueue<Counted, Int>()
        for time in times { _ = queue.set(at: work.counted(time), time) }
        var fired: [Int] = []
        for now in 0..<Self.count { fired += queue.due(at: work.counted(now)) }
        let isSorted = fired == times.sorted()
        #expect(isSorted)
        #expect(work.comparisons < Self.most)
    }

    @Test("10,000 cancelled timers cost n log n comparisons, with any number at once", arguments: [1, 100, count])
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

/// A counter of the comparisons of the times that it creates.
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
