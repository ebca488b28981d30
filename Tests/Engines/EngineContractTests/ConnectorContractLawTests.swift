import StartSmallTesting
import TestSupport
import Testing

/// The requirements of every engine: one suite that runs over all of ``EngineUnderTest/all``.
///
/// The tests run one at a time: a `URLSession` on Linux shares one queue with all others, and some of these tests fill
/// it.
@Suite(.serialized, .timeLimit(.minutes(1))) enum ConnectorContract {
    /// The part of the contract that anyone can check over a custom engine; the other suites test the rest of it.
    @Suite("contract of engines: laws") struct LawTests {
        @Test(
            "every engine keeps the laws of connectors",
            .parity("A10"),
            arguments: EngineUnderTest.all,
            ConnectorLaw.all
        )
        func law(engine: EngineUnderTest, law: ConnectorLaw) async throws {
            try await engine.check(engine.unkeptLaws[law.id]) {
                let violations = await law.violations(of: engine.connector())
                #expect(violations == [])
            }
        }
    }
}
