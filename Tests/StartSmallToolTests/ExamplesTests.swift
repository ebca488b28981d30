import Foundation
import StartSmall
import StartSmallTesting
import Testing
import ParityTrait

@testable import StartSmallTool

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
        "indicator": ["busy", "idle", "busy", "idle", "50331648 bytes"],
        "retry": ["attempt 2, after 503", "attempt 3, after 502", "at last"],
        "polling": ["queued", "running", "done"],
        "token-refresh": ["one call has ended", "welcome"],
        "listener": [
            "GET /old", "started", "redirecting", "received 200 OK", "transformed", "succeeded", "ended",
            "GET /nowhere", "started", "received 404 Not Found", "refused", "failed", "ended",
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
        #expect(output == Self.written[name])
        #expect(errors == [])
    }

    @Test("without a name, all examples are listed in their order", .parity("B28"))
    func list() async {
        let (exit, output, _) = await run(["example"])
        #expect(exit == .success)
        #expect(output.map { $0.split(separator: " ").first.map(String.init) } == Example.all.map(\.name))
    }

    @Test("an unknown name is a usage error that lists the examples")
    func unknown() async {
        let (exit, output, errors) = await run(["example", "nothing"])
        #expect(exit == .usage)
        #expect(output == [])
        #expect(errors.count == Example.all.count + 1)
    }

    @Test("each example is a recipe of less than 60 lines in its own file")
    func short() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/StartSmallTool/Examples")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let recipes = files.filter { $0.hasSuffix("Example.swift") && $0 != "Example.swift" }
        #expect(recipes.count == Example.all.count)
        for recipe in recipes {
            let text = try String(contentsOf: folder.appendingPathComponent(recipe), encoding: .utf8)
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 60, "\(recipe)")
        }
    }

    @Test("on a terminal, the indicator example draws a progress line and removes it", .parity("B28"))
    func progressLine() async {
        let half = Connector { input, context in
            let received = TransferProgress.Count(bytes: 5_000_000, total: 10_000_000)
            if input.url.path == "/large" { context.report(.progress(TransferProgress(received: received))) }
            return .hasResponse(Response(statusCode: .ok, payload: Data("large".utf8)))
        }
        let (_, output, errors) = await run(["example", "indicator"], onTerminals: [.error], via: half)
        #expect(output.last == "5 bytes")
        #expect(errors == ["\r\u{1B}[2K[██████████          ]  50 %  5.0 of 10.0 MB\r\u{1B}[2K"])
    }

    private func run(
        _ arguments: [String],
        onTerminals terminals: Set<Console.Stream> = [],
        via engine: Connector = .standard
    ) async -> (ExitCode, output: [String], errors: [String]) {
        let (output, errors) = (Recorder<Data>(), Recorder<Data>())
        let console = Console(
            write: { output.append($0) },
            writeError: { errors.append($0) },
            terminals: terminals
        )
        let exit = await StartSmallTool.run(arguments, console, via: engine, clock: HastyClock())
        return (exit, lines(output), lines(errors))
    }

    private func lines(_ written: Recorder<Data>) -> [String] {
        written.elements.map { String(decoding: $0, as: UTF8.self) }.joined().split(separator: "\n").map(String.init)
    }
}
