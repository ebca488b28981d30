import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

/// The laws of bodies over connectors that return whole payloads; the contract suite checks the engines.
struct BodyLawTests {
    private static let answer = Output.text("hello")

    @Test("a stub keeps the laws of bodies", arguments: ConnectorLaw.ofBodies)
    func stub(law: ConnectorLaw) async {
        #expect(await law.violations(of: .stub(Self.answer)) == [])
        #expect(await law.violations(of: .stub(parts: ["he", "llo"])) == [])
    }

    @Test("a wrapper that answers by itself keeps the laws of bodies", arguments: ConnectorLaw.ofBodies)
    func ownAnswer(law: ConnectorLaw) async {
        let answering = Wrapper { _, _ in Self.answer }
        #expect(await law.violations(of: .stub(.status(.notFound)).wrapped(by: answering)) == [])
    }

    @Test("a replay keeps the laws of bodies, as connector and as wrapper", arguments: ConnectorLaw.ofBodies)
    func replay(law: ConnectorLaw) async throws {
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent("cassette.json")
            let recording = Connector.stub(Self.answer).wrapped(by: .record(to: file))
            _ = await WebAPI.call(with: Fixture.input, via: recording)
            let recorded = Wrapper { input, next in await next(input.with { $0.url = Fixture.url }) }
            let replaying = Connector.replay(from: file, order: .repeating).wrapped(by: recorded)
            #expect(await law.violations(of: replaying) == [])
            let replay = Wrapper.replay(from: file, order: .repeating)
            let wrapped = Connector.stub(.status(.notFound)).wrapped(by: recorded, replay)
            #expect(await law.violations(of: wrapped) == [])
        }
    }
}
