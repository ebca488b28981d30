import Foundation
import StartSmall
import StartSmallJSON
import StartSmallTesting
import Testing

@Suite struct EndpointStubTests {
    private struct User: Codable, Hashable, Sendable {
        var login: String
        var publicRepos = 1
    }

    private let user = Endpoint.json(
        User.self,
        .get("https://a/users/{login}", ["login": "octocat"]),
        problem: ProblemDetails.self
    )
    private let octocat = User(login: "octocat")

    @Test("a stub has the format of the real API if its encoder is the counterpart of the endpoint's decoder")
    func encoder() async {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let user = Endpoint.json(User.self, .get("https://a/user"), decoder: decoder)
        let stub = user.stub(octocat, encoder: encoder)
        let text = stub.output.response.map { String(decoding: $0.payload, as: UTF8.self) } ?? ""
        #expect(text.contains("public_repos"))
        #expect(await user.fetch(via: .stub(stub)) == .right(octocat))
    }

    @Test("an encoder that does not match the decoder is an error")
    func wrongEncoder() async {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let error = await user.fetch(via: .stub(user.stub(octocat, encoder: encoder))).connectionError
        #expect(error?.name == "malformedPayload")
        #expect(error?.debugInfo.contains("publicRepos") == true)
    }

    @Test("a text is decoded as the same text, even if it is JSON", arguments: ["hi", "\"abc\"", "null", "7", ""])
    func texts(text: String) async {
        let (input, bytes) = (Either<ConnectionError, Input>.get("https://a/"), Data(text.utf8) + [0xFF])
        for json in [Endpoint.json(String.self, input), .text(input)] {
            #expect(await json.fetch(via: .stub(json.stub(text))) == .right(text))
        }
        let optional = Endpoint.json(String?.self, input)
        #expect(await optional.fetch(via: .stub(optional.stub(text))) == .right(text))
        for data in [Endpoint.json(Data.self, input), .data(input)] {
            #expect(await data.fetch(via: .stub(data.stub(bytes))) == .right(bytes))
        }
    }

    @Test("a status that the endpoint does not accept is an error, with the endpoint's own failure")
    func unacceptedStatus() async {
        let created = Endpoint.json(User.self, .get("https://a/user"), accepting: .only(.created))
        #expect(await created.fetch(via: .stub(created.stub(octocat, status: .created))) == .right(octocat))
        let error = created.mapFailure { AppError.status($0.response.statusCode) }.stub(octocat).output.connectionError
        #expect(error?.name == "malformedPayload" && error?.debugInfo.contains("200 OK") == true)
    }

    private enum AppError: Error, Equatable {
        case status(HTTPStatus)
    }

    @Test("a stub of a value or a problem has the given header fields")
    func headers() async {
        let headers: HTTPHeaders = ["ETag": "\"v1\"", "Content-Type": "application/vnd.a+json"]
        let outputs = [
            user.stub(octocat, headers: headers),
            user.stub(problem: ProblemDetails(title: "a"), status: .notFound, headers: headers),
        ].map(\.output)
        #expect(outputs.map { $0.response?.headers } == [headers, headers])
    }

    @Test("stubs of several endpoints form a fake API, which reports unknown requests")
    func api() async {
        let list = Endpoint.json([User].self, .get("https://a/users", queries: ["page": "1", "size": "2"]))
        let unexpected = Recorder<Input>()
        let api = Connector.stub(user.stub(octocat), list.stub([octocat]), unexpected: unexpected)
        #expect(await list.fetch(via: api) == .right([octocat]))
        #expect(await user.fetch(via: api) == .right(octocat))
        #expect(await WebAPI.call(with: Sample.input("https://a/users?size=2&page=1"), via: api).response != nil)
        let other = Sample.input("https://a/users?page=2&size=2")
        let error = await WebAPI.call(with: other, via: api).connectionError
        #expect(error?.debugInfo.contains("stubbed → requested: query: − page=1; query: + page=2") == true)
        #expect(unexpected.elements == [other])
    }
}

/// Stubs of an API's problems.
@Suite struct ProblemStubTests {
    private struct User: Codable, Hashable, Sendable { var login: String }

    private let user = Endpoint.json(User.self, .get("https://a/users/octocat"), problem: ProblemDetails.self)

    @Test("a problem stub has the API's format, with its media type")
    func problem() async {
        let problem = ProblemDetails(title: "no such user")
        let stub = user.stub(problem: problem, status: .notFound)
        #expect(stub.output.response?.headers["Content-Type"] == "application/problem+json")
        #expect(await user.fetch(via: .stub(stub)).failure?.problem == problem)
    }

    private enum AppError: Error, Equatable {
        case refused(String?)
        case other
    }

    private var mapped: Endpoint<AppError, User> {
        user.mapFailure { failure in failure.problem.map { .refused($0.title) } ?? .other }
    }

    @Test("a problem of an endpoint with a mapped failure is decoded and mapped as in the app")
    func mappedFailure() async {
        let stub = mapped.stub(problem: ProblemDetails(title: "no such user"), status: .notFound)
        #expect(await mapped.fetch(via: .stub(stub)).failure == .refused("no such user"))
        let unreadable = mapped.stub(problem: ["no", "problem"], status: .notFound, headers: ["ETag": "a"])
        #expect(unreadable.output.response?.headers == ["ETag": "a", "Content-Type": "application/json"])
        #expect(await mapped.fetch(via: .stub(unreadable)).failure == .other)
    }

    @Test("a problem that the endpoint reads as a value is an error")
    func noProblem() {
        let stubs = [
            user.stub(problem: User(login: "octocat"), status: .ok),
            mapped.stub(problem: User(login: "octocat"), status: .ok),
        ]
        for stub in stubs {
            let error = stub.output.connectionError
            #expect(error?.debugInfo.hasPrefix("200 OK is a success to the endpoint: ") == true)
        }
    }
}
