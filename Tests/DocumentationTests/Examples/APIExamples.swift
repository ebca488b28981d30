import Foundation
import GitHubAPI
import QiitaAPI
import StartSmall
import StartSmallTesting
import Testing
import ParityTrait

/// The Swift blocks of Sources/GitHubAPI/GitHubAPI.docc/GitHubAPI.md and Sources/QiitaAPI/QiitaAPI.docc/QiitaAPI.md, in
/// order.
struct APIExamples {
    private let shown = Recorder<String>()
    private let token = "t0k3n"

    private func show(_ text: String) { shown.append(text) }

    @Test("the repositories of a list are fetched page by page", .parity("D14"))
    func list() async {
        let connector = Connector.stub(sequence: [
            .json(
                #"[{"id": 1, "name": "one", "private": true, "fork": false, "owner": {"id": 1, "login": "octocat"}}]"#,
                headers: ["Link": #"<https://api.github.com/user/repos?page=2>; rel="next""#]
            ),
            .json(#"{"message": "Bad credentials"}"#, status: .unauthorized),
        ])

        let list = GitHubRepository.list(visibility: .private)
            .authorized(by: .basic(user: "octocat", password: token))

        for await errorOrRepository in list.pages(via: connector).items {
            switch errorOrRepository {
            case .right(let repository): show(repository.name)
            case .left(let failure): show("\(failure)")
            }
        }

        #expect(shown.elements.count == 2)
        #expect(shown.elements.first == "one")
        #expect(shown.elements.last?.hasPrefix("page 2: problem: Bad credentials") == true)
    }

    @Test("a listener observes how many calls are left")
    func limits() async {
        let show = self.shown.append
        let stub = Connector.stub(
            .text(
                "Design for failure.",
                headers: ["X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59", "X-RateLimit-Reset": "1372700873"]
            )
        )

        let limits = Listener { event in
            guard case .received(let response) = event, let limit = GitHubRateLimit(of: response) else { return }
            show("\(limit.remaining) of \(limit.limit)")
        }

        _ = await GitHubZen.fetch(via: stub.wrapped(by: .listen(to: limits)))
        #expect(shown.elements == ["59 of 60"])
    }

    @Test("an article is posted and then deleted", .parity("C8"))
    func article() async throws {
        let sent = Recorder<Input>()
        let posted = #"""
            {"id": "c686397e4a0f4f11683d", "title": "Start small", "body": "# First", "private": false,
             "tags": [{"name": "Swift", "versions": []}], "url": "https://qiita.com/items/c686397e4a0f4f11683d",
             "created_at": "2000-01-01T00:00:00Z", "updated_at": "2000-01-01T00:00:00Z"}
            """#
        let stub = Connector.stub(
            routes: [
                "POST /api/v2/items": .json(posted, status: .created),
                "DELETE /api/v2/items/c686397e4a0f4f11683d": .status(.noContent),
            ],
            recording: sent
        )
        let server = try #require(URL(string: "https://qiita.com"))

        let qiita = stub.wrapped(by: .bearer(token, to: .origin(server)))
        let draft = QiitaArticle.Draft(title: "Start small", body: "# First", tags: [QiitaArticle.Tag("Swift")])

        let article = try await QiitaArticle.post(draft).value(via: qiita)
        try await QiitaArticle.delete(id: article.id).value(via: qiita)

        #expect(sent.elements.map { $0.headers["Authorization"] } == ["Bearer t0k3n", "Bearer t0k3n"])
    }
}
