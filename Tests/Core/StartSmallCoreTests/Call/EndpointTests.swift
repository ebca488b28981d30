import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

struct EndpointTests {
    private struct User: Codable, Equatable {
        let login: String
    }

    private struct FaultInjector: Codable, Equatable {
        let message: String
    }

    private let input = Either<ConnectionError, Input>.get("https://api.example.com/user")
    private let user = Response(statusCode: .ok, payload: Data(#"{"login":"octocat"}"#.utf8))
    private let trouble = Response(statusCode: .forbidden, payload: Data(#"{"message":"no"}"#.utf8))

    // One-line endpoints (parity B23).

    @Test("endpoints of JSON, text, data, a whole response and a model", .parity("B23"))
    func values() async {
        let endpoint = Endpoint.json(User.self, input, problem: FaultInjector.self)
        #expect(await endpoint.fetch(via: .stub(.hasResponse(user))) == .right(User(login: "octocat")))
        let problem = TransformError.problem(FaultInjector(message: "no"), trouble)
        #expect(await endpoint.fetch(via: .stub(.hasResponse(trouble))) == .left(.right(problem)))
        let stub = Connector.stub(.hasResponse(Fixture.ok))
        #expect(await Endpoint.text(input).fetch(via: stub) == .right("hello"))
        #expect(await Endpoint.data(input).fetch(via: stub) == .right(Data("hello".utf8)))
        #expect(await Endpoint.response(input).fetch(via: stub) == .right(Fixture.ok))
        #expect(await Endpoint.model(input) { $0.count }.fetch(via: stub) == .right(5))
    }

    @Test("an endpoint without a value", .parity("B4"))
    func empty() async {
        let deleted = Connector.stub(.hasResponse(Response(statusCode: .noContent)))
        #expect(await Endpoint.empty(.delete("https://api.example.com/user")).fetch(via: deleted).right != nil)
        let refused = Connector.stub(.hasResponse(Response(statusCode: .notFound)))
        #expect(await Endpoint.empty(.delete("https://api.example.com/user")).fetch(via: refused).right == nil)
    }

    @Test("every 2xx without a payload is a success where no payload is expected", .parity("C5"), arguments: 200...299)
    func emptySuccess(code: Int) async {
        let stub = Connector.stub(.hasResponse(Response(statusCode: .from(code: code))))
        #expect(await Endpoint.empty(input).fetch(via: stub).right != nil)
    }

    @Test("an endpoint with credentials differs only by one more header", .parity("D1"))
    func authorized() {
        let endpoint = Endpoint.text(input).authorized(by: .bearer("old")).authorized(by: .bearer("t0k3n"))
        #expect(endpoint.input.right?.headers.description(redacting: .none) == "[Authorization: Bearer t0k3n]")
        #expect(endpoint.input.right?.url == input.right?.url)
        #expect(endpoint.transform(Fixture.ok) == .right("hello"))
        #expect(Endpoint.text(input).authorized(by: .bearer("")).input.left?.name == "missingCredentials")
    }

    // Failures, each in its own phase.

    @Test("an endpoint's input can be changed without a change of its transform")
    func with() async {
        let sent = Recorder<Input>()
        let endpoint = Endpoint.json(User.self, input).with { $0.headers["Prefer"] = "return=minimal" }
        let fetched = await endpoint.fetch(via: .stub(.hasResponse(user), recording: sent))
        #expect(fetched == .right(User(login: "octocat")))
        #expect(sent.elements.map { $0.headers["Prefer"] } == ["return=minimal"])
        let unbuilt = Endpoint.text(.left(.malformedURL(debugInfo: "no"))).with { $0.headers = [:] }
        #expect(unbuilt.input == .left(.malformedURL(debugInfo: "no")))
    }

    @Test("an input that could not be built reaches no connector")
    func unbuilt() async {
        let sent = Recorder<Input>()
        let error = ConnectionError.malformedURL(debugInfo: "no")
        let fetched = await Endpoint.text(.left(error)).fetch(via: .stub(.hasResponse(user), recording: sent))
        #expect(fetched == .left(.left(error)))
        #expect(sent.elements.isEmpty)
    }

    @Test("the endpoint's input is sent as it is", .parity("B1"))
    func sent() async {
        let sent = Recorder<Input>()
        _ = await Endpoint.text(input).fetch(via: .stub(.hasResponse(user), recording: sent))
        #expect(sent.elements == [input.right])
    }

    @Test("value(via:) throws the failure, with its type", .parity("C6"))
    func throwing() async {
        do throws(CallError<TransformError<Never>>) {
            _ = try await Endpoint.text(input).value(via: .stub(.noResponse(Fixture.lost)))
            Issue.record("no error")
        } catch {
            #expect(error == .left(Fixture.lost))
        }
    }

    @Test("withResponse pairs the value with its response, and changes no failure and no event")
    func withResponse() async throws {
        let endpoint = Endpoint.text(input)
        let (text, response) = try await endpoint.withResponse().value(via: .stub(.hasResponse(Fixture.ok)))
        #expect(text == "hello" && response == Fixture.ok)
        let failed = await endpoint.withResponse().fetch(via: .stub(.hasResponse(trouble)))
        #expect(failed.failure == .unexpectedStatusCode(trouble))
        let log = EventLog()
        let connector = Connector.stub(.hasResponse(trouble)).wrapped(by: .listen(to: log.listener))
        _ = await endpoint.withResponse().fetch(via: connector)
        #expect(log.names.contains("rejected"))
    }

    @Test("the callback form calls its block once", .parity("A13"))
    func callback() async {
        let got = Recorder<String?>()
        await Endpoint.text(input).fetch(via: .stub(.hasResponse(Fixture.ok))) { got.append($0.right) }.value
        #expect(got.elements == ["hello"])
    }

    // Endpoints made from endpoints.

    @Test("map changes only the value, and mapFailure only the transform's failure")
    func mapped() async {
        struct Refused: Error, Equatable {}
        let endpoint = Endpoint.text(input).mapFailure { _ in Refused() }.map(\.count)
        for (output, expected) in [
            (.hasResponse(trouble), .left(.right(Refused()))), (.noResponse(Fixture.lost), .left(.left(Fixture.lost))),
            (.hasResponse(Fixture.ok), .right(5)),
        ] as [(Output, Fetched<Refused, Int>)] {
            #expect(await endpoint.fetch(via: .stub(output)) == expected)
        }
    }

    @Test("mapFailure does not change the events of listeners", arguments: [(404, "rejected"), (200, "malformed")])
    func mapFailureEvents(_ status: Int, _ event: String) async {
        struct Own: Error {}
        let log = EventLog()
        let stub = Connector.stub(.hasResponse(Response(statusCode: .from(code: status), payload: Data([0xFF]))))
        let endpoint = Endpoint.text(input).mapFailure { _ in Own() }.map(\.count)
        _ = await endpoint.fetch(via: stub.wrapped(by: .listen(to: log.listener)))
        #expect(log.names == ["started", "received", event, "failed", "ended"])
    }

    @Test("a status can be mapped to a value", .parity("B5"), arguments: [404, 403, 200])
    func recover(_ status: Int) async {
        let endpoint = Endpoint.json([User].self, input).recover(from: .notFound, as: [])
        let response = Response(statusCode: .from(code: status), payload: Data("[1]".utf8))
        #expect((await endpoint.fetch(via: .stub(.hasResponse(response))).right != nil) == (status == 404))
    }

    @Test("a refused value keeps the response and the reason", .parity("B12"))
    func validated() async {
        let endpoint = Endpoint.text(input).validated { $0.count > 3 ? "too long" : nil }
        let stub = Connector.stub(.hasResponse(Fixture.ok))
        #expect(await endpoint.fetch(via: stub) == .left(.right(.invalid(Fixture.ok, reason: "too long"))))
        let short = Connector.stub(.hasResponse(Response(statusCode: .ok, payload: Data("hi".utf8))))
        #expect(await endpoint.fetch(via: short) == .right("hi"))
    }

    @Test("no transform runs on the main actor, not even for a caller on it")
    @MainActor func offMain() async {
        let endpoint = Endpoint<Never, Bool>(input) { _ in .right(Thread.isMainThread) }
        #expect(await endpoint.fetch(via: .stub(.hasResponse(user))) == .right(false))
        let block = Recorder<Bool?>()
        await endpoint.fetch(via: .stub(.hasResponse(user))) { block.append($0.right) }.value
        #expect(block.elements == [false])
    }
}
