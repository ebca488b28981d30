import Foundation
import GitHubAPI
import StartSmall
import StartSmallTesting
import Testing

struct GitHubIssueTests {
    private let draft = GitHubIssue.Draft(title: "Found a bug", body: "I'm having a problem.", labels: ["bug"])

    /// The JSON of the API's documentation, with members that this module does not decode.
    private func json(_ state: String) -> String {
        """
        {"id": 1, "number": 1347, "state": "\(state)", "title": "Found a bug", "body": "I'm having a problem.",
         "user": {"login": "octocat", "id": 1}, "labels": [{"id": 208045946, "name": "bug"}], "locked": false,
         "comments": 0, "closed_at": null, "created_at": "2011-04-22T13:33:48Z", "state_reason": null}
        """
    }

    private func body(of endpoint: Endpoint<GitHubError, GitHubIssue>) throws -> Data {
        try #require(endpoint.input.right?.methodAndPayload.body)
    }

    @Test("an issue is created with its title, text and labels")
    func create() async throws {
        struct Sent: Decodable, Equatable {
            var title = "Found a bug"
            var body = "I'm having a problem."
            var labels = ["bug"]
        }
        let endpoint = GitHubIssue.create(draft, in: "Hello-World", of: "octocat")
        #expect(try JSONDecoder().decode(Sent.self, from: try body(of: endpoint)) == Sent())
        let stub = Connector.stub(routes: [
            "POST /repos/octocat/Hello-World/issues": .json(json("open"), status: .created)
        ])
        let issue = GitHubIssue(number: 1347, title: "Found a bug", body: "I'm having a problem.")
        #expect(await endpoint.fetch(via: stub) == .right(issue))
    }

    @Test(
        "an issue is closed with a reason",
        arguments: zip(GitHubIssue.Closing.allCases, ["completed", "not_planned"])
    )
    func close(reason: GitHubIssue.Closing, word: String) async throws {
        let endpoint = GitHubIssue.close(1347, in: "Hello-World", of: "octocat", as: reason)
        let sent = try JSONDecoder().decode([String: String].self, from: try body(of: endpoint))
        #expect(sent == ["state": "closed", "state_reason": word])
        let stub = Connector.stub(routes: ["PATCH /repos/octocat/Hello-World/issues/1347": .json(json("closed"))])
        #expect(await endpoint.fetch(via: stub).right?.state == .closed)
    }

    @Test("the errors of an invalid issue are decoded as GitHub's problem")
    func invalid() async {
        let payload = #"""
            {"message": "Validation Failed",
             "errors": [{"resource": "Issue", "field": "title", "code": "missing_field"}]}
            """#
        let stub = Connector.stub(.json(payload, status: .unprocessableContent))
        let failure = await GitHubIssue.create(.init(title: ""), in: "Hello-World", of: "octocat").fetch(via: stub)
            .failure
        #expect(failure?.problem?.errors == [.init(resource: "Issue", field: "title", code: "missing_field")])
    }

    @Test("each name remains one path segment, or is an error")
    func hostileNames() {
        let url = GitHubIssue.create(draft, in: "a/b", of: "c?d").input.right?.url
        #expect(url?.path(percentEncoded: true) == "/repos/c%3Fd/a%2Fb/issues")
        #expect(GitHubIssue.close(1, in: "..", of: "octocat").input.left?.name == "malformedURL")
    }
}
