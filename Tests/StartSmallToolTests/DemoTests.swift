import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallTool

struct DemoTests {
    @Test("the demo shows each kind of outcome over a real socket, in order")
    func demo() async {
        let output = Recorder<Data>()
        let console = Console(write: { output.append($0) }, writeError: { output.append($0) }, isTerminal: false)
        #expect(await StartSmallTool.run(["demo"], console) == .success)
        let text = output.elements.map { String(decoding: $0, as: UTF8.self) }.joined()
        let outcomes = text.split(separator: "\n").filter { $0.hasPrefix("  right") || $0.hasPrefix("  left") }
        let expected = [
            #"right     GitHubZen(text: "Keep it logically awesome.")"#,
            #"right     GitHubUser(id: 583231, login: "octocat")"#,
            "left      problem: Not Found",
            "left      malformedData:",
            #"right     GitHubUser(id: 583231, login: "octocat")"#,
            "left      malformedURL",
            "left      connectionRefused",
        ]
        #expect(outcomes.count == expected.count)
        for (outcome, expected) in zip(outcomes, expected) { #expect(outcome.hasPrefix("  " + expected)) }
        #expect(text.contains("  redirect  301 Moved Permanently: http://127.0.0.1:"))
        #expect(!text.contains("\u{1B}"))
    }
}
