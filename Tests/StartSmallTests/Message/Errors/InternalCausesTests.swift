import Testing

@testable import StartSmall

struct InternalCausesTests {
    @Test("each internal cause has its own code and the kit's domain")
    func codes() {
        let response = Response(statusCode: .partialContent)
        let causes: [ConnectionError.Cause] = [
            .timeIsOver(limit: .seconds(1)), .noTimeLeft, .restarted, .wrongRange(response),
            .shortRange(response, size: 1, total: 2),
        ]
        #expect(causes.map(\.code) == [0, 1, 2, 3, 4])
        #expect(causes.allSatisfy { $0.domain == "StartSmall" })
        #expect(causes.map { $0.partial == nil } == [true, true, true, false, false])
    }
}
