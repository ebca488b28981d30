import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallTool

/// Tests of each option of a call over the loopback server.
@Suite(.timeLimit(.minutes(1))) struct CallOptionsTests {
    /// A connector that responds with the request's method, target, some fields and payload.
    private static let echo = Connector.stub { input in
        let names = ["Accept", "Authorization", "Content-Type", "X"]
        let fields = names.compactMap { name in input.headers[name].map { "\(name): \($0)\n" } }.joined()
        let payload = String(decoding: input.methodAndPayload.body ?? Data(), as: UTF8.self)
        return .text("\(input.methodAndPayload.method) \(input.url.path)?\(input.url.query ?? "")\n\(fields)\(payload)")
    }

    private func echoed(input: Either<StreamError, Data> = .right(Data()), _ words: String...) async throws -> String {
        let console = Recorder<Data>()
        return try await LoopbackServer.serving(Self.echo) { server in
            let streams = Console(
                write: { console.append($0) },
                writeError: { console.append($0) },
                read: { () throws(StreamError) in try input.get() }
            )
            _ = await StartSmallTool.run([":\(server.port)/p"] + words, streams)
            return String(decoding: console.elements.reduce(Data(), +), as: UTF8.self)
        }
    }

    private func expect(_ echoed: String, _ expected: String, _ location: SourceLocation = #_sourceLocation) {
        #expect(echoed == expected, sourceLocation: location)
    }

    @Test("request items in HTTPie's syntax are sent")
    func items() async throws {
        let expected = """
            POST /p?q=a%26b
            Accept: application/json, */*;q=0.5
            Content-Type: application/json
            X: 1
            {"a":"b","n":[1]}
            """
        expect(try await echoed("a=b", "n:=[1]", "q==a&b", "X:1"), expected)
    }

    @Test("-u sends Basic credentials, --json a validated payload, -d @- standard input")
    func payloads() async throws {
        expect(try await echoed("-u", "me:p:q"), "GET /p?\nAuthorization: Basic bWU6cDpx\n")
        let json = "POST /p?\nAccept: application/json\nContent-Type: application/json\n[1]"
        expect(try await echoed("--json", "[1]"), json)
        let input = "POST /p?\nContent-Type: application/json\n[2]"
        expect(try await echoed(input: .right(Data("[2]".utf8)), "-d", "@-"), input)
    }

    @Test("closed standard input is an error, and nothing is sent")
    func closedInput() async throws {
        let expected = "no response: malformedPayload: standard input: Bad file descriptor\n"
        expect(try await echoed(input: .left(StreamError(code: EBADF)), "-d@-"), expected)
    }

    @Test("-F sends a form with texts, files and standard input")
    func form() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).txt")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("content".utf8).write(to: file)
        let sent = try await echoed(input: .right(Data("in".utf8)), "-F", "a=1", "-F", "f=@\(file.path)", "-F", "i=@-")
        #expect(sent.hasPrefix("POST /p?\nContent-Type: multipart/form-data; boundary="))
        #expect(sent.contains("name=\"a\"\r\n\r\n1\r\n"))
        #expect(sent.contains("filename=\"\(file.lastPathComponent)\"\r\nContent-Type: text/plain"))
        #expect(sent.contains("\r\n\r\ncontent\r\n") && sent.contains("\r\n\r\nin\r\n"))
    }

    @Test("a header with a line break is not sent", arguments: ["A: 1\r\nB: 2", "A\r\nB: 2", "A: 1\nB: 2"])
    func lineBreak(_ field: String) async throws {
        let answer = try await echoed("-H", field)
        #expect(answer.hasPrefix("no response: malformedHeader: "))
    }

    private static let redirecting = Connector.stub { input in
        input.url.path == "/old" ? .status(.found, headers: ["Location": "/new"]) : .text("new")
    }

    @Test("a redirect is followed on request only")
    func follow() async {
        let run = ToolRun()
        #expect(await run("http://a.example/old", via: Self.redirecting) == .transformError)
        #expect(run.errorText.hasSuffix("; --follow follows the redirect\n"))
        #expect(await run("http://a.example/old", "-L", via: Self.redirecting) == .success)
        #expect(run.text == "new")
        let refusal = Connector.stub(.status(.unauthorized, headers: ["Location": "/new"]))
        #expect(await run("http://a.example/old", via: refusal) == .transformError)
        #expect(run.errorText.components(separatedBy: "--follow").count == 2)
    }

    @Test("-i writes the status and headers before the payload, HEAD writes only them")
    func include() async {
        let run = ToolRun()
        _ = await run("a.example", "-i", via: .stub(.json("[]", headers: ["Set-Cookie": "a=hunter2"])))
        _ = await run("head", "a.example", via: .stub(.status(.ok, headers: ["A": "1"])))
        let head = "200 OK\nSet-Cookie: <redacted>\nContent-Type: application/json\n\n[]"
        #expect(run.text == head + "200 OK\nA: 1\n\n")
        #expect(run.errorText == "")
    }

    @Test("-v shows requests and responses on standard error, credentials redacted")
    func verbose() async {
        let run = ToolRun()
        let redirecting = Connector.stub { input in
            input.url.path == "/old"
                ? .status(.found, headers: ["Location": "/new?token=hunter2"])
                : .text("new", headers: ["Set-Cookie": "a=hunter2"])
        }
        _ = await run("http://a.example/old?token=hunter2", "-vL", "-u", "me:hunter2", "q==1", via: redirecting)
        let expected = """
            > GET http://a.example/old?token=<redacted>&q=1
            > Authorization: <redacted>
            >
            < 302 Found
            < Location: /new?token=<redacted>
            <
            > GET http://a.example/new?token=<redacted>
            > Authorization: <redacted>
            >
            < 200 OK
            < Set-Cookie: <redacted>
            < Content-Type: text/plain; charset=utf-8
            <

            """
        #expect(run.errorText == expected)
        #expect(run.text == "new")
    }

    @Test("--timeout ends a call that takes too long")
    func timeout() async {
        let run = ToolRun()
        let silent = Connector { _ in
            await Latch().wait()
            return .noResponse(.cancelled)
        }
        #expect(await run("a.example", "--timeout", "0.5", via: silent) == .connectionError)
        #expect(run.errorText.hasPrefix("no response: timedOut"))
    }

    @Test(
        "--retry repeats an idempotent request up to the given number of times",
        arguments: [("get", 3), ("post", 1)]
    )
    func retry(_ method: String, _ count: Int) async {
        let (run, sent) = (ToolRun(), Recorder<Input>())
        let stub = Connector.stub(.status(.serviceUnavailable), recording: sent)
        #expect(await run(method, "a.example", "--retry", "2", via: stub) == .transformError)
        #expect(sent.elements.count == count)
    }

    @Test("--version prints the version of the changelog")
    func version() async throws {
        let run = ToolRun()
        #expect(await run("--version") == .success)
        #expect(run.text == "start-small \(Usage.version)\n")
        let changelog = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../CHANGELOG.md").standardized
        let text = try String(contentsOf: changelog, encoding: .utf8)
        #expect(text.contains("\n## [\(Usage.version)]"))
    }
}
