import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallTool

struct SwiftCodeTests {
    /// Arguments, and the code printed for them, which is compiled here and compared with this file's text.
    private static let requests: [([String], Either<ConnectionError, Input>)] = [
        (["localhost/a"], .get("http://localhost/a")),
        (
            ["head", "a.example/a%20{b}", "-H", "Accept: a/b"],
            .head(
                "https://a.example/a%20%7Bb%7D",
                headers: ["Accept": "a/b"]
            )
        ),
        (
            ["put", "a.example", "q==a b", "q==\"c\"", "-d", "line\n\"1\"\t\\"],
            .put(
                "https://a.example",
                queries: ["q": "a b", "q": #""c""#],
                payload: .text("line\n\"1\"\t\\", mediaType: .json)
            )
        ),
        (
            ["a.example", "a=#\"#", "n:=1.0"],
            .post(
                "https://a.example",
                headers: ["Accept": "application/json, */*;q=0.5"],
                payload: .text(##"{"a":"#\"#","n":1.0}"##, mediaType: .json)
            )
        ),
        (
            ["a.example", "-d", "\"\""],
            .post(
                "https://a.example",
                payload: .text(#""""#, mediaType: .json)
            )
        ),
        (
            ["a.example", "-d", "\\(1)\"\"\""],
            .post(
                "https://a.example",
                payload: .text(#"\(1)""""#, mediaType: .json)
            )
        ),
        (
            ["get", "a.example", "-d", "@/f"],
            .custom(
                "GET",
                "https://a.example",
                payload: .file(URL(fileURLWithPath: "/f"), mediaType: .json)
            )
        ),
    ]

    /// The code of a form, which is only compiled, since a form has a random boundary.
    private static let form: Either<ConnectionError, Input> = .post(
        "https://a.example",
        payload: .multipart([
            .text("a", "1"),
            .file("f", URL(fileURLWithPath: "/f.png")),
            .data("i", Data("in".utf8), fileName: "-"),
        ])
    )

    private func parsed(_ arguments: [String]) throws -> (Input, Call) {
        guard case .right(.call(let call)) = Command.parse(arguments),
            case .right(let input) = RequestBuilder(read: { Data("in".utf8) }).input(of: call)
        else { throw UsageError(reason: "no request") }
        return (input, call)
    }

    private func code(_ arguments: [String]) throws -> String {
        SwiftCode.request(try parsed(arguments).0)
    }

    /// Arguments, and the programs printed for them, which are compiled here and compared with this file's text.
    private static let programs: [([String], @Sendable () async -> Void)] = [
        (
            ["localhost/a", "-L"],
            {
                let endpoint = Endpoint.text(
                    .get("http://localhost/a")
                )

                switch await endpoint.fetch() {
                case .right(let text): print(text)
                case .left(.left(let connectionError)): print("no response: \(connectionError)")
                case .left(.right(let transformError)): print("no value: \(transformError)")
                }
            }
        ),
        (
            [
                "localhost/a", "--timeout", "60", "--retry", "2", "-o", "/f", "-i", "--cache", "c", "a=b",
                "--urlencoded",
            ],
            {
                // Connector.standard follows redirects, as --follow does.
                // Left out: --include, --cache.
                let endpoint = Endpoint.download(
                    .post(
                        "http://localhost/a",
                        payload: .text("a=b", mediaType: .form)
                    ),
                    to: URL(fileURLWithPath: "/f")
                )
                let connector = Connector.standard.wrapped(by: [
                    .timeout(.seconds(60)),
                    .retry(.exponential(attempts: 3, condition: .standard.or(.throttled))),
                ])

                switch await endpoint.fetch(via: connector) {
                case .right(let file): print(file.path)
                case .left(.left(let connectionError)): print("no response: \(connectionError)")
                case .left(.right(let transformError)): print("no value: \(transformError)")
                }
            }
        ),
    ]

    @Test("--as swift prints a program that compiles and keeps the options, or says what it leaves out")
    func programs() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8).filter { !$0.isWhitespace }
        for (arguments, _) in Self.programs {
            let (input, call) = try parsed(arguments)
            let printed = SwiftCode.program(of: input, for: call)
            #expect(source.contains(printed.filter { !$0.isWhitespace }), "\(printed)")
        }
        let (input, call) = try parsed(["a.example/x.pdf", "-O", "-L", "--timeout", "0.5"])
        let named = SwiftCode.text(of: input, for: call)
        #expect(named.contains("// The file has the name in the URL, and replaces another one.\n"))
        #expect(named.contains("/x.pdf\")") && named.contains(".timeout(.seconds(0.5))"))
    }

    @Test(
        "--as curl keeps the options, or says what it leaves out",
        arguments: [
            (
                ["-L", "--timeout", "1.5", "--retry", "2", "-o", "a b", "-iv"],
                "'--include' '--verbose' '--output' 'a b' '--max-time' '1.5' '--retry' '2' '--location'"
            ),
            (["-O"], "'--remote-name' '--remote-header-name'"), (["-o", "-"], "'--output' '-'"),
            (
                ["-L", "--retry", "2", "-d", "1", "--cache", "c", "--cookies", "k", "--trace", "--timeout", "60"],
                "'--max-time' '60'"
                    + " # without --retry (not for POST), --follow (curl would repeat POST), --cache, --cookies, --trace"
            ),
        ]
    )
    func curlOptions(_ options: [String], _ expected: String) throws {
        let (input, call) = try parsed(["localhost/a"] + options)
        #expect(CurlCode.text(of: input, for: call).hasSuffix(" --url 'http://localhost/a' \(expected)"))
    }

    @Test("neither program asks for a password, and both have a place for it", arguments: ["curl", "swift"])
    func promptedPassword(_ language: String) async {
        let run = ToolRun()
        #expect(await run("localhost/a", "-u", "me", "--as", language) == .success)
        #expect(run.text.contains("Authorization") && run.text.contains("<redacted>") && run.errorText == "")
    }

    @Test("--as swift prints code that compiles and builds the request that would be sent")
    func compiles() async throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8).filter { !$0.isWhitespace }
        for (arguments, compiled) in Self.requests {
            let sent = Recorder<Input>()
            _ = await StartSmallTool.run(
                arguments,
                Console(write: { _ in }, writeError: { _ in }),
                via: .stub(.status(.ok), recording: sent)
            )
            let printed = try code(arguments)
            #expect(source.contains(printed.filter { !$0.isWhitespace }), "\(printed)")
            let request = sent.elements.first.map { $0.with { $0.delivery = .memory } }
            #expect(request?.description == compiled.right?.description)
            #expect(request?.methodAndPayload == compiled.right?.methodAndPayload)
        }
        let form = try code(["a.example", "-F", "a=1", "-F", "f=@/f.png", "-F", "i=@-"])
        #expect(source.contains(form.filter { !$0.isWhitespace }), "\(form)")
        #expect(Self.form.right != nil)
    }

    @Test("the printed URL is a template of itself, whatever characters it contains")
    func template() throws {
        for byte in UInt8(0x20)...0x7E {
            let character = String(Unicode.Scalar(byte))
            let call = Call(url: "https://a.example/a\(character)b?c\(character)d")
            guard let input = RequestBuilder(read: { Data() }).input(of: call).right else {
                throw UsageError(reason: character)
            }
            let built: Either<ConnectionError, Input> = .get(input.url.absoluteString)
            #expect(built.right?.url == input.url, "\(character)")
        }
    }

    @Test("with --as, nothing is sent and no credential is printed", arguments: ["curl", "swift"])
    func credentials(_ language: String) async {
        let (run, sent) = (ToolRun(), Recorder<Input>())
        let stub = Connector.stub(.status(.ok), recording: sent)
        let options = ["-u", "me:hunter2", "X-API-Key:hunter2"]
        let payloads = [
            ["password=hunter2"], ["-d", "{\"a\": 1,\n \"password\":\n \"hunter2\"}"], ["-F", "password=hunter2"],
        ]
        for payload in payloads {
            let words = ["https://u:hunter2@a.example/?token=hunter2", "--as", language] + options + payload
            let console = Console(write: { [output = run.output] in output.append($0) }, writeError: { _ in })
            #expect(await StartSmallTool.run(words, console, via: stub) == .success)
        }
        #expect(run.text.contains("<redacted>"))
        #expect(!run.text.contains("hunter2") && !run.text.contains("aHVudGVyMg"))
        #expect(sent.elements == [])
    }

    @Test("--as curl prints the kit's curl command")
    func curl() async {
        let run = ToolRun()
        _ = await run("localhost:1/a", "--as", "curl")
        #expect(
            run.text
                == "curl --disable --globoff --path-as-is --header 'Accept:' --header 'User-Agent:' "
                + "--url 'http://localhost:1/a'\n"
        )
    }
}
