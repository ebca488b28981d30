import StartSmall
import Testing

struct TransferProgressTests {
    @Test("a known total has a fraction", arguments: [(5, 10, 0.5), (20, 10, 1), (0, 10, 0)])
    func fraction(_ bytes: Int64, _ total: Int64, _ expected: Double) {
        #expect(TransferProgress.Count(bytes: bytes, total: total).fraction == expected)
    }

    @Test("an unknown or empty total has no fraction", arguments: [nil, 0, -1])
    func noFraction(_ total: Int64?) {
        #expect(TransferProgress.Count(bytes: 5, total: total).fraction == nil)
    }

    @Test("a progress is described on one line")
    func description() {
        let progress = TransferProgress(sent: .init(bytes: 1, total: 2), received: .init(bytes: 3))
        #expect("\(progress)" == "sent 1 of 2 bytes, received 3 bytes")
    }

    @Test("a description has the number of a further attempt, and the status unless it is a success")
    func refusal() {
        let progress = TransferProgress(attempt: 2, status: .notFound, received: .init(bytes: 3))
        #expect("\(progress)" == "attempt 2: sent 0 bytes, received 3 bytes of \(HTTPStatus.notFound)")
        #expect(!"\(TransferProgress(status: .ok))".contains("200"))
    }
}
