import Foundation
import QiitaAPI
import StartSmall
import StartSmallTesting
import Testing
import ParityTrait

struct QiitaArticleTests {
    private let draft = QiitaArticle.Draft(
        title: "Start small",
        body: "# First",
        tags: [QiitaArticle.Tag("Swift", versions: ["6.2"])]
    )

    /// The JSON of the API's documentation, with members that this module does not decode.
    private let posted = #"""
        {
          "rendered_body": "<h1>First</h1>",
          "body": "# First",
          "coediting": false,
          "comments_count": 0,
          "created_at": "2000-01-01T09:00:00+09:00",
          "group": null,
          "id": "c686397e4a0f4f11683d",
          "likes_count": 0,
          "private": false,
          "reactions_count": 0,
          "stocks_count": 0,
          "tags": [{"name": "Swift", "versions": ["6.2"]}],
          "title": "Start small",
          "updated_at": "2000-01-02T00:00:00Z",
          "url": "https://qiita.com/Qiita/items/c686397e4a0f4f11683d",
          "user": {"id": "qiita", "permanent_id": 1},
          "page_views_count": null,
          "slide": false
        }
        """#

    @Test("an article is posted as JSON, with the author's token", .parity("C8"))
    func post() throws {
        let endpoint = QiitaArticle.post(draft).authorized(by: .bearer("t0k3n"))
        let input = try #require(endpoint.input.right)
        #expect(input.methodAndPayload.method == "POST")
        #expect(input.url.absoluteString == "https://qiita.com/api/v2/items")
        #expect(input.headers == ["Authorization": "Bearer t0k3n"])
        #expect(input.methodAndPayload.payload?.mediaType == .json)
        let sent = try JSONDecoder().decode(SentDraft.self, from: try #require(input.methodAndPayload.body))
        #expect(sent == SentDraft())
    }

    /// The members that the server decodes from the draft above.
    private struct SentDraft: Decodable, Equatable {
        var title = "Start small"
        var body = "# First"
        var tags = [QiitaArticle.Tag("Swift", versions: ["6.2"])]
        var `private` = false
    }

    @Test("the posted article is returned with 201", .parity("C8"))
    func created() async throws {
        let stub = Connector.stub(routes: ["POST /api/v2/items": .json(posted, status: .created)])
        let article = try await QiitaArticle.post(draft).value(via: stub)
        #expect(article.id == "c686397e4a0f4f11683d")
        #expect(article.title == draft.title)
        #expect(article.body == draft.body)
        #expect(article.tags == draft.tags)
        #expect(article.isPrivate == draft.isPrivate)
        #expect(article.url.absoluteString == "https://qiita.com/Qiita/items/c686397e4a0f4f11683d")
        #expect(article.createdAt == Date(timeIntervalSince1970: 946_684_800))
        #expect(article.updatedAt == Date(timeIntervalSince1970: 946_771_200))
    }

    @Test("an article of another form is malformed data, and the error has the position", .parity("C8"))
    func malformed() {
        let response = Response(statusCode: .created, payload: Data(#"{"id": 1}"#.utf8))
        guard case .left(.malformedData(response, let debugInfo)) = QiitaArticle.from(response: response) else {
            Issue.record("\(QiitaArticle.from(response: response))")
            return
        }
        #expect(debugInfo.contains("id"))
    }

    @Test("an article is deleted by its ID, and the response is a 204 without a payload", .parity("C8"))
    func delete() async throws {
        let server = try #require(URL(string: "https://qiita.com"))
        let sent = Recorder<Input>()
        let stub = Connector.stub(
            routes: ["DELETE /api/v2/items/c686397e4a0f4f11683d": .status(.noContent)],
            recording: sent
        )
        let connector = stub.wrapped(by: .bearer("t0k3n", to: .origin(server)))
        let deleted = await QiitaArticle.delete(id: "c686397e4a0f4f11683d").fetch(via: connector)
        #expect(deleted.right != nil)
        #expect(sent.elements.map(\.methodAndPayload) == [.delete(payload: nil)])
        #expect(sent.elements.map { $0.headers["Authorization"] } == ["Bearer t0k3n"])
    }

    @Test("a failed deletion is decoded as Qiita's problem", .parity("C8"))
    func notFound() async {
        let stub = Connector.stub(.json(#"{"message": "Not found", "type": "not_found"}"#, status: .notFound))
        let failure = await QiitaArticle.delete(id: "none").fetch(via: stub).failure
        #expect(failure?.problem == QiitaProblem(message: "Not found", type: "not_found"))
        #expect(failure?.response.statusCode == .notFound)
    }

    @Test(
        "an ID that would lead to another resource is an error, and nothing is sent",
        .parity("C8"),
        arguments: ["", ".", ".."]
    )
    func climbing(id: String) {
        #expect(QiitaArticle.delete(id: id).input.left?.name == "malformedURL")
    }

    @Test(
        "an ID of any characters remains one path segment",
        .parity("C8"),
        arguments: ["a/b", "a?b#c", "a/../b", "🐙"]
    )
    func hostile(id: String) throws {
        let url = try #require(QiitaArticle.delete(id: id).input.right?.url)
        #expect(url.path(percentEncoded: true).split(separator: "/").count == 4)
        #expect(url.query == nil && url.fragment == nil)
    }

    @Test("a token that can't be sent is an error, and nothing is sent", .parity("C8"))
    func badToken() {
        let endpoint = QiitaArticle.post(draft).authorized(by: .bearer("t0k3n\n"))
        #expect(endpoint.input.left?.name == "missingCredentials")
    }
}
