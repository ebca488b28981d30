import Foundation
import StartSmall
import Testing

@testable import StartSmallTesting

/// The laws' own tests; the contract suite of engines tests that engines keep the laws.
@Suite struct ConnectorLawTests {
    @Test("a connector that responds without sending a request violates every law", arguments: ConnectorLaw.all)
    func nowhere(law: ConnectorLaw) async {
        #expect(await law.violations(of: .stub(.status(.imUsed)), timeout: .milliseconds(50)) != [])
    }

    @Test("an engine can leave out laws that it can't keep, with a reason")
    func leftOut() {
        let laws = ConnectorLaw.all(but: [.trailers: "it drops them", .pace: "it reads ahead"])
        #expect(Set(ConnectorLaw.ID.allCases).subtracting(laws.map(\.id)) == [.trailers, .pace])
        #expect(ConnectorLaw.all(but: [:]).map(\.id) == ConnectorLaw.all.map(\.id))
    }

    @Test("a violation is described with its law and its details")
    func described() async throws {
        let law = try #require(ConnectorLaw.all.first { $0.id == .payloadLimit })
        let violations = await law.violations(of: .stub(.status(.ok)))
        #expect(violations.map(\.description) == ["\(law): the error: nil, not Optional(\"payloadTooLarge\")"])
    }
}

@Suite struct TimeoutTests {
    @Test("a value that arrives in time is the result")
    func inTime() async {
        #expect(await Timeout(.seconds(600)).result { 1 } == 1)
    }

    @Test("an operation that takes too long is cancelled, and its late value is ignored", arguments: 0..<20)
    func tooLong(_: Int) async {
        let isOver = Latch()
        let result = await Timeout(.zero).result {
            // Waits until the task is cancelled.
            await Latch().wait()
            isOver.open()
            return 1
        }
        #expect(result == nil)
        await isOver.wait()
    }

    @Test("the longest possible timeout neither delays the result nor ends the process")
    func longest() async {
        #expect(await Timeout(.seconds(Int64.max)).result { 1 } == 1)
    }
}
