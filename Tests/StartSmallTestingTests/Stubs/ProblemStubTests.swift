import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// Stubs of an API's problems.
struct ProblemStubTests {
    private struct User: Codable, Hashable, Sendable {
        var login: String
    }

    private let user = Endpoint.json(User.self, .get("https://a/users/octocat"), problem: ProblemDetails.self)

    @Test("a problem stub has the API's format, with its media type")
    func problem() async {
        let problem = ProblemDetails(title: "no such user")
        let stub = user.stub(problem: problem, status: .notFound)
        #expect(stub.output.response?.headers["Content-Type"] == "application/problem+json")
        #expect(await user.fetch(via: .stub(stub)).failure?.problem == problem)
    }

    @Test("a problem with a status that the endpoint accepts is an error")
    func noProblem() async {
        let stub = user.stub(problem: ProblemDetails(title: "a"), status: .ok)
        #expect(stub.output.connectionError?.name == "malformedPayload")
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

    @Test("a problem with an accepted status, or of another type, is an error")
    func noProblemOfMappedFailure() {
        let accepted = mapped.stub(problem: User(login: "octocat"), status: .ok).output.connectionError
        #expect(accepted?.debugInfo.hasPrefix("200 OK with a User is a success to the endpoint: ") == true)
        let other = user.stub(problem: User(login: "octocat"), status: .notFound).output.connectionError
        #expect(other?.debugInfo.contains("404 Not Found with a User is not a problem to the endpoint") == true)
        let none = Endpoint.text(.get("https://a/")).stub(problem: User(login: "octocat"), status: .notFound)
        #expect(none.output.connectionError?.debugInfo.contains("is not a problem to the endpoint") == true)
    }

    private struct Refusal: Codable, Hashable, Sendable {
        var message: String
    }

    private let chat = Endpoint.events(.post("/chat"), problem: Refusal.self)

    @Test("a stream fails with a problem, its status and its header fields")
    func stream() async {
        let refusal = Refusal(message: "slow down")
        let stub = chat.stub(problem: refusal, status: .tooManyRequests, headers: ["Retry-After": "1"])
        var failures: [TransformError<Refusal>?] = []
        for await element in chat.stream(via: .stub(stub)) { failures.append(element.failure) }
        #expect(failures.map(\.?.problem) == [refusal])
        #expect(failures.first??.response.statusCode == .tooManyRequests)
        #expect(failures.first??.response.headers["Retry-After"] == "1")
    }

    @Test("a problem stub of a stream can't have a success status")
    func streamWithSuccess() {
        let error = chat.stub(problem: Refusal(message: "slow down"), status: .ok).output.connectionError
        #expect(error?.debugInfo.hasPrefix("200 OK with a Refusal is a success to the endpoint: ") == true)
    }
}
