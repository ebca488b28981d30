import Foundation
import QiitaAPI
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

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
          "created_at": "2000-01-01T09:00:00+09:00",
          "group": null,
          "id": "c686397e4a0f4f11683d",
          "private": false,
          "tags": [{"name": "Swift", "versions": ["6.2"]}],
          "title": "Start small",
          "updated_at": "2000-01-02T00:00:00Z",
          "url": "https://qiita.com/Qiita/items/c686397e4a0f4f11683d",
          "user": {"id": "qiita", "permanent_id": 1},
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
        "an ID remains one path segment, or is an error",
        .parity("C8"),
        arguments: [("", nil), (".", nil), ("..", nil), ("a/b", "a%2Fb"), ("a?b#c", "a%3Fb%23c")] as [(String, String?)]
    )
    func hostile(id: String, segment: String?) {
        let url = QiitaArticle.delete(id: id).input.right?.url.absoluteString
        #expect(url == segment.map { "https://qiita.com/api/v2/items/\($0)" })
    }
}
