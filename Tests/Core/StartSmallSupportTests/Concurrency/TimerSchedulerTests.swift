import StartSmallTesting
import Synchronization
import Testing

@testable import StartSmallSupport

@Suite(.timeLimit(.minutes(1))) struct TimerSchedulerTests {
    private let clock = ManualClock()

    private func time(_ seconds: Int) -> Duration {
        .seconds(seconds)
    }

    @Test("a cancelled timer does not fire, and its handler is released")
    func turnedOff() async {
        final class Held: Sendable {}
        struct Weak {
            private(set) weak var value: Held?

            init(_ value: Held?) { self.value = value }
        }
        let timers = TimerScheduler(clock: clock)
        var held: Held? = Held()
        // `weak let` needs Swift 6.3.
        let weakly = Weak(held)
        let fired = Recorder<Int>()
        let id = timers.set(at: time(1)) { [held] in
            _ = held
            fired.append(1)
        }
        held = nil
        #expect(weakly.value != nil)
        timers.cancel(id)
        #expect(weakly.value == nil)
        let end = Latch()
        _ = timers.set(at: time(2)) { end.open() }
        await clock.waitForSleepers(count: 1)
        #expect(clock.remaining == [.seconds(2)])
        clock.advance(by: .seconds(2))
        await end.wait()
        #expect(fired.elements == [])
    }

    @Test("with steps, one task sleeps while timers come and go, and ends at the first step without a timer")
    func steps() async {
        let timers = TimerScheduler(clock: clock, step: .seconds(1))
        for _ in 0..<100 { timers.cancel(timers.set(at: time(60)) {}) }
        await clock.waitForSleepers(count: 1)
        #expect(clock.remaining == [.seconds(1)])
        let fired = Latch()
        let id = timers.set(at: time(60)) { fired.open() }
        clock.advance(by: .seconds(1))
        await clock.waitForSleepers(count: 1)
        #expect(clock.remaining == [.seconds(1)])
        timers.cancel(id)
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(1))
        // The end of a task is not observable; a task that has not ended would sleep again at some time.
        for _ in 0..<100 { await Task.yield() }
        #expect(clock.sleeperCount == 0)
        _ = timers.set(at: time(3)) { fired.open() }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(1))
        await fired.wait()
    }

    @Test("with steps, a distant timer fires at its time, and an earlier one that is set later is not late")
    func stepsInTime() async {
        let timers = TimerScheduler(clock: clock, step: .seconds(1))
        let fired = Recorder<Int>()
        let (first, last) = (Latch(), Latch())
        _ = timers.set(at: .milliseconds(2_500)) {
            fired.append(2)
            last.open()
        }
        await clock.waitForSleepers(count: 1)
        _ = timers.set(at: .milliseconds(300)) {
            fired.append(1)
            first.open()
        }
        while clock.remaining != [.milliseconds(300)] { await Task.yield() }
        clock.advance(by: .milliseconds(300))
        await first.wait()
        for step in [1_000, 1_000, 200] {
            while clock.remaining != [.milliseconds(step)] { await Task.yield() }
            clock.advance(by: .milliseconds(step))
        }
        await last.wait()
        #expect(fired.elements == [1, 2])
        #expect(clock.now.offset == .milliseconds(2_500))
    }

    @Test("of timers set and cancelled by many tasks at once, all but the cancelled ones fire", arguments: 0..<20)
    func many(_ round: Int) async {
        let timers = TimerScheduler(clock: clock)
        let fired = Recorder<Int>()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let id = timers.set(at: time(1 + number * 7 % 13)) { fired.append(number) }
                    if number % 2 == 0 { timers.cancel(id) }
                }
            }
        }
        while fired.elements.count < 100 {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
        #expect(fired.elements.sorted() == Array(stride(from: 1, to: 200, by: 2)))
    }
}

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
