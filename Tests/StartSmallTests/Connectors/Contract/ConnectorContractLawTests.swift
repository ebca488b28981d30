import StartSmallTesting
import Testing

extension ConnectorContract {
    /// The part of the contract that anyone can check over a custom engine; the other suites test the rest of it.
    @Suite("contract of engines: laws") struct LawTests {
        @Test("every engine keeps the laws of connectors", arguments: EngineUnderTest.all, ConnectorLaw.all)
        func law(engine: EngineUnderTest, law: ConnectorLaw) async throws {
            try await engine.check(engine.unkeptLaws[law.id]) {
                let violations = await law.violations(of: engine.connector())
                #expect(violations == [])
            }
        }
    }
}
