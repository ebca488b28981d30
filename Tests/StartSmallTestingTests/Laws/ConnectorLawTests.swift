import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// That engines keep the laws is in the contract suite of engines.
@Suite struct ConnectorLawTests {
    /// The core keeps one law for every connector: it calls none for a call that is cancelled.
    private static let laws = ConnectorLaw.all(but: [.cancelledBeforeStart: "the core keeps it"])

    @Test("no law is kept by a connector that answers from nowhere", arguments: laws)
    func nowhere(law: ConnectorLaw) async {
        #expect(await law.violations(of: .stub(.status(.imUsed)), patience: .milliseconds(200)) != [])
    }

    @Test("the names of the laws tell them apart")
    func names() {
        #expect(Set(ConnectorLaw.all.map(\.name)).count == ConnectorLaw.all.count)
        #expect(Set(ConnectorLaw.all.map(\.id)) == Set(ConnectorLaw.ID.allCases))
        #expect(ConnectorLaw.all.count == ConnectorLaw.ID.allCases.count)
    }

    @Test("an engine can leave out what it can't do, with a reason")
    func leftOut() {
        let laws = ConnectorLaw.all(but: [.trailers: "it drops them", .pace: "it reads ahead"])
        #expect(Set(ConnectorLaw.ID.allCases).subtracting(laws.map(\.id)) == [.trailers, .pace])
        #expect(ConnectorLaw.all(but: [:]).map(\.id) == ConnectorLaw.all.map(\.id))
    }

    @Test("what is violated is told")
    func told() async throws {
        let law = try #require(ConnectorLaw.all.first { $0.name.hasPrefix("a fragment") })
        let violations = await law.violations(of: .stub(.status(.ok)))
        #expect(violations.map(\.description) == [#"a fragment is not sent: the target: [], not ["/a?b"]"#])
    }
}
