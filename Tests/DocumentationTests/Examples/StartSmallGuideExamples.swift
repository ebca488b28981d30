import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

/// The Swift blocks of Sources/StartSmall/StartSmall.docc/StartSmallGuide.md, in order.
@Suite(.parity("A12")) struct StartSmallGuideExamples {
    @Test("an input is a value that can be shown without sending it")
    func input() throws {
        let url = try #require(URL(string: "https://api.github.com/zen"))
        let input = Input(url: url, queries: [], headers: ["Accept": "text/plain"], methodAndPayload: .get)

        #expect("\(input)" == "GET https://api.github.com/zen [Accept: text/plain]")
    }

    @Test("an output is one of two values")
    func output() {
        let answered = Output.hasResponse(Response(statusCode: .ok, payload: Data("Design for failure.".utf8)))
        let unanswered = Output.noResponse(.noDataOrNoResponse(debugInfo: "the line is dead"))

        #expect(answered.response?.statusCode == .ok)
        #expect(unanswered.connectionError == .noDataOrNoResponse(debugInfo: "the line is dead"))
    }

    @Test("the text of a response with status 200 is a phrase")
    func phrase() {
        let response = Response(statusCode: .ok, payload: Data("Design for failure.".utf8))

        #expect(Zen.from(response: response) == .right(Zen(text: "Design for failure.")))
    }

    @Test("a response with status 403 is a failure that keeps the response")
    func refused() {
        let response = Response(statusCode: .forbidden, payload: Data("slow down".utf8))

        #expect(Zen.from(response: response) == .left(.unexpectedStatusCode(response)))
    }

    @Test(
        "the hand-written transform has the same results",
        arguments: [200, 403],
        [Data("Design for failure.".utf8), Data([0xFF])]
    )
    func byHand(code: Int, payload: Data) {
        let response = Response(statusCode: .from(code: code), payload: payload)
        #expect(ByHand.from(response: response).right?.text == Zen.from(response: response).right?.text)
    }

    @Test("WebAPI.call is the one function with an effect")
    func effect() async throws {
        let url = try #require(URL(string: "https://api.github.com/zen"))
        let input = Input(url: url)

        let connector = Connector { _ in
            .hasResponse(Response(statusCode: .ok, payload: Data("Design for failure.".utf8)))
        }
        let output = await WebAPI.call(with: input, via: connector)

        switch output {
        case .hasResponse(let response): print(Zen.from(response: response))
        case .noResponse(let connectionError): print("no response: \(connectionError)")
        }
        #expect(output.response.map(Zen.from(response:)) == .right(Zen(text: "Design for failure.")))
    }

    @Test("an endpoint is called in three forms")
    func endpoint() async throws {
        let connector = Connector.stub(
            .hasResponse(Response(statusCode: .ok, payload: Data("Design for failure.".utf8)))
        )

        let errorOrZen = await Zen.endpoint.fetch(via: connector)
        let text = try await Zen.endpoint.value(via: connector).text
        let task = Zen.endpoint.fetch(via: connector) { errorOrZen in print(errorOrZen) }

        await task.value
        #expect(errorOrZen.right?.text == text)
    }

    @Test("a login remains one segment of the path, whatever its characters")
    func oneSegment() {
        let endpoint = User.endpoint(byLogin: "a/b?c")

        #expect(endpoint.input.right?.url.absoluteString == "https://api.github.com/users/a%2Fb%3Fc")
    }

    @Test(
        "each kind of failure has its own case",
        arguments: [
            (
                Output.hasResponse(Response(statusCode: .ok, payload: Data(#"{"id": 1, "login": "octocat"}"#.utf8))),
                "octocat"
            ),
            (
                .hasResponse(Response(statusCode: .notFound, payload: Data(#"{"message": "Not Found"}"#.utf8))),
                "GitHub says"
            ),
            (.hasResponse(Response(statusCode: .badGateway)), "not understood"),
            (.noResponse(.noDataOrNoResponse(debugInfo: "the line is dead")), "no response"),
        ]
    )
    func places(output: Output, beginning: String) async {
        let connector = Connector.stub(output)

        let told =
            switch await User.endpoint(byLogin: "octocat").fetch(via: connector) {
            case .right(let user): "\(user.login) is number \(user.id)"
            case .left(.left(let connectionError)): "no response: \(connectionError.debugInfo)"
            case .left(.right(.problem(let problem, let response))):
                "GitHub says \(response.statusCode): \(problem.message)"
            case .left(.right(let transformError)): "not understood: \(transformError.response)"
            }

        #expect(told.hasPrefix(beginning))
    }

    @Test("endpoints are derived from an endpoint")
    func derived() async {
        let octocat = Data(#"{"id": 1, "login": "octocat"}"#.utf8)
        let found = Connector.stub(.hasResponse(Response(statusCode: .ok, payload: octocat)))
        let missing = Connector.stub(.hasResponse(Response(statusCode: .notFound)))

        let login = "octocat"
        let isTaken = User.endpoint(byLogin: login).map { _ in true }.recover(from: .notFound, as: false)
        let sameUser = User.endpoint(byLogin: login).validated { user in
            user.login == login ? nil : "asked for \(login), got \(user.login)"
        }

        #expect(await isTaken.fetch(via: found).right == true)
        #expect(await isTaken.fetch(via: missing).right == false)
        #expect(await sameUser.fetch(via: found).right?.id == 1)
    }

    /// Wraps the standard connector; compiled only, since it needs the network.
    func use() async {
        let connector = Connector.standard.wrapped(by: .apiVersion("2022-11-28"))

        _ = await Zen.endpoint.fetch(via: connector)
    }

    @Test("the whole API is tested without a network")
    func withoutNetwork() async {
        let sent = Recorder<Input>()
        let stub = Connector.stub(
            routes: ["GET /users/octocat": .json(#"{"id": 1, "login": "octocat"}"#)],
            recording: sent
        )
        let log = EventLog()
        let connector = stub.wrapped(by: .listen(to: log.listener), .apiVersion("2022-11-28"))

        let errorOrUser = await User.endpoint(byLogin: "octocat").fetch(via: connector)

        #expect(errorOrUser == .right(User(id: 1, login: "octocat")))
        #expect(sent.elements.map { $0.headers["X-GitHub-Api-Version"] } == ["2022-11-28"])
        #expect(log.names == ["started", "received", "transformed", "succeeded", "ended"])
    }
}

struct Zen: Hashable, Sendable {
    let text: String

    static func from(response: Response) -> Either<TransformError<Never>, Zen> {
        response.text().map(Zen.init)
    }
}

extension Zen {
    static let endpoint = Endpoint(.get("https://api.github.com/zen"), transform: from)
}

struct User: Codable, Hashable, Sendable {
    let id: Int
    let login: String

    static func from(response: Response) -> Either<TransformError<Problem>, User> {
        response.json(problem: Problem.self)
    }

    static func endpoint(byLogin login: String) -> Endpoint<TransformError<Problem>, User> {
        Endpoint(.get("https://api.github.com/users/{login}", ["login": login]), transform: from)
    }
}

struct Problem: Codable, Hashable, Sendable {
    let message: String
}

extension Wrapper {
    static func apiVersion(_ version: String) -> Wrapper {
        Wrapper { input, next in
            await next(input.with { $0.headers.setIfAbsent("X-GitHub-Api-Version", to: version) })
        }
    }
}

/// The guide's first transform, before it is shortened to one line.
private enum ByHand {
    struct Zen: Hashable, Sendable {
        let text: String

        static func from(response: Response) -> Either<TransformError<Never>, Zen> {
            guard response.statusCode == .ok else {
                return .left(.unexpectedStatusCode(response))
            }
            guard let text = String(data: response.payload, encoding: .utf8) else {
                return .left(.malformedData(response, debugInfo: "not UTF-8"))
            }
            return .right(Zen(text: text))
        }
    }

    static func from(response: Response) -> Either<TransformError<Never>, Zen> {
        Zen.from(response: response)
    }
}
