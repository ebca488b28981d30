import Foundation
import StartSmall
import StartSmallTesting
import Testing

struct LimitPayloadTests {
    private func output(_ bytes: Int, _ wrappers: Wrapper...) async -> Output {
        let response = Response(statusCode: .ok, headers: ["X-Kept": "yes"], payload: Data(repeating: 1, count: bytes))
        return await WebAPI.call(with: Fixture.input, via: .stub(.hasResponse(response)).wrapped(by: wrappers))
    }

    @Test("a payload up to the limit is not changed", arguments: [0, 9, 10])
    func within(_ bytes: Int) async {
        #expect(await output(bytes, .limitPayload(bytes: 10)).response?.payload.count == bytes)
    }

    @Test("a payload over the limit is an error that keeps the response and the bytes up to the limit")
    func over() async {
        let kept = Response(statusCode: .ok, headers: ["X-Kept": "yes"], payload: Data(repeating: 1, count: 10))
        #expect(await output(11, .limitPayload(bytes: 10)) == .noResponse(.payloadTooLarge(kept, limit: 10)))
    }

    @Test("the smallest of several limits wins, in any order")
    func smallest() async {
        for wrappers in [[5, 10], [10, 5]] {
            let limited = await output(6, .limitPayload(bytes: wrappers[0]), .limitPayload(bytes: wrappers[1]))
            guard case .noResponse(.payloadTooLarge(_, limit: 5)) = limited else {
                Issue.record("\(limited)")
                continue
            }
        }
    }

    @Test("the limit is passed to the engine with the input", arguments: [(nil, 10), (5, 5), (50, 10)])
    func handedDown(_ own: Int?, _ expected: Int) async {
        let sent = Recorder<Input>()
        var input = Fixture.input
        input.payloadLimit = own
        _ = await WebAPI.call(
            with: input,
            via: .stub(.hasResponse(Fixture.ok), recording: sent).wrapped(by: .limitPayload(bytes: 10))
        )
        #expect(sent.elements.map(\.payloadLimit) == [expected])
    }

    @Test("a negative limit allows only the empty payload")
    func negative() async {
        #expect(await output(0, .limitPayload(bytes: -1)).response != nil)
        #expect(await output(1, .limitPayload(bytes: -1)).response == nil)
    }

    @Test("a missing response is not changed")
    func unchanged() async {
        let connector = Connector.stub(.noResponse(Fixture.lost)).wrapped(by: .limitPayload())
        #expect(await WebAPI.call(with: Fixture.input, via: connector) == .noResponse(Fixture.lost))
    }

    @Test("a stream has no limit, but that of a refused response stays in memory, and has one")
    func elsewhere() async throws {
        func output(_ status: HTTPStatus) async -> Output {
            let response = Response(statusCode: status, payload: Data(count: 11))
            let input = Input(url: Fixture.url, delivery: .stream)
            return await WebAPI.call(
                with: input,
                via: .stub(.hasResponse(response)).wrapped(by: .limitPayload(bytes: 10))
            )
        }
        #expect(try await output(.ok).response?.wholePayload().count == 11)
        #expect(await output(.notFound).connectionError?.name == "payloadTooLarge")
    }

    @Test("over a socket: the engine receives as much as the limit allows, and no more", arguments: EngineUnderTest.all)
    func loopback(engine: EngineUnderTest) async throws {
        try await LoopbackServer.serving(.stub(.text("hello"))) { server in
            let input = Input(url: server.url)
            for (limit, error) in [(5, nil), (4, "payloadTooLarge")] {
                let connector = engine.connector().wrapped(by: .limitPayload(bytes: limit))
                #expect(await WebAPI.call(with: input, via: connector).connectionError?.name == error)
            }
        }
    }
}
