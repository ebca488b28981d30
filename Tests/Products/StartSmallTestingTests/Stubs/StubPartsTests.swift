import Foundation
import StartSmall
import StartSmallStreams
import StartSmallTesting
import Testing

struct StubPartsTests {
    private let chat = Endpoint.events(.post("https://a/chat", payload: .text("hello")))
    private let lost = ConnectionError.connectionLost(.init(domain: "stub", code: 1, text: "lost"))

    private func data(via connector: Connector) async -> [String?] {
        var texts: [String?] = []
        for await element in chat.stream(via: connector) { texts.append(element.right?.data) }
        return texts
    }

    @Test("parts are delivered in order, and can be bytes, even cut within a character")
    func parts() async {
        let sent = Recorder<Input>()
        let stub = Connector.stub(parts: ["data: a\n", "\n", "", "data: b\n\n"], recording: sent)
        #expect(await data(via: stub) == ["a", "b"])
        #expect(sent.elements.count == 1)
        #expect(await data(via: .stub(parts: Array("data: 日\n\n".utf8).map { Data([$0]) })) == ["日"])
    }

    @Test("without parts, a connector's and an endpoint's stub have an empty response")
    func noParts() async {
        #expect(await data(via: .stub(parts: [])) == [])
        #expect(await data(via: .stub(chat.stub(parts: [], failingWith: lost))) == [nil])
        let response = await WebAPI.call(with: Input(url: Sample.user.url), via: .stub(parts: [])).response
        #expect(response?.statusCode == .ok && response?.payload == Data())
    }

    @Test("for a stream, the parts are the chunks of an open body, and its failure follows them")
    func body() async throws {
        let input = Input(url: Sample.user.url, headers: ["Accept": "text/csv"], delivery: .stream)
        let stub = Connector.stub(parts: ["a", "", "b"], failingWith: lost)
        let response = try #require(await WebAPI.call(with: input, via: stub).response)
        #expect(response.headers["Content-Type"] == "text/csv" && response.payload.isEmpty)
        let body = try #require(response.body)
        #expect(try await [body.next(), body.next()] == [Data("a".utf8), Data("b".utf8)])
        await #expect(throws: lost) { try await body.next() }
    }

    @Test("a connection may be lost after the last part, for a stream and for a payload in memory")
    func failing() async {
        let stub = Connector.stub(parts: ["data: a\n\n"], failingWith: lost)
        var elements: [Fetched<TransformError<Never>, ServerSentEvent>] = []
        for await element in chat.stream(via: stub) { elements.append(element) }
        #expect(elements.count == 2 && elements.first == .right(ServerSentEvent(data: "a")))
        let last = elements.last?.connectionError
        #expect(last?.name == "connectionLost" && last?.response?.statusCode == .ok)
        #expect(await WebAPI.call(with: Input(url: Sample.user.url), via: stub) == .noResponse(lost))
    }

    @Test("in memory, and with a status that is no success, the payload is delivered as a whole")
    func whole() async {
        let stub = Connector.stub(parts: ["a", "b"], headers: ["X-A": "b"])
        let response = await WebAPI.call(with: Input(url: Sample.user.url), via: stub).response
        #expect(response == Response(statusCode: .ok, headers: ["X-A": "b"], payload: Data("ab".utf8)))
        let refusing = Connector.stub(parts: ["n", "o"], status: .tooManyRequests, headers: ["Retry-After": "1"])
        var iterator = chat.stream(via: refusing).makeAsyncIterator()
        let refused = await iterator.next()?.failure?.response
        #expect(refused?.payload == Data("no".utf8) && refused?.headers["Retry-After"] == "1")
    }

    @Test("the stub of a stream works next to other stubs, and answers only its own request")
    func endpointStub() async {
        let text = Endpoint.text(.get("https://a/text"))
        let api = Connector.stub(text.stub("hi"), chat.stub(parts: ["data: a\n\n", "data: b\n\n"], failingWith: lost))
        #expect(await data(via: api) == ["a", "b", nil])
        #expect(await text.fetch(via: api) == .right("hi"))
        let refusing = Connector.stub(chat.stub(.status(.forbidden)))
        #expect(await data(via: refusing) == [nil])
    }

    @Test("a silent stub signals its call, and ends when the call is cancelled")
    func silent() async {
        let (begun, ended) = (Latch(), Latch())
        let call = Task { await data(via: .silent(begun: begun, ended: ended)) }
        await begun.wait()
        call.cancel()
        await ended.wait()
        #expect(await call.value == [nil])
    }
}
