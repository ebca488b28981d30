import GitHubAPI
import StartSmall
import StartSmallTesting
import Testing

@testable import GitHubBrowser

/// Tests with a cassette of two pages, with two repositories and one.
struct RepositoriesScreenTests {
    private let unexpected = Recorder<Input>()
    private let first = "Hello-World  ★ 80  My first repository on GitHub!\nSpoon-Knife  ★ 9\n"
    private let second = "linguist  ★ 3  fork  Language Savant\n"

    private func show(_ login: String, _ fake: FakeTerminal) async throws(Complaint) {
        let gitHub = Connector.replay(from: cassette("repositories"), unexpected: unexpected)
        try await RepositoriesScreen.show(login, fake.terminal, pageSize: 2, via: gitHub)
    }

    @Test("all pages are shown, without a question after the last one")
    func allPages() async throws {
        let fake = FakeTerminal(answering: "")
        try await show("octocat", fake)
        #expect(fake.shown == first + second)
        #expect(fake.told.count == 1)
        #expect(unexpected.elements == [])
    }

    @Test("no page is shown after the user quits", arguments: ["q", "Quit"])
    func quits(answer: String) async throws {
        let fake = FakeTerminal(answering: answer)
        try await show("octocat", fake)
        #expect(fake.shown == first)
    }

    @Test("one page is shown if no user can answer, as in a pipe")
    func nobody() async throws {
        let fake = FakeTerminal()
        try await show("octocat", fake)
        #expect(fake.shown == first)
    }

    @Test("a user without repositories gets a message")
    func none() async throws {
        let fake = FakeTerminal()
        try await show("ghost", fake)
        #expect(fake.shown == "ghost has no public repositories.\n")
    }

    @Test("the shown pages remain although the next one fails")
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
