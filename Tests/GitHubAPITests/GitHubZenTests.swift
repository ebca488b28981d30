import Foundation
import GitHubAPI
import StartSmall
import StartSmallTesting
import Testing

struct GitHubZenTests {
    @Test("A8 what is sent")
    func input() {
        #expect(GitHubZen.endpoint.input == .right(Input(url: URL(string: "https://api.github.com/zen")!)))
    }

    @Test("A8 a text is a phrase")
    func phrase() {
        let response = Response(statusCode: .ok, payload: Data("Approachable is better than simple.".utf8))
        #expect(GitHubZen.from(response: response) == .right(GitHubZen(text: "Approachable is better than simple.")))
    }

    @Test("A8 bytes that are no text are malformed, and kept")
    func malformed() {
        let response = Response(statusCode: .ok, payload: Data([0xFF, 0xFE]))
        guard case .left(.malformedData(response, _)) = GitHubZen.from(response: response) else {
            Issue.record("\(GitHubZen.from(response: response))")
            return
        }
    }

    @Test("A8 a rate limit is GitHub's own problem, read")
    func rateLimit() {
        let payload = Data(#"{"message":"API rate limit exceeded","documentation_url":"https://docs.github.com"}"#.utf8)
        let response = Response(statusCode: .forbidden, payload: payload)
        let problem = GitHubProblem(message: "API rate limit exceeded", documentationURL: "https://docs.github.com")
        #expect(GitHubZen.from(response: response) == .left(.problem(problem, response)))
    }

    @Test("A8 async and callback fetch the same")
    func fetch() async {
        let stub = Connector.stub(.hasResponse(Response(statusCode: .ok, payload: Data("Design for failure.".utf8))))
        #expect(await GitHubZen.fetch(via: stub) == .right(GitHubZen(text: "Design for failure.")))
        let got = Recorder<GitHubZen?>()
        await GitHubZen.fetch(via: stub) { got.append($0.right) }.value
        #expect(got.elements == [GitHubZen(text: "Design for failure.")])
    }
}
