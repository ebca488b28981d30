import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import GitHubBrowser

struct CommandTests {
    @Test("each command is parsed")
    func commands() throws {
        let name = try #require(RepositoryName("octocat/Hello-World"))
        #expect(Command(["user", "octocat"]) == .user("octocat"))
        #expect(Command(["repositories", "octocat"]) == .repositories("octocat"))
        #expect(Command(["archive", "octocat/Hello-World", "f"]) == .archive(name, file: URL(filePath: "f")))
        let standard = URL(filePath: "Hello-World.tar.gz")
        #expect(Command(["archive", "octocat/Hello-World"]) == .archive(name, file: standard))
    }

    @Test(
        "invalid arguments show the usage, and nothing is called",
        arguments: [
            [], ["user"], ["user", "a", "b"], ["fetch", "a"], ["archive", "a"], ["archive", "a/"],
            ["archive", "a/b/c"],
        ]
    )
    func usage(arguments: [String]) async {
        let fake = FakeTerminal()
        let calls = Recorder<Input>()
        let connector = Connector.stub(sequence: [], unexpected: calls)
        let status = await GitHubBrowser.run(arguments, fake.terminal, via: connector)
        #expect(status == 64)
        #expect(fake.told.joined() == Command.usage + "\n")
        #expect(calls.elements == [])
    }
}
