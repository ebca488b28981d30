import Foundation
import GitHubAPI
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

struct GitHubZenTests {
    @Test("the request is a GET of the phrase", .parity("A8"))
    func input() {
        #expect(GitHubZen.endpoint.input == .right(Input(url: URL(string: "https://api.github.com/zen")!)))
    }

    @Test("a text is decoded as a phrase", .parity("A8"))
    func phrase() {
        let response = Response(statusCode: .ok, payload: Data("Approachable is better than simple.".utf8))
        #expect(GitHubZen.from(response: response) == .right(GitHubZen(text: "Approachable is better than simple.")))
    }

    @Test("an exceeded rate limit is decoded as GitHub's problem", .parity("A8"))
    func rateLimit() {
        let payload = Data(#"{"message":"API rate limit exceeded","documentation_url":"https://docs.github.com"}"#.utf8)
        let response = Response(statusCode: .forbidden, payload: payload)
        let problem = GitHubProblem(message: "API rate limit exceeded", documentationURL: "https://docs.github.com")
        #expect(GitHubZen.from(response: response) == .left(.problem(problem, response)))
    }

    @Test("the async and callback functions fetch the same value", .parity("A8"))
    func fetch() async {
        let stub = Connector.stub(.hasResponse(Response(statusCode: .ok, payload: Data("Design for failure.".utf8))))
        #expect(await GitHubZen.endpoint.fetch(via: stub) == .right(GitHubZen(text: "Design for failure.")))
        let got = Recorder<GitHubZen?>()
        await GitHubZen.endpoint.fetch(via: stub) { got.append($0.right) }.value
        #expect(got.elements == [GitHubZen(text: "Design for failure.")])
    }
}
