import StartSmallTesting
import Testing

@testable import StartSmall

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
