import Foundation
import StartSmall
import StartSmallStreams
import StartSmallTesting
import TestSupport
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

    private func body(of stub: Connector) async throws -> ResponseBody {
        let input = Input(url: Sample.user.url, delivery: .stream)
        return try #require(await WebAPI.call(with: input, via: stub).response?.body)
    }

    @Test("with a latch, the response stays open after its parts until the latch opens", .timeLimit(.minutes(1)))
    func open() async throws {
        let (clock, end) = (ManualClock(), Latch())
        let stub = Connector.stub(parts: ["a", "b"], failingWith: lost, until: end)
        let body = try await body(of: stub.wrapped(by: .timeout(.seconds(10), clock: clock)))
        #expect(try await [body.next(), body.next()] == [Data("a".utf8), Data("b".utf8)])
        let late = try await self.body(of: stub.wrapped(by: .timeout(.seconds(20), clock: clock)))
        let reading = Task { try await body.next() }
        await clock.waitForSleepers(count: 2)
        clock.advance(by: .seconds(10))
        await #expect { try await reading.value } throws: { ($0 as? ConnectionError)?.name == "timedOut" }

        end.open()
        for part in ["a", "b"] { #expect(try await late.next() == Data(part.utf8)) }
        await #expect(throws: lost) { try await late.next() }
        let complete = try await self.body(of: .stub(parts: ["a"], until: end))
        #expect(try await complete.next() == Data("a".utf8))
        #expect(try await complete.next() == nil)
    }

    @Test(
        "a payload as a whole waits for the latch, too",
        .timeLimit(.minutes(1)),
        arguments: [HTTPStatus.ok, .tooManyRequests]
    )
    func openInMemory(status: HTTPStatus) async throws {
        let (end, sent) = (Latch(), Recorder<Input>())
        let stub = Connector.stub(parts: ["a", "b"], status: status, until: end, recording: sent)
        let input = Input(url: Sample.user.url, delivery: status == .ok ? .memory : .stream)
        let cancelled = Task { await WebAPI.call(with: input, via: stub) }
        await eventually { sent.elements.count == 1 }
        cancelled.cancel()
        #expect(await cancelled.value == .noResponse(.cancelled))
        async let output = WebAPI.call(with: input, via: stub)
        end.open()
        #expect(await output.response?.payload == Data("ab".utf8))
        #expect(sent.elements.count == 2)
    }

    @Test("an open stream of an endpoint's stub ends when its task is cancelled", .timeLimit(.minutes(1)))
    func openEndpoint() async {
        let isRead = Latch()
        let api = Connector.stub(chat.stub(parts: ["data: a\n\n", "data:"], until: Latch()))
        let reading = Task { [chat] in
            var names: [String?] = []
            for await element in chat.stream(via: api) {
                names.append(element.connectionError?.name)
                isRead.open()
            }
            return names
        }
        await isRead.wait()
        reading.cancel()
        #expect(await reading.value == [nil, "cancelled"])
    }
}
