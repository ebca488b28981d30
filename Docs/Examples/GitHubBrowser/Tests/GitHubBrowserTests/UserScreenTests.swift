import GitHubAPI
import StartSmall
import StartSmallTesting
import Testing

@testable import GitHubBrowser

struct UserScreenTests {
    private let fake = FakeTerminal()
    private let octocat = Profile(login: "octocat", name: "monalisa octocat", bio: nil, repositories: 2, followers: 20)

    /// The endpoint creates its own stub, so that the client's declaration is also that of the stub.
    @Test("a user is shown without unknown members")
    func user() async {
        let gitHub = Connector.stub(Profile.endpoint(of: "octocat").stub(octocat))
        let status = await GitHubBrowser.run(["user", "octocat"], fake.terminal, via: gitHub)
        #expect(status == 0)
        #expect(fake.shown == "monalisa octocat (octocat)\n2 public repositories, 20 followers\n")
    }

    @Test("GitHub's own error is shown for a missing user")
    func nobody() async {
        let nobody = Profile.endpoint(of: "nobody")
        let gitHub = Connector.stub(nobody.stub(problem: GitHubProblem(message: "Not Found"), status: .notFound))
        let status = await GitHubBrowser.run(["user", "nobody"], fake.terminal, via: gitHub)
        #expect(status == 1)
        #expect(fake.told == ["GitHub says: Not Found\n"])
        #expect(fake.shown.isEmpty)
    }

    @Test("control characters in a user's profile are not shown")
    func controls() async {
        let hostile = Profile(login: "a", name: nil, bio: "\u{1B}[2J\u{7}hi\u{9B}0m", repositories: 0, followers: 0)
        let gitHub = Connector.stub(Profile.endpoint(of: "a").stub(hostile))
        _ = await GitHubBrowser.run(["user", "a"], fake.terminal, via: gitHub)
        #expect(fake.shown == "a\n[2Jhi0m\n0 public repositories, 0 followers\n")
    }
}
