import StartSmallTesting
import Testing

@testable import StartSmall

@Suite(.timeLimit(.minutes(1))) struct AlarmsTests {
    private let clock = ManualClock()

    private func time(_ seconds: Int) -> Duration {
        .seconds(seconds)
    }

    @Test("each alarm rings once, at its time, in the order of the times")
    func order() async {
        let alarms = Alarms(clock: clock)
        let rung = Recorder<Int>()
        for seconds in [3, 1, 2] { _ = alarms.set(at: time(seconds)) { rung.append(seconds) } }
        let all = Gate()
        _ = alarms.set(at: time(4)) { all.open() }
        await clock.sleepers(1)
        clock.advance(by: .seconds(4))
        await all.wait()
        #expect(rung.elements == [1, 2, 3])
    }

    @Test("however many alarms there are, one task sleeps, until the first of them")
    func oneSleeper() async {
        let alarms = Alarms(clock: clock)
        for seconds in [9, 8, 8, 10, 7] { _ = alarms.set(at: time(seconds)) {} }
        while clock.remaining != [.seconds(7)] { await Task.yield() }
    }

    @Test("after the first rang, it sleeps until the next, and then not any more")
    func next() async {
        let alarms = Alarms(clock: clock)
        for seconds in [5, 7] { _ = alarms.set(at: time(seconds)) {} }
        await clock.sleepers(1)
        clock.advance(by: .seconds(5))
        await clock.sleepers(1)
        #expect(clock.remaining == [.seconds(2)])
        clock.advance(by: .seconds(2))
        #expect(clock.sleeperCount == 0)
    }

    @Test("one that was turned off does not ring, and what it held is let go")
    func turnedOff() async {
        final class Held: Sendable {}
        let alarms = Alarms(clock: clock)
        var held: Held? = Held()
        weak let weakly = held
        let rung = Recorder<Int>()
        let id = alarms.set(at: time(1)) { [held] in
            _ = held
            rung.append(1)
        }
        held = nil
        #expect(weakly != nil)
        alarms.turnOff(id)
        #expect(weakly == nil)
        let end = Gate()
        _ = alarms.set(at: time(2)) { end.open() }
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await end.wait()
        #expect(rung.elements == [])
    }

    @Test("alarms set and turned off by many at once all ring but those turned off", arguments: 0..<20)
    func many(_ round: Int) async {
        let alarms = Alarms(clock: clock)
        let rung = Recorder<Int>()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let id = alarms.set(at: time(1 + number * 7 % 13)) { rung.append(number) }
                    if number % 2 == 0 { alarms.turnOff(id) }
                }
            }
        }
        while rung.elements.count < 100 {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
        #expect(rung.elements.sorted() == Array(stride(from: 1, to: 200, by: 2)))
    }
}
