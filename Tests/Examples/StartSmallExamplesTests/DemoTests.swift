import StartSmall
import StartSmallTesting
import Testing

@testable import start_small

struct DemoTests {
    private func run(via connector: Connector = .standard) async -> (ExitCode, lines: [String]) {
        let lines = Recorder<String>()
        let console = Console(print: { lines.append($0) }, error: { lines.append($0) })
        let exit = await ExampleCommand.run(["demo"], console, via: connector, clock: HastyClock())
        return (exit, lines.elements)
    }

    @Test("the demo shows each kind of outcome over a real socket, in order, with its nesting")
    func demo() async {
        let (exit, lines) = await run()
        #expect(exit == .success)
        let outcomes = lines.filter { $0.hasPrefix("  right") || $0.hasPrefix("  left") }
        let expected = [
            #"right     .right(GitHubZen(text: "Keep it logically awesome."))"#,
            #"right     .right(GitHubUser(id: 583231, login: "octocat"))"#,
            "left      .left(.right(problem: Not Found (404 Not Found ",
            "left      .left(.right(malformedData: ",
            #"right     .right(GitHubUser(id: 583231, login: "octocat"))"#,
            "left      .left(.left(malformedURL: ",
            "left      .left(.left(connectionRefused: ",
        ]
        #expect(outcomes.count == expected.count)
        for (outcome, expected) in zip(outcomes, expected) { #expect(outcome.hasPrefix("  " + expected)) }
        #expect(lines.contains { $0.hasPrefix("  redirect  301 Moved Permanently: http://127.0.0.1:") })
        let timeline = lines.suffix(6)
        #expect(timeline.first?.hasPrefix("  GET https://api.github.com/users/renamed: 200 OK, ") == true)
        let labels = ["request 1", "retrying: attempt 2 in 0.1 se", "request 2", "redirecting: 301 Moved", "request 3"]
        for (line, label) in zip(timeline.dropFirst(), labels) { #expect(line.hasPrefix("    \(label)")) }
    }

    @Test("the picture of a call is one of SVG")
    func picture() async {
        let lines = Recorder<String>()
        let console = Console(print: { lines.append($0) }, error: { lines.append($0) })
        let exit = await ExampleCommand.run(["picture"], console, clock: HastyClock())
        #expect(exit == .success && lines.elements.count == 1)
        #expect(lines.elements.first?.hasPrefix("<svg xmlns=") == true)
        #expect(lines.elements.first?.contains(">request 3, HTTP/1.1, reused</text>") == true)
    }

    @Test("the demo shows the endpoint's request and the sent request separately")
    func endpointAndSent() async {
        let lines = await run().lines
        let asked = lines.filter { $0.hasPrefix("  endpoint") }
        let sent = lines.filter { $0.hasPrefix("  sent") }
        #expect(asked.count == 7)
        #expect(asked.count { $0.hasPrefix("  endpoint  GET https://api.github.com/") } == 6)
        #expect(asked.contains("  endpoint  the request can't be built"))
        #expect(sent.count == 6)
        #expect(sent.allSatisfy { $0.hasPrefix("  sent      GET http://127.0.0.1:") })
    }

    @Test("a demo with unexpected outcomes does not exit with success")
    func surprise() async {
        let (exit, lines) = await run(via: .stub(.status(.ok)))
        #expect(exit == .surprise)
        // An empty 200 is malformed data, which is expected for one user, and an invalid login sends nothing.
        #expect(lines.count { $0.hasPrefix("unexpected result: ") } == 6)
    }
}
