import Foundation
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallCore

@Suite("a connector that is spread over several") struct ConnectorSpreadTests {
    private static func stub(_ text: String) -> Connector {
        .stub(.hasResponse(Response(statusCode: .ok, payload: Data(text.utf8))))
    }

    private func payload(_ connector: Connector) async throws -> String {
        let response = try #require(await WebAPI.call(with: Fixture.input, via: connector).response)
        return String(decoding: response.payload, as: UTF8.self)
    }

    @Test("each call goes to the next connector, in turn, in a copy as well")
    func turns() async throws {
        let connector = Connector.spread(over: ["a", "b", "c"].map(Self.stub))
        let copy = connector.named("copy")
        var answers: [String] = []
        for number in 0..<7 { answers.append(try await payload(number.isMultiple(of: 2) ? connector : copy)) }
        #expect(answers == ["a", "b", "c", "a", "b", "c", "a"])
    }

    @Test("concurrent calls are spread evenly")
    func evenly() async throws {
        let connector = Connector.spread(over: ["a", "b"].map(Self.stub))
        let answers = try await withThrowingTaskGroup { group in
            for _ in 0..<100 { group.addTask { try await payload(connector) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count { $0 == "a" } == 50 && answers.count { $0 == "b" } == 50)
    }

    @Test("without a connector, each call ends with an error")
    func none() async {
        let output = await WebAPI.call(with: Fixture.input, via: .spread(over: []))
        #expect(output.connectionError?.name == "engineUnavailable")
    }

    @Test(
        "payloads are decoded, or are not, only if all connectors say the same",
        arguments: [
            ([true, true], true), ([false], false), ([true, false], nil), ([true, nil], nil), ([nil, nil], nil),
            ([], nil),
        ] as [([Bool?], Bool?)]
    )
    func decoding(answers: [Bool?], answer: Bool?) {
        let connectors = answers.map { answer in Self.stub("").decodingPayloads { _ in answer } }
        #expect(Connector.spread(over: connectors).decodesPayload(of: Fixture.input) == answer)
    }
}
