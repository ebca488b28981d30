import Testing

@testable import StartSmall

struct ProgressMeterTests {
    private func progress(_ bytes: Int) -> StartSmall.TransferProgress {
        TransferProgress(received: .init(bytes: Int64(bytes)))
    }

    @Test("progress is reported at most 20 times a second")
    func rate() {
        var meter = ProgressMeter(from: .seconds(7))
        var reported: [Int] = []
        for time in 1...1000 where meter.isDue(progress(time), at: .seconds(7) + .milliseconds(time)) {
            reported.append(time)
        }
        #expect(reported == Array(stride(from: 50, through: 1000, by: 50)))
    }

    @Test("unchanged progress is not reported again")
    func same() {
        var meter = ProgressMeter(from: .zero)
        let (first, second) = (meter.isDue(progress(1), at: .seconds(1)), meter.isDue(progress(1), at: .seconds(2)))
        #expect(first && !second)
    }

    @Test("the last progress is owed unless it was reported, or no byte was transferred")
    func last() {
        var meter = ProgressMeter(from: .zero)
        #expect(!meter.hasUnreported(TransferProgress(sent: .init(bytes: 0, total: 5))))
        #expect(meter.hasUnreported(progress(1)))
        _ = meter.isDue(progress(1), at: .seconds(1))
        #expect(!meter.hasUnreported(progress(1)))
        #expect(meter.hasUnreported(progress(2)))
    }

    @Test("a new status alone is not reported")
    func status() {
        var meter = ProgressMeter(from: .zero)
        _ = meter.isDue(progress(1), at: .seconds(1))
        #expect(!meter.hasUnreported(TransferProgress(status: .ok, received: .init(bytes: 1))))
    }

    @Test("counts of any size do not overflow")
    func large() {
        let meter = ProgressMeter(from: .zero)
        #expect(meter.hasUnreported(TransferProgress(sent: .init(bytes: .max), received: .init(bytes: .max))))
    }
}
