import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

struct LimitPayloadTests {
    private func output(
        _ bytes: Int,
        limit: Int = 10,
        of status: HTTPStatus = .ok,
        _ delivery: Delivery = .memory
    ) async -> Output {
        let response = Response(
            statusCode: status,
            headers: ["X-Kept": "yes"],
            payload: Data(repeating: 1, count: bytes)
        )
        let connector = Connector.stub(.hasResponse(response)).wrapped(by: .limitPayload(bytes: limit))
        return await WebAPI.call(with: Input(url: Fixture.url, delivery: delivery), via: connector)
    }

    @Test(
        "a payload up to the limit is not changed, and one over it is an error with the response and the bytes up to it",
        arguments: [(0, 10, nil), (10, 10, nil), (11, 10, 10), (0, -1, nil), (1, -1, 0)]
    )
    func limits(_ bytes: Int, _ limit: Int, _ kept: Int?) async {
        let payload = Data(repeating: 1, count: kept ?? bytes)
        let response = Response(statusCode: .ok, headers: ["X-Kept": "yes"], payload: payload)
        let tooLarge = Output.noResponse(.payloadTooLarge(response, limit: max(0, limit)))
        #expect(await output(bytes, limit: limit) == (kept == nil ? .hasResponse(response) : tooLarge))
    }

    @Test(
        "the smallest of several limits is passed to the engine with the input",
        arguments: [(nil, 10), (5, 5), (50, 10)]
    )
    func handedDown(_ own: Int?, _ expected: Int) async {
        let input = Fixture.input.with { $0.payloadLimit = own }
        let sent = await RecordedCall(of: input, through: .limitPayload(bytes: 10)).sent
        #expect(sent.map(\.payloadLimit) == [expected])
    }

    @Test("a stream has no limit, but that of a refused response stays in memory, and has one")
    func streams() async throws {
        #expect(try await output(11, .stream).response?.wholePayload().count == 11)
        #expect(await output(11, of: .notFound, .stream).connectionError?.name == "payloadTooLarge")
    }
}
