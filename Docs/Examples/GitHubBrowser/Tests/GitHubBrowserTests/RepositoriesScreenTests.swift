import GitHubAPI
import StartSmall
import StartSmallTesting
import Testing

@testable import GitHubBrowser

/// Two pages, of two repositories and of one, as they were answered one after the other.
struct RepositoriesScreenTests {
    private let unexpected = Recorder<Input>()
    private let first = "Hello-World  ★ 80  My first repository on GitHub!\nSpoon-Knife  ★ 9\n"
    private let second = "linguist  ★ 3  fork  Language Savant\n"

    private func show(_ login: String, _ fake: FakeTerminal) async throws(Complaint) {
        let gitHub = Connector.replay(from: cassette("repositories"), unexpected: unexpected)
        try await RepositoriesScreen.show(login, fake.terminal, pageSize: 2, via: gitHub)
    }

    @Test("page by page to the last one, and no question behind it")
    func allPages() async throws {
        let fake = FakeTerminal(answering: "")
        try await show("octocat", fake)
        #expect(fake.shown == first + second)
        #expect(fake.told.count == 1)
        #expect(unexpected.elements == [])
    }

    @Test("no further than the user wants", arguments: ["q", "Quit"])
    func quits(answer: String) async throws {
        let fake = FakeTerminal(answering: answer)
        try await show("octocat", fake)
        #expect(fake.shown == first)
    }

    @Test("one page where nobody can answer, as in a pipe")
    func nobody() async throws {
        let fake = FakeTerminal()
        try await show("octocat", fake)
        #expect(fake.shown == first)
    }

    @Test("somebody without repositories")
    func none() async throws {
        let fake = FakeTerminal()
        try await show("ghost", fake)
        #expect(fake.shown == "ghost has no public repositories.\n")
    }

    @Test("pages that were shown stay, though the next one fails")
    func failsLater() async {
        let fake = FakeTerminal()
        let next = #"<https://api.github.com/user/583231/repos?per_page=2&page=2>; rel="next""#
        let octocat = GitHubUser(id: 583_231, login: "octocat")
        let gitHub = Connector.stub(
            sequence: [
                .json(encoding: [GitHubRepository(id: 1, name: "one", owner: octocat)], headers: ["Link": next]),
                .json(#"{"message": "Server Error"}"#, status: .internalServerError),
            ]
        )
        let status = await GitHubBrowser.run(["repositories", "octocat"], fake.terminal, via: gitHub)
        #expect(status == 1)
        #expect(fake.shown == "one\n")
        #expect(fake.told == ["GitHub says: Server Error\n"])
    }
}
