import Foundation
import GitHubAPI
import StartSmall
import StartSmallTesting
import Testing
import ParityTrait

struct GitHubUserTests {
    @Test("the request is a GET of the user", .parity("A9"))
    func input() {
        let expected = Input(url: URL(string: "https://api.github.com/users/octocat")!)
        #expect(GitHubUser.endpoint(byLogin: "octocat").input == .right(expected))
    }

    @Test(
        "a login of any characters remains one path segment",
        .parity("A9"),
        arguments: ["a/b", "a?b#c", "50%", "a b", "🐙", "a\r\nb", "...", "a/../b"]
    )
    func hostileLogin(_ login: String) throws {
        let url = try #require(GitHubUser.endpoint(byLogin: login).input.right?.url)
        let segments = url.path(percentEncoded: true).split(separator: "/")
        #expect(segments.count == 2)
        #expect(segments.last?.removingPercentEncoding == login)
        #expect(url.query == nil && url.fragment == nil)
    }

    @Test(
        "a login that would lead to another resource is an error before anything is sent",
        .parity("A9"),
        arguments: ["", ".", ".."]
    )
    func vanishingLogin(_ login: String) async {
        let sent = Recorder<Input>()
        let stub = Connector.stub(.hasResponse(Response(statusCode: .ok)), recording: sent)
        let error = await GitHubUser.fetch(byLogin: login, via: stub).left?.left
        #expect(error?.name == "malformedURL")
        #expect(error?.debugInfo.contains("{login}") == true)
        #expect(sent.elements.isEmpty)
    }

    @Test("a user is decoded from JSON with any other members", .parity("A9"))
    func user() {
        let response = Response(statusCode: .ok, payload: Data(#"{"id":1,"login":"octocat","site_admin":false}"#.utf8))
        #expect(GitHubUser.from(response: response) == .right(GitHubUser(id: 1, login: "octocat")))
    }

    @Test("an ID may have more than 32 bits, even on platforms with a 32-bit Int")
    func largeID() throws {
        let response = Response(statusCode: .ok, payload: Data(#"{"id":5000000000,"login":"octocat"}"#.utf8))
        let id: Int64 = try #require(GitHubUser.from(response: response).right).id
        #expect(id == 5_000_000_000)
    }

    @Test("a missing user is decoded as GitHub's problem", .parity("A9"))
    func notFound() {
        let response = Response(statusCode: .notFound, payload: Data(#"{"message":"Not Found","status":"404"}"#.utf8))
        #expect(GitHubUser.from(response: response) == .left(.problem(GitHubProblem(message: "Not Found"), response)))
    }

    @Test("an error page that is not GitHub's is an unexpected status with its response", .parity("A9"))
    func errorPage() {
        let response = Response(statusCode: .badGateway, payload: Data("<html>".utf8))
        #expect(GitHubUser.from(response: response) == .left(.unexpectedStatusCode(response)))
    }

    @Test("a payload of another form is malformed data, and the error has the position", .parity("A9"))
    func malformed() {
        let response = Response(statusCode: .ok, payload: Data(#"{"id":"one","login":"octocat"}"#.utf8))
        guard case .left(.malformedData(response, let debugInfo)) = GitHubUser.from(response: response) else {
            Issue.record("\(GitHubUser.from(response: response))")
            return
        }
        #expect(debugInfo.contains("id"))
    }

    @Test("the async and callback functions fetch the same value", .parity("A9"))
    func fetch() async {
        let payload = Data(#"{"id":1124024,"login":"Kuniwak"}"#.utf8)
        let stub = Connector.stub(routes: [
            "GET /users/Kuniwak": .hasResponse(Response(statusCode: .ok, payload: payload))
        ])
        let kuniwak = GitHubUser(id: 1_124_024, login: "Kuniwak")
        #expect(await GitHubUser.fetch(byLogin: "Kuniwak", via: stub) == .right(kuniwak))
        let got = Recorder<GitHubUser?>()
        await GitHubUser.fetch(byLogin: "Kuniwak", via: stub) { got.append($0.right) }.value
        #expect(got.elements == [kuniwak])
    }
}
