import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallTool

struct StartSmallToolTests {
    private let output = Recorder<Data>()
    private let errors = Recorder<Data>()

    private func run(
        _ arguments: String...,
        onTerminals terminals: Set<Console.Stream> = [],
        isColoured: Bool = true,
        via engine: Connector
    ) async -> ExitCode {
        let console = Console(
            write: { [output] in output.append($0) },
            writeError: { [errors] in errors.append($0) },
            terminals: terminals,
            isColoured: isColoured
        )
        return await StartSmallTool.run(arguments, console, via: engine)
    }

    private func text(_ recorder: Recorder<Data>) -> String {
        recorder.elements.map { String(decoding: $0, as: UTF8.self) }.joined()
    }

    private func answering(_ status: HTTPStatus, _ text: String) -> Connector {
        .stub(.hasResponse(Response(statusCode: status, payload: Data(text.utf8))))
    }

    @Test("zen prints a phrase and exits with 0")
    func zen() async {
        #expect(await run("zen", via: answering(.ok, "Design for failure.")) == .success)
        #expect(text(output) == "Design for failure.\n")
        #expect(text(errors) == "")
    }

    @Test("user prints a user and exits with 0; --base-url replaces the server")
    func user() async {
        let sent = Recorder<Input>()
        let payload = Data(#"{"id":1,"login":"octocat"}"#.utf8)
        let stub = Connector.stub(.hasResponse(Response(statusCode: .ok, payload: payload)), recording: sent)
        #expect(await run("user", "octocat", "--base-url", "http://127.0.0.1:9/v3", via: stub) == .success)
        #expect(text(output) == "octocat (1)\n")
        #expect(sent.elements.map(\.url.absoluteString) == ["http://127.0.0.1:9/v3/users/octocat"])
    }

    @Test("a response without a value exits with 1 and prints the API's own message to standard error")
    func transformError() async {
        #expect(await run("user", "nobody", via: answering(.notFound, #"{"message":"Not Found"}"#)) == .transformError)
        #expect(text(output) == "")
        #expect(text(errors).contains("Not Found"))
    }

    @Test("a call without a response exits with 2")
    func connectionError() async {
        let cause = ConnectionError.Cause(domain: "stub", code: 7, text: "refused")
        #expect(await run("zen", via: .stub(.noResponse(.connectionRefused(cause)))) == .connectionError)
        #expect(text(errors) == "no response: connectionRefused: refused (stub 7)\n")
    }

    @Test("wrong usage exits with 64 and prints one line with a hint")
    func usage() async {
        #expect(await run("fly", via: .stub(.hasResponse(Response(statusCode: .ok)))) == .usage)
        #expect(text(errors) == "start-small: unknown command fly; see start-small --help\n")
    }

    @Test("the hint for a typo names the intended option")
    func typo() async {
        #expect(await run("get", "http://a.example/", "--folow", via: .stub(.status(.ok))) == .usage)
        #expect(text(errors) == "start-small: unknown option --folow; did you mean --follow?\n")
    }

    @Test("help exits with 0")
    func help() async {
        #expect(await run("--help", via: .stub(.hasResponse(Response(statusCode: .ok)))) == .success)
        #expect(text(output).hasPrefix("usage: start-small [METHOD] URL"))
    }

    @Test("a payload is written unchanged, byte for byte")
    func bytes() async {
        let payload = Data([0, 255, 10, 13])
        #expect(
            await run("get", "http://a.example/", via: .stub(.hasResponse(Response(statusCode: .ok, payload: payload))))
                == .success
        )
        #expect(output.elements == [payload])
    }

    @Test("--output writes a payload to a file, and nothing to standard output")
    func file() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(await run("get", "http://a.example/", "-o", file.path, via: answering(.ok, "hello")) == .success)
        let content = try Data(contentsOf: file)
        #expect(content == Data("hello".utf8))
        #expect(text(output) == "" && text(errors) == "")
    }

    @Test("a refused response's payload is written too")
    func refused() async {
        #expect(await run("get", "http://a.example/", via: answering(.forbidden, "no")) == .transformError)
        #expect(text(output) == "no")
        #expect(text(errors) == "no value: unexpectedStatusCode: (403 Forbidden, 2 bytes)\n")
    }

    @Test("the method, headers and data are sent")
    func sent() async {
        let sent = Recorder<Input>()
        let stub = Connector.stub(.hasResponse(Response(statusCode: .created)), recording: sent)
        _ = await run("put", "http://a.example/x?y=1", "-H", "A: 1", "-d", "{}", via: stub)
        let requests = sent.elements.map { $0.with { ($0.delivery, $0.payloadLimit) = (.memory, nil) } }
        #expect(
            requests == [
                Input(
                    url: URL(string: "http://a.example/x?y=1")!,
                    headers: ["A": "1"],
                    methodAndPayload: .put(payload: Payload(.data(Data("{}".utf8)), mediaType: .json))
                )
            ]
        )
    }

    @Test("a payload file is read when it is sent")
    func payloadFile() async {
        let sent = Recorder<Input>()
        _ = await run("post", "http://a.example/", "-d", "@/a/file", via: .stub(.status(.ok), recording: sent))
        let file = Payload(.file(URL(fileURLWithPath: "/a/file")), mediaType: .json)
        #expect(sent.elements.map(\.methodAndPayload) == [.post(payload: file)])
    }

    @Test("a missing payload file is a connection error without Foundation's error text")
    func missingFile() async {
        let checking = Connector { input in ValidatedRequest.from(input).left.map(Output.noResponse) ?? .status(.ok) }
        #expect(await run("post", "http://a.example/", "-d", "@/no/such/file", via: checking) == .connectionError)
        #expect(text(errors).hasPrefix("no response: malformedPayload: the file does not exist or is not accessible"))
        #expect(!text(errors).contains("Domain"))
    }

    @Test("a GET with data is sent with its data")
    func dataOfGET() async {
        let sent = Recorder<Input>()
        _ = await run("get", "http://a.example/", "-d", "{}", via: .stub(.status(.ok), recording: sent))
        let payload = Payload(.data(Data("{}".utf8)), mediaType: .json)
        #expect(sent.elements.map(\.methodAndPayload) == [.custom(method: "GET", payload: payload)])
    }

    @Test("in a pipe, a successful call prints only the payload", arguments: [[], [Console.Stream.error]])
    func piped(_ terminals: Set<Console.Stream>) async {
        let stub = Connector.stub(.text("hello", headers: ["Set-Cookie": "a=secret"]))
        #expect(await run("get", "http://a.example/", onTerminals: terminals, via: stub) == .success)
        #expect(text(output) == "hello")
        #expect(text(errors) == "")
    }

    @Test("on a terminal, the status and headers come first, faint and with redacted credentials")
    func terminal() async {
        let all = Recorder<String>()
        let console = Console(
            write: { all.append("out: " + String(decoding: $0, as: UTF8.self)) },
            writeError: { all.append("err: " + String(decoding: $0, as: UTF8.self)) },
            terminals: [.output, .error]
        )
        let stub = Connector.stub(.text("hello", status: .created, headers: ["Set-Cookie": "a=secret"]))
        #expect(await StartSmallTool.run(["get", "http://a.example/"], console, via: stub) == .success)
        #expect(
            all.elements == [
                "err: \u{1B}[2mHTTP 201 Created\u{1B}[0m\n",
                "err: \u{1B}[2mSet-Cookie: <redacted>\u{1B}[0m\n",
                "err: \u{1B}[2mContent-Type: text/plain; charset=utf-8\u{1B}[0m\n",
                "err: \u{1B}[2m\u{1B}[0m\n",
                "out: hello",
                "out: \n",
            ]
        )
    }

    @Test("on a terminal, the head of a download is printed")
    func terminalDownload() async {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let stub = answering(.ok, "hello")
        #expect(
            await run("get", "http://a.example/", "-o", file.path, onTerminals: [.output, .error], via: stub)
                == .success
        )
        #expect(text(errors).hasPrefix("\u{1B}[2mHTTP 200 OK\u{1B}[0m\n"))
    }

    @Test(
        "colours on standard error depend only on that stream",
        arguments: [
            ([.error], true, "\u{1B}[2mHTTP 200 OK\u{1B}[0m\n"), ([.error], false, "HTTP 200 OK\n"),
            ([.output], true, ""), ([], true, ""),
        ] as [(Set<Console.Stream>, Bool, String)]
    )
    func errorTerminal(_ terminals: Set<Console.Stream>, _ isColoured: Bool, _ expected: String) async {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let exit = await run(
            "get",
            "http://a.example/",
            "-o",
            file.path,
            onTerminals: terminals,
            isColoured: isColoured,
            via: answering(.ok, "hello")
        )
        #expect(exit == .success)
        #expect(expected.isEmpty ? text(errors).isEmpty : text(errors).hasPrefix(expected))
        #expect(text(output) == "")
    }

    @Test("--trace prints each event on a line with redacted credentials")
    func trace() async {
        _ = await run(
            "get",
            "http://a.example/?token=secret",
            "-H",
            "Authorization: Bearer secret",
            "--trace",
            via: answering(.ok, "hello")
        )
        let lines = text(errors).split(separator: "\n")
        #expect(lines.count == 6)
        #expect(lines.allSatisfy { $0.contains(" ms ") })
        #expect(
            lines.first?.hasSuffix("started GET http://a.example/?token=<redacted> [Authorization: <redacted>]") == true
        )
        #expect(!text(errors).contains("secret"))
    }
}
