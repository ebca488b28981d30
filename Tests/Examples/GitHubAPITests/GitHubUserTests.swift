import Foundation
import GitHubAPI
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

struct GitHubUserTests {
    @Test(
        "the request is a GET of the user, whose login remains one path segment",
        .parity("A9"),
        arguments: [("octocat", "octocat"), ("a/b?c#d", "a%2Fb%3Fc%23d"), ("...", "...")]
    )
    func input(_ login: String, _ segment: String) {
        let expected = Input(url: URL(string: "https://api.github.com/users/\(segment)")!)
        #expect(GitHubUser.endpoint(byLogin: login).input == .right(expected))
    }

    @Test(
        "a login that would lead to another resource is an error before anything is sent",
        .parity("A9"),
        arguments: ["", ".", ".."]
    )
    func vanishingLogin(_ login: String) async {
        let sent = Recorder<Input>()
        let stub = Connector.stub(.hasResponse(Response(statusCode: .ok)), recording: sent)
        let error = await GitHubUser.endpoint(byLogin: login).fetch(via: stub).left?.left
        #expect(error?.name == "malformedURL")
        #expect(error?.debugInfo.contains("{login}") == true)
        #expect(sent.elements.isEmpty)
    }

    @Test("a user is decoded from JSON with any other members, and an ID of more than 32 bits", .parity("A9"))
    func user() {
        let json = #"{"id":5000000000,"login":"octocat","site_admin":false}"#
        let response = Response(statusCode: .ok, payload: Data(json.utf8))
        #expect(GitHubUser.from(response: response) == .right(GitHubUser(id: 5_000_000_000, login: "octocat")))
    }

    @Test("a missing user is decoded as GitHub's problem", .parity("A9"))
    func notFound() {
        let response = Response(statusCode: .notFound, payload: Data(#"{"message":"Not Found","status":"404"}"#.utf8))
        #expect(GitHubUser.from(response: response) == .left(.problem(GitHubProblem(message: "Not Found"), response)))
    }

    @Test(
        "an error page that is not GitHub's is an unexpected status with its response",
        .parity("A9"),
        arguments: ["<html>", #"{"error": "no"}"#]
    )
    func errorPage(payload: String) {
        let response = Response(statusCode: .badGateway, payload: Data(payload.utf8))
        #expect(GitHubUser.from(response: response) == .left(.unexpectedStatusCode(response)))
    }

    @Test("the async and callback functions fetch the same value", .parity("A9"))
    func fetch() async {
        let payload = Data(#"{"id":1124024,"login":"Kuniwak"}"#.utf8)
        let stub = Connector.stub(routes: [
            "GET /users/Kuniwak": .hasResponse(Response(statusCode: .ok, payload: payload))
        ])
        let kuniwak = GitHubUser(id: 1_124_024, login: "Kuniwak")
        #expect(await GitHubUser.endpoint(byLogin: "Kuniwak").fetch(via: stub) == .right(kuniwak))
        let got = Recorder<GitHubUser?>()
        await GitHubUser.endpoint(byLogin: "Kuniwak").fetch(via: stub) { got.append($0.right) }.value
        #expect(got.elements == [kuniwak])
    }
}
