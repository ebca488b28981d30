import Testing

@testable import StartSmallCore
@testable import StartSmallEngines

struct ProgressMeterTests {
    private func received(_ bytes: Int) -> StartSmallCore.TransferProgress {
        TransferProgress(received: .init(bytes: Int64(bytes)))
    }

    @Test("progress is reported at most 20 times a second")
    func rate() {
        var meter = ProgressMeter(from: .seconds(7))
        var reported: [Int] = []
        for time in 1...1000 where meter.isDue(received(time), at: .seconds(7) + .milliseconds(time)) {
            reported.append(time)
        }
        #expect(reported == Array(stride(from: 50, through: 1000, by: 50)))
    }

    @Test("unchanged progress, or a new status alone, is not reported again")
    func same() {
        var meter = ProgressMeter(from: .zero)
        let (first, second) = (meter.isDue(received(1), at: .seconds(1)), meter.isDue(received(1), at: .seconds(2)))
        #expect(first && !second)
        #expect(!meter.hasUnreported(TransferProgress(status: .ok, received: .init(bytes: 1))))
        #expect(meter.hasUnreported(TransferProgress(sent: .init(bytes: .max), received: .init(bytes: .max))))
    }

    @Test("the last progress is owed unless it was reported, or no byte was transferred")
    func last() {
        var meter = ProgressMeter(from: .zero)
        #expect(!meter.hasUnreported(TransferProgress(sent: .init(bytes: 0, total: 5))))
        #expect(meter.hasUnreported(received(1)))
        _ = meter.isDue(received(1), at: .seconds(1))
        #expect(!meter.hasUnreported(received(1)))
        #expect(meter.hasUnreported(received(2)))
    }

    @Test(
        "a known total has a fraction",
        arguments: [(5, 10, 0.5), (20, 10, 1), (0, 10, 0), (5, nil, nil), (5, 0, nil), (5, -1, nil)]
            as [(Int64, Int64?, Double?)]
    )
    func fraction(_ bytes: Int64, _ total: Int64?, _ expected: Double?) {
        #expect(TransferProgress.Count(bytes: bytes, total: total).fraction == expected)
    }

    @Test("a description has the number of a further attempt, and the status unless it is a success")
    func refusal() {
        let progress = TransferProgress(attempt: 2, status: .notFound, received: .init(bytes: 3))
        #expect("\(progress)" == "attempt 2: sent 0 bytes, received 3 bytes of \(HTTPStatus.notFound)")
        #expect(!"\(TransferProgress(status: .ok))".contains("200"))
    }
}
