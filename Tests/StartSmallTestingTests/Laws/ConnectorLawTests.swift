import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// The laws' own tests; the contract suite of engines tests that engines keep the laws.
@Suite struct ConnectorLawTests {
    /// All laws but the one that the core keeps for every connector: it calls no connector for a cancelled call.
    private static let laws = ConnectorLaw.all(but: [.cancelledBeforeStart: "the core keeps it"])

    @Test("a connector that responds without sending a request violates every law", arguments: laws)
    func nowhere(law: ConnectorLaw) async {
        #expect(await law.violations(of: .stub(.status(.imUsed)), timeout: .milliseconds(50)) != [])
    }

    @Test("the names of the laws are unique")
    func names() {
        #expect(Set(ConnectorLaw.all.map(\.name)).count == ConnectorLaw.all.count)
        #expect(Set(ConnectorLaw.all.map(\.id)) == Set(ConnectorLaw.ID.allCases))
        #expect(ConnectorLaw.all.count == ConnectorLaw.ID.allCases.count)
    }

    @Test("an engine can leave out laws that it can't keep, with a reason")
    func leftOut() {
        let laws = ConnectorLaw.all(but: [.trailers: "it drops them", .pace: "it reads ahead"])
        #expect(Set(ConnectorLaw.ID.allCases).subtracting(laws.map(\.id)) == [.trailers, .pace])
        #expect(ConnectorLaw.all(but: [:]).map(\.id) == ConnectorLaw.all.map(\.id))
    }

    @Test("a violation is described with its law and its details")
    func described() async throws {
        let law = try #require(ConnectorLaw.all.first { $0.name.hasPrefix("a fragment") })
        let violations = await law.violations(of: .stub(.status(.ok)))
        #expect(violations.map(\.description) == [#"a fragment is not sent: the target: [], not ["/a?b"]"#])
    }
}
