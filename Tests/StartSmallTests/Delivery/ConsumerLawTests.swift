import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// The laws of consumers over connectors that do not deliver parts; the contract suite checks the engines.
struct ConsumerLawTests {
    private static let answer = Output.text("hello")

    @Test("a stub keeps the laws of consumers", arguments: ConnectorLaw.ofConsumers)
    func stub(law: ConnectorLaw) async {
        #expect(await law.violations(of: .stub(Self.answer)) == [])
    }

    @Test("a wrapper that answers by itself keeps the laws of consumers", arguments: ConnectorLaw.ofConsumers)
    func ownAnswer(law: ConnectorLaw) async {
        let answering = Wrapper { _, _ in Self.answer }
        #expect(await law.violations(of: .stub(.status(.notFound)).wrapped(by: answering)) == [])
    }

    @Test("a replay keeps the laws of consumers, as connector and as wrapper", arguments: ConnectorLaw.ofConsumers)
    func replay(law: ConnectorLaw) async throws {
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent("cassette.json")
            let recording = Connector.stub(Self.answer).wrapped(by: .record(to: file))
            _ = await WebAPI.call(with: Fixture.input, via: recording)
            let recorded = Wrapper { input, next in await next(input.with { $0.url = Fixture.url }) }
            let replaying = Connector.replay(from: file).wrapped(by: recorded)
            #expect(await law.violations(of: replaying) == [])
            let wrapped = Connector.stub(.status(.notFound)).wrapped(by: recorded, .replay(from: file))
            #expect(await law.violations(of: wrapped) == [])
        }
    }
}
