import Foundation
import GitHubAPI
import StartSmall
import StartSmallStreams
import StartSmallTesting
import TestSupport
import Testing

struct GitHubRepositoryTests {
    private let octocat = GitHubUser(id: 1, login: "octocat")

    /// The JSON of the API's documentation, with members that this module does not decode.
    private func json(_ id: Int, _ name: String) -> String {
        """
        {"id": \(id), "node_id": "MDEwOlJlcG9zaXRvcnkxMjk2MjY5", "name": "\(name)", "full_name": "octocat/\(name)",
         "owner": {"login": "octocat", "id": 1, "type": "User", "site_admin": false},
         "private": true, "html_url": "https://github.com/octocat/\(name)", "description": "This your first repo!",
         "fork": false, "stargazers_count": 80, "topics": [], "visibility": "private"}
        """
    }

    private func repository(_ id: Int64, _ name: String) -> GitHubRepository {
        GitHubRepository(
            id: id,
            name: name,
            owner: octocat,
            isPrivate: true,
            summary: "This your first repo!",
            stars: 80
        )
    }

    @Test(
        "the own repositories are requested with credentials, for each visibility",
        .parity("D14"),
        arguments: GitHubRepository.Visibility.allCases
    )
    func own(visibility: GitHubRepository.Visibility) throws {
        let endpoint = GitHubRepository.list(visibility: visibility)
            .authorized(by: .basic(user: "octocat", password: "t0k3n"))
        let input = try #require(endpoint.input.right)
        #expect(
            input.url.absoluteString
                == "https://api.github.com/user/repos?visibility=\(visibility.rawValue)&per_page=100"
        )
        #expect(input.headers == ["Authorization": "Basic b2N0b2NhdDp0MGszbg=="])
        #expect(input.methodAndPayload == .get)
    }

    @Test("pages follow the Link field with the same credentials, until there is none", .parity("D14"))
    func pages() async {
        let sent = Recorder<Input>()
        let next = #"<https://api.github.com/user/repos?visibility=private&per_page=2&page=2>; rel="next""#
        let stub = Connector.stub(
            sequence: [
                .json("[\(json(1, "one")), \(json(2, "two"))]", headers: ["Link": next]),
                .json("[\(json(3, "three"))]"),
            ],
            recording: sent
        )
        var repositories: [GitHubRepository?] = []
        let list = GitHubRepository.list(visibility: .private, pageSize: 2)
            .authorized(by: .basic(user: "octocat", password: "t0k3n"))
        for await errorOrRepository in list.pages().items(via: stub) { repositories.append(errorOrRepository.right) }
        #expect(repositories == [repository(1, "one"), repository(2, "two"), repository(3, "three")])
        #expect(
            sent.elements.map(\.url.absoluteString) == [
                "https://api.github.com/user/repos?visibility=private&per_page=2",
                "https://api.github.com/user/repos?visibility=private&per_page=2&page=2",
            ]
        )
        #expect(sent.elements.allSatisfy { $0.headers["Authorization"] == "Basic b2N0b2NhdDp0MGszbg==" })
    }

    @Test("wrong credentials are decoded as GitHub's problem, with the number of the page", .parity("D14"))
    func unauthorized() async {
        let stub = Connector.stub(.json(#"{"message": "Bad credentials"}"#, status: .unauthorized))
        var failures: [PaginationError<GitHubError>?] = []
        for await errorOrPage in GitHubRepository.list().pages().stream(via: stub) { failures.append(errorOrPage.left) }
        #expect(failures.map { $0?.page } == [1])
        guard case .failed(.problem(let problem, _)) = failures.first??.reason else {
            Issue.record("\(failures)")
            return
        }
        #expect(problem == GitHubProblem(message: "Bad credentials"))
    }

    @Test("the repositories of any user are fetched")
    func ofUser() async {
        let stub = Connector.stub(routes: ["GET /users/octocat/repos": .json("[\(json(1, "one"))]")])
        let repositories = await GitHubRepository.list(ofUser: "octocat").fetch(via: stub)
        #expect(repositories == .right([repository(1, "one")]))
        let url = GitHubRepository.list(ofUser: "octocat", pageSize: 5).input.right?.url
        #expect(url?.absoluteString == "https://api.github.com/users/octocat/repos?per_page=5")
    }
}
