import Foundation
import StartSmall
import StartSmallTesting
import Testing
import ParityTrait

@Suite struct StubConnectorTests {
    // swift-format-ignore: NeverForceUnwrap
    private let input = Input(url: URL(string: "http://127.0.0.1/a?b=c")!)

    @Test("a fixed stub gives every input the same response", .parity("B9"))
    func answersEveryInputAlike() async {
        let stub = Connector.stub(Self.output(.ok))
        #expect(await WebAPI.call(with: input, via: stub) == Self.output(.ok))
        #expect(await WebAPI.call(with: input, via: stub) == Self.output(.ok))
    }

    @Test func answersWithAnError() async {
        let stub = Connector.stub(.noResponse(.engineUnavailable(debugInfo: "a")))
        #expect(await WebAPI.call(with: input, via: stub) == .noResponse(.engineUnavailable(debugInfo: "a")))
    }

    @Test func answersAsAFunctionSays() async {
        let stub = Connector.stub { Self.output($0.methodAndPayload == .get ? .ok : .notFound) }
        #expect(await WebAPI.call(with: input, via: stub) == Self.output(.ok))
        #expect(
            await WebAPI.call(with: Input(url: input.url, methodAndPayload: .head), via: stub) == Self.output(.notFound)
        )
    }

    @Test func answersInSequence() async {
        let stub = Connector.stub(sequence: [Self.output(.accepted), Self.output(.ok)])
        #expect(await WebAPI.call(with: input, via: stub) == Self.output(.accepted))
        #expect(await WebAPI.call(with: input, via: stub) == Self.output(.ok))
    }

    @Test func saysThatASequenceIsExhausted() async {
        let stub = Connector.stub(sequence: [Self.output(.ok)])
        _ = await WebAPI.call(with: input, via: stub)
        let error = await WebAPI.call(with: input, via: stub).connectionError
        #expect(error?.name == "noDataOrNoResponse")
        #expect(error?.debugInfo.contains("GET http://127.0.0.1/a?b=c") == true)
        #expect(error?.debugInfo.contains("call 2 of a stub with 1 outputs") == true)
    }

    @Test func givesEachAnswerOfASequenceToOneOfManyCalls() async {
        let codes = Array(200..<300)
        let stub = Connector.stub(sequence: codes.map { Self.output(.from(code: $0)) })
        let got = await withTaskGroup(of: Int?.self) { group in
            for _ in codes { group.addTask { await WebAPI.call(with: input, via: stub).response?.statusCode.code } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(got.compactMap { $0 }.sorted() == codes)
    }

    @Test(arguments: [
        ("http://127.0.0.1/a?b=c", HTTPMethodAndPayload.get, HTTPStatus.ok),
        ("http://example.com/a", .get, .ok),
        ("http://127.0.0.1/a", .post(payload: nil), .created),
        ("http://127.0.0.1", .get, .found),
        ("http://127.0.0.1/", .get, .found),
        ("http://127.0.0.1/%2F", .get, .accepted),
    ])
    func answersByMethodAndPath(url: String, methodAndPayload: HTTPMethodAndPayload, status: HTTPStatus) async {
        let stub = Connector.stub(routes: [
            "GET /a": Self.output(.ok), "POST /a": Self.output(.created), "GET /": Self.output(.found),
            "GET /%2F": Self.output(.accepted),
        ])
        let input = Input(url: URL(string: url)!, methodAndPayload: methodAndPayload)
        #expect(await WebAPI.call(with: input, via: stub) == Self.output(status))
    }

    @Test func saysWhichRoutesItKnows() async {
        let stub = Connector.stub(routes: ["GET /c": Self.output(.ok), "GET /b": Self.output(.ok)])
        let error = await WebAPI.call(with: input, via: stub).connectionError
        #expect(error?.name == "noDataOrNoResponse")
        #expect(
            error?.debugInfo == "unexpected request GET http://127.0.0.1/a?b=c: the stub's routes are GET /b, GET /c"
        )
    }

    @Test func recordsWhatItWasSentWhateverTheKind() async {
        let sent = Recorder<Input>()
        let stubs: [Connector] = [
            .stub(Self.output(.ok), recording: sent),
            .stub(recording: sent) { _ in Self.output(.ok) },
            .stub(sequence: [], recording: sent),
            .stub(routes: [:], recording: sent),
        ]
        for stub in stubs { _ = await WebAPI.call(with: input, via: stub) }
        #expect(sent.elements == [input, input, input, input])
    }

    @Test func recordsWhatWasNotExpectedOfASequence() async {
        let unexpected = Recorder<Input>()
        let stub = Connector.stub(sequence: [Self.output(.ok)], unexpected: unexpected)
        _ = await WebAPI.call(with: input, via: stub)
        #expect(unexpected.elements == [])
        _ = await WebAPI.call(with: input, via: stub)
        #expect(unexpected.elements == [input])
    }

    @Test func recordsWhatWasNotExpectedOfRoutes() async {
        let unexpected = Recorder<Input>()
        let stub = Connector.stub(routes: ["GET /a": Self.output(.notFound)], unexpected: unexpected)
        let post = Input(url: input.url, methodAndPayload: .post(payload: nil))
        for input in [input, post] { _ = await WebAPI.call(with: input, via: stub) }
        #expect(unexpected.elements == [post])
    }

    private static func output(_ status: HTTPStatus) -> Output {
        .hasResponse(Response(statusCode: status))
    }
}
