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

    private func echoed(
        input: Either<StreamError, Data> = .right(Data()),
        hasInput: Bool = false,
        password: String? = nil,
        _ words: String...
    ) async throws -> String {
        let console = Recorder<Data>()
        return try await LoopbackServer.serving(Self.echo) { server in
            let streams = Console(
                write: { console.append($0) },
                writeError: { console.append($0) },
                read: { () throws(StreamError) in try input.get() },
                readPassword: { _ in password },
                hasInput: hasInput
            )
            let url = ":\(server.port)/p"
            let words = words.contains("URL") ? words.map { $0 == "URL" ? url : $0 } : [url] + words
            _ = await StartSmallTool.run(words, streams)
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

    @Test("items take the content of files, which is read when the request is built, and an error names the file")
    func itemFiles() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (text, json, binary) = ("\(folder.path)/t", "\(folder.path)/j", "\(folder.path)/b")
        try Data("a \"b\"\n".utf8).write(to: URL(fileURLWithPath: text))
        try Data("[1, 2]\n".utf8).write(to: URL(fileURLWithPath: json))
        try Data([0xFF]).write(to: URL(fileURLWithPath: binary))
        let sent = try await echoed("t=@\(text)", "j:=@\(json)", "k=1")
        #expect(sent.hasSuffix(#"{"t":"a \"b\"\n","j":[1,2],"k":"1"}"#))
        let form = "POST /p?\nContent-Type: application/x-www-form-urlencoded\nt=a+%22b%22%0A&a%26b=c+d"
        expect(try await echoed("t=@\(text)", "a&b=c d", "--urlencoded"), form)
        let failed = "no response: malformedPayload: "
        expect(try await echoed("t=@\(text).no"), "\(failed)\(text).no: No such file or directory\n")
        expect(try await echoed("j:=@\(text)"), "\(failed)\(text): not JSON, as j:= needs it\n")
        expect(try await echoed("t=@\(binary)"), "\(failed)\(binary): not UTF-8; -d and -F send any bytes\n")
        #expect(try await echoed("-d", "@\(text).no").contains("t.no"))
    }

    @Test("--urlencoded sends the text of -d as a form")
    func urlEncodedData() async throws {
        expect(
            try await echoed("-d", "a=1&b", "--urlencoded"),
            "POST /p?\nContent-Type: application/x-www-form-urlencoded\na=1&b"
        )
    }

    @Test("Name: leaves out a field that the tool would add, and Name; sends an empty one")
    func omittedHeaders() async throws {
        expect(try await echoed("a=1", "Accept:", "-H", "Content-Type:", "X;"), "POST /p?\nX: \n{\"a\":\"1\"}")
    }

    @Test("-u without a password asks for it, and fails without a terminal")
    func prompt() async throws {
        expect(try await echoed(password: "p:q", "-u", "me"), "GET /p?\nAuthorization: Basic bWU6cDpx\n")
        let failed = "start-small: no password, and no terminal to ask for one; -u USER:PASSWORD\n"
        expect(try await echoed("-u", "me"), failed)
    }

    @Test("standard input that is no terminal is the payload of post, put, patch and any other method")
    func input() async throws {
        let input = Either<StreamError, Data>.right(Data("[2]".utf8))
        let sent = "Content-Type: application/json\n[2]"
        expect(try await echoed(input: input, hasInput: true, "post", "URL"), "POST /p?\n\(sent)")
        expect(try await echoed(input: input, hasInput: true, "-X", "QUERY"), "QUERY /p?\n\(sent)")
        expect(try await echoed(input: .right(Data()), hasInput: true, "post", "URL"), "POST /p?\n")
        expect(try await echoed(input: input, hasInput: true, "get", "URL"), "GET /p?\n")
        #expect(try await echoed(input: input, hasInput: true, "a=1").hasSuffix("\n{\"a\":\"1\"}"))
        let failed = "start-small: standard input: Bad file descriptor; see start-small --help\n"
        expect(try await echoed(input: .left(StreamError(code: EBADF)), hasInput: true, "put", "URL"), failed)
    }

    @Test("without a method, standard input that is no terminal is refused, and nothing is sent")
    func refusedInput() async throws {
        let answer = try await echoed(input: .right(Data("[2]".utf8)), hasInput: true)
        #expect(answer.hasPrefix("start-small: standard input is no terminal, and no method says whether to send it; "))
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

    @Test("-i writes the status line and headers before the payload, HEAD writes only them")
    func include() async {
        let run = ToolRun()
        _ = await run("a.example", "-i", via: .stub(.json("[]", headers: ["Set-Cookie": "a=hunter2"])))
        _ = await run("head", "a.example", via: .stub(.status(.ok, headers: ["A": "1"])))
        let head = "HTTP 200 OK\nSet-Cookie: <redacted>\nContent-Type: application/json\n\n[]"
        #expect(run.text == head + "HTTP 200 OK\nA: 1\n\n")
        #expect(run.errorText == "")
    }

    @Test("-i writes the version of HTTP that the server sent")
    func statusLine() async throws {
        let run = ToolRun()
        try await LoopbackServer.serving(.stub(.status(.noContent))) { _ = await run("head", "127.0.0.1:\($0.port)") }
        #expect(run.text.hasPrefix("HTTP/1.1 204 No Content\n"))
    }

    private static let secrets = Connector.stub { input in
        input.url.path == "/old"
            ? .status(.found, headers: ["Location": "/new?token=hunter2"])
            : .text("new", headers: ["Set-Cookie": "a=hunter2"])
    }

    @Test("-v shows requests and responses on standard error, credentials redacted")
    func verbose() async {
        let run = ToolRun()
        _ = await run("http://a.example/old?token=hunter2", "-vL", "-u", "me:hunter2", "q==1", via: Self.secrets)
        let lines = run.errorText.split(separator: "\n")
            .filter { !$0.hasPrefix("> Accept-E") && !$0.hasPrefix("> User") }
        let expected = """
            > GET http://a.example/old?token=<redacted>&q=1
            > Host: a.example
            > Authorization: <redacted>
            >
            < HTTP 302 Found
            < Location: /new?token=<redacted>
            <
            > GET http://a.example/new?token=<redacted>
            > Host: a.example
            > Authorization: <redacted>
            >
            < HTTP 200 OK
            < Set-Cookie: <redacted>
            < Content-Type: text/plain; charset=utf-8
            <
            """
        #expect(lines.joined(separator: "\n") == expected)
        #expect(run.text == "new")
    }

    @Test("--show-secrets shows credentials everywhere", arguments: ["-v", "-i", "--trace", "--as=curl", "--as=swift"])
    func showSecrets(_ option: String) async {
        let url = "http://a.example/new?token=hunter2"
        let words = [url, "-L", "-H", "Authorization:Bearer hunter2", "password=hunter2"]
        for (isShown, options) in [(false, [option]), (true, [option, "--show-secrets"])] {
            let all = Recorder<Data>()
            let console = Console(write: { all.append($0) }, writeError: { all.append($0) })
            #expect(await StartSmallTool.run(words + options, console, via: Self.secrets) == .success)
            let text = String(decoding: all.elements.reduce(Data(), +), as: UTF8.self)
            #expect(text.contains("hunter2") == isShown)
            #expect(text.contains("<redacted>") == !isShown)
        }
    }

    #if os(Linux) && !APPLE_BRANCH
        @Test(
            "-v shows each header field and the payload as they are sent",
            arguments: [
                ["a=é\n", "X;"], ["get"], ["post"], ["put", "-d", "1"], ["-F", "a=b"], ["delete", "Range: bytes=0-1"],
                ["Accept:", "a=1", "--urlencoded", "User-Agent: me"],
            ]
        )
        func asSent(_ words: [String]) async throws {
            let run = ToolRun()
            let steps: [ServerScriptStep] = [.receiveRequest, .send("HTTP/1.1 204 OK\r\n\r\n")]
            let server = try LoopbackServer.start(script: { _ in steps })
            let console = Console(write: { _ in }, writeError: { [errors = run.errors] in errors.append($0) })
            let count = CommandEntry.methods.contains(words[0]) ? 1 : 0
            let arguments = words.prefix(count) + ["127.0.0.1:\(server.port)", "-v"] + words.dropFirst(count)
            #expect(await StartSmallTool.run(Array(arguments), console) == .success)
            server.stop()
            let sent = String(decoding: server.received.elements.reduce(Data(), +), as: UTF8.self)
            let parts = sent.components(separatedBy: "\r\n\r\n")
            let fields = parts[0].components(separatedBy: "\r\n").dropFirst()
            let lines = run.errorText.components(separatedBy: "\n")
            let shown = lines.filter { $0.hasPrefix("> ") }.map { $0.dropFirst(2) }
            let trimmed = shown.map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(Set(fields.map { $0.trimmingCharacters(in: .whitespaces) }).isSubset(of: trimmed))
            let payload = parts.dropFirst().joined(separator: "\r\n\r\n")
            #expect(shown.count == 1 + fields.count + (payload.isEmpty ? 0 : 1))
            if !payload.isEmpty { #expect(shown.last.map(String.init) == Redaction.none.shown(text: payload)) }
        }
    #endif

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

    @Test("a retry is seen on a terminal")
    func seenRetry() async {
        let (run, sent) = (ToolRun(terminals: [.error], isColoured: false), Recorder<Input>())
        let stub = Connector.stub(.status(.serviceUnavailable), recording: sent)
        #expect(await run("a.example", "--retry", "1", via: stub) == .transformError)
        #expect(run.errorText.contains("retry: attempt 2 in "))
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
