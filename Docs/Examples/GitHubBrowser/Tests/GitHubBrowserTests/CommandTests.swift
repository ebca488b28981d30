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

    @Test("the time of the last calls is shown after the command, also if it fails")
    func times() async {
        let fake = FakeTerminal()
        let connector = Connector.stub(.json(#"{"message":"Not Found"}"#, status: .notFound))
        let status = await GitHubBrowser.run(["--times", "user", "nobody"], fake.terminal, via: connector)
        #expect(status == 1)
        let last = fake.told.suffix(2)
        #expect(last.first?.hasPrefix("GET https://api.github.com/users/nobody: 404 Not Found, ") == true)
        #expect(last.last?.hasPrefix("  in all ") == true)
    }

    @Test("as many of the last calls are shown as fit on a screen")
    func lastCalls() async {
        let calls = LastCalls()
        let connector = Connector.stub(.status(.ok)).wrapped(by: .listen(to: calls.listener))
        for number in 0..<50 {
            _ = await Endpoint.text(.get("https://api.github.com/{number}", ["number": "\(number)"])).fetch(
                via: connector
            )
        }
        let titles = calls.text.split(separator: "\n").filter { $0.hasPrefix("GET ") }
        #expect(titles.count == LastCalls.maximumCount)
        #expect(titles.last?.hasPrefix("GET https://api.github.com/49: ") == true)
    }
}
