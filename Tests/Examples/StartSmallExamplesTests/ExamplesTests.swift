import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

@testable import start_small

/// Tests of the examples, run over the loopback server as a user would run them.
@Suite(.timeLimit(.minutes(1))) struct ExamplesTests {
    private static let written: [String: [String]] = [
        "simplest": ["Keep it logically awesome."],
        "get-json": [
            "octocat has the id 583231",
            "no user: id is not a value of type Int: Expected to decode Int but found a string instead.",
            "no user: 404 Not Found",
            "no response: malformedURL",
        ],
        "common-request": ["server saw: Kitchen/1.0, ja", "server saw: Kitchen/1.0, en"],
        "indicator": ["busy", "idle"],
        "retry": ["attempt 2, after 503", "attempt 3, after 502", "at last"],
        "polling": ["queued", "running", "done"],
        "token-refresh": ["one call has ended", "welcome"],
        "listener": [
            "GET /old", "started", "redirecting", "received 200 OK", "transformed", "succeeded", "ended",
            "GET /nowhere", "started", "received 404 Not Found", "rejected", "failed", "ended",
        ],
        "cancel": ["started", "cancelled", "the call was cancelled", "failed", "ended"],
        "mock": [
            "Design for failure.",
            "right(unexpectedStatusCode: (502 Bad Gateway, 0 bytes))",
            "sent: GET https://api.github.com/zen",
            "sent: GET https://api.github.com/zen",
        ],
        "convenient": ["text", "4 bytes", "[1, 2, 3]", "418", "6", "posted"],
    ]

    @Test("each example writes its expected output", .parity("B28"), arguments: Example.all.map(\.name))
    func example(_ name: String) async {
        let (exit, output, errors) = await run(["example", name])
        #expect(exit == .success)
        // The calls of the indicator's example may also run one after another.
        #expect((name == "indicator" ? Array(output.suffix(2)) : output) == Self.written[name])
        #expect(errors == [])
    }

    @Test("without a name, all examples are listed in their order", .parity("B28"))
    func list() async {
        let (exit, output, _) = await run(["example"])
        #expect(exit == .success)
        #expect(output.map { $0.split(separator: " ").first.map(String.init) } == Example.all.map(\.name))
    }

    @Test("an unknown name is a usage error that lists the examples", .parity("B28"))
    func unknown() async {
        let (exit, output, errors) = await run(["example", "nothing"])
        #expect(exit == .usage)
        #expect(output == [])
        #expect(errors.count == Example.all.count + 1)
    }

    @Test("each example is a recipe of less than 60 lines in its own file")
    func short() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/Examples/StartSmallExamples/Examples")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let recipes = files.filter { $0.hasSuffix("Example.swift") && $0 != "Example.swift" }
        #expect(recipes.count == Example.all.count)
        for recipe in recipes {
            let text = try String(contentsOf: folder.appendingPathComponent(recipe), encoding: .utf8)
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 60, "\(recipe)")
        }
    }

    @Test(
        "other arguments than those of a command are a usage error on one line",
        arguments: [[], ["fly"], ["--help"], ["demo", "twice"], ["example", "retry", "twice"]]
    )
    func usage(_ arguments: [String]) async {
        let (exit, output, errors) = await run(arguments)
        #expect(exit == .usage)
        #expect(output == [])
        #expect(errors == ["usage: start-small demo | start-small picture | start-small example [NAME]"])
    }

    private func run(_ arguments: [String]) async -> (ExitCode, output: [String], errors: [String]) {
        let (output, errors) = (Recorder<String>(), Recorder<String>())
        let console = Console(print: { output.append($0) }, error: { errors.append($0) })
        let exit = await ExampleCommand.run(arguments, console, clock: HastyClock())
        return (exit, output.elements, errors.elements)
    }
}
