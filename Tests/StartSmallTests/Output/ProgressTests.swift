import Testing

@testable import StartSmall

struct ProgressTests {
    @Test("a fraction is of a known whole", arguments: [(5, 10, 0.5), (20, 10, 1), (0, 10, 0)])
    func fraction(_ bytes: Int, _ total: Int, _ expected: Double) {
        #expect(Progress.Count(bytes: bytes, total: total).fraction == expected)
    }

    @Test("no fraction of an unknown or empty whole", arguments: [nil, 0, -1])
    func noFraction(_ total: Int?) {
        #expect(Progress.Count(bytes: 5, total: total).fraction == nil)
    }

    @Test("a progress on one line")
    func description() {
        let progress = Progress(sent: .init(bytes: 1, total: 2), received: .init(bytes: 3))
        #expect("\(progress)" == "sent 1 of 2 bytes, received 3 bytes")
    }
}

struct ProgressMeterTests {
    private let start = SuspendingClock().now

    private func progress(_ bytes: Int) -> StartSmall.Progress {
        Progress(received: .init(bytes: bytes))
    }

    @Test("it tells at most 20 times a second")
    func rate() {
        var meter = ProgressMeter()
        var told: [Int] = []
        for time in 0..<1000 where meter.tells(progress(time + 1), at: start.advanced(by: .milliseconds(time))) {
            told.append(time)
        }
        #expect(told.count == 20)
        #expect(told.first == 0)
    }

    @Test("what was told is not told again")
    func same() {
        var meter = ProgressMeter()
        let first = meter.tells(progress(1), at: start)
        let second = meter.tells(progress(1), at: start.advanced(by: .seconds(1)))
        #expect(first && !second)
    }

    @Test("the last is owed unless it was told, or there is none")
    func last() {
        var meter = ProgressMeter()
        #expect(!meter.owes(Progress()))
        #expect(meter.owes(progress(1)))
        _ = meter.tells(progress(1), at: start)
        #expect(!meter.owes(progress(1)))
        #expect(meter.owes(progress(2)))
    }
}
