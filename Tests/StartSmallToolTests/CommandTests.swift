import Foundation
import StartSmall
import Testing

@testable import StartSmallTool

struct CommandTests {
    private func parse(_ line: String) -> Either<UsageError, Command> {
        Command.parse(line.split(separator: " ").map(String.init))
    }

    @Test("each command is recognized by its name")
    func commands() {
        #expect(parse("demo") == .right(.demo))
        #expect(parse("zen") == .right(.zen(.init())))
        #expect(parse("user octocat") == .right(.user(login: "octocat", .init())))
        #expect(parse("get http://a.example/") == .right(.call(.init(method: "GET", url: "http://a.example/"))))
    }

    @Test(
        "every method is recognized in any case",
        arguments: ["get", "HEAD", "Post", "put", "patch", "delete", "options"]
    )
    func methods(_ method: String) {
        #expect(parse("\(method) /") == .right(.call(.init(method: method.uppercased(), url: "/"))))
    }

    @Test("short and long options are parsed")
    func options() {
        let call = Call(
            method: "POST",
            url: "/",
            headers: ["A": "1", "B": "2 : 3"],
            payload: .content(.text("{}")),
            output: .file("f"),
            tracing: true
        )
        let short = ["post", "/", "-H", "A: 1", "-H", "B:2 : 3", "-d", "{}", "-o", "f", "--trace"]
        let long = [
            "post", "/", "--trace", "--output", "f", "--data", "{}", "--header", "A:1", "--header", "B: 2 : 3 ",
        ]
        #expect(Command.parse(short) == .right(.call(call)))
        #expect(Command.parse(long) == .right(.call(call)))
        let base = URL(string: "http://127.0.0.1:8080")!
        #expect(parse("zen --base-url http://127.0.0.1:8080") == .right(.zen(.init(baseURL: base))))
    }

    @Test(
        "options can be anywhere, with their values as the next argument or after =",
        arguments: [
            "post / --trace -H A:1 --data {}", "post --trace -HA:1 -d{} /", "--trace post --header=A:1 / --data={}",
            "post --trace --header A:1 --data {} -- /",
        ]
    )
    func anywhere(_ line: String) {
        let call = Call(
            method: "POST",
            url: "/",
            headers: ["A": "1"],
            payload: .content(.text("{}")),
            tracing: true
        )
        #expect(parse(line) == .right(.call(call)))
    }

    @Test(
        "the argument after an option is its value, even if it looks like an option",
        arguments: ["-h", "--help", "--trace", "--", "a=b", "\u{301}"]
    )
    func values(_ value: String) {
        #expect(Command.parse(["post", "/", "--data", value]) == Command.parse(["post", "/", "--data=\(value)"]))
        let call = Call(method: "POST", url: "/", payload: .content(.text(value)))
        #expect(Command.parse(["post", "/", "-d", value]).right == .call(call))
    }

    @Test("no argument after -- is an option")
    func dashes() {
        #expect(parse("user -- --help") == .right(.user(login: "--help", .init())))
        #expect(parse("user -- -- ") == .right(.user(login: "--", .init())))
    }

    @Test("--base-url accepts its value after = too")
    func baseURL() {
        let base = URL(string: "http://127.0.0.1:8080")!
        #expect(parse("zen --base-url=http://127.0.0.1:8080") == .right(.zen(.init(baseURL: base))))
    }

    @Test(
        "no usage error shows a credential",
        arguments: [
            "get / https://a.example/?token=hunter2", "get / -xhunter2",
            "get / --password=hunter2", "get / --trace=hunter2", "get / -H hunter2", "zen -dhunter2",
            "zen --base-url ftp://u:hunter2@a.example", "zen --base-url u:hunter2@a.example",
            "get / =hunter2", "get / -ixhunter2", "get / token:=hunter2",
            "get / --json hunter2", "get / -F hunter2",
        ]
    )
    func credentials(_ line: String) {
        let reason = parse(line).left?.reason
        #expect(reason != nil && reason?.contains("hunter2") == false)
    }

    @Test(
        "help is available with every command",
        arguments: ["help", "--help", "-h", "user --help", "get -h /", "get --data x -h"]
    )
    func help(_ line: String) {
        #expect(parse(line) == .right(.help))
    }

    @Test(
        "each kind of invalid arguments has its own error message",
        arguments: [
            ("", "command or URL is missing"),
            ("fetch", "unknown command fetch"),
            ("-", "unknown command -"),
            ("user", "LOGIN is missing"),
            ("get", "URL is missing"),
            ("get --trace", "URL is missing"),
            ("demo now", "unexpected argument: now"),
            ("completions", "SHELL is missing"),
            ("completions csh", "no completions for this shell"),
            ("zen --data x", "zen takes no --data"),
            ("get / --base-url http://a.example", "get takes no --base-url"),
            ("get / -H", "-H needs a value"),
            ("get / --timeout", "--timeout needs a value"),
            ("get / -H Accept", "a header is 'Name: value', but this one has no colon"),
            ("get / --trace=yes", "--trace takes no value"),
            ("get / /", "unexpected argument: /"),
            ("get / -", "unexpected argument: -"),
            ("get / -x", "unknown option -x"),
            ("get / -ix", "unknown option -x"),
            ("zen --base-url ftp://a.example", "not an http or https URL: ftp://a.example"),
            ("get / --unknown", "unknown option --unknown"),
            ("post / -d 1 -d 2", "two payloads"),
            ("post / -d 1 --json 2", "two payloads"),
            ("post / -d 1 a=2", "two payloads"),
            ("post / -F a=1 -d 2", "two payloads"),
            ("post / -d 2 -F a=1", "two payloads"),
            ("post / -F a=@- -F b=@-", "two parts of a form from standard input"),
            ("post / a=1 a:=2", "two values for a"),
            ("post / a:=b", "a:= needs JSON"),
            ("post / --json a=b", "--json needs JSON"),
            ("get / -u me -u you:q", "two Authorization fields"),
            ("get / -u me Authorization:x", "two Authorization fields"),
            ("get / -X PUT", "two methods"),
            ("a.example -X a/b", "-X needs a method"),
            ("get / Host:", "Host can't be left out"),
            ("post / a=@- b:=@-", "two items from standard input"),
            ("post / a:=1 --urlencoded", "a:= in a form"),
            ("post / --urlencoded -F a=1", "two payloads"),
            ("get / -u me:p -u you:q", "two Authorization fields"),
            ("get / -u me:p -H authorization:x", "two Authorization fields"),
            ("get / -u me:p Authorization:x", "two Authorization fields"),
            ("get / --as python", "--as has an unknown format"),
            ("get / --timeout 0", "--timeout needs a number of seconds, more than 0"),
            ("get / --timeout nan", "--timeout needs a number of seconds, more than 0"),
            ("get / --timeout 1e999", "--timeout needs a number of seconds, more than 0"),
            ("get / --retry -1", "--retry needs a count from 0 to 100"),
            ("get / --retry 101", "--retry needs a count from 0 to 100"),
        ]
    )
    func errors(_ line: String, _ reason: String) {
        #expect(parse(line).left?.reason == reason)
        #expect(parse(line).left?.line.contains("\n") == false)
    }

    @Test(
        "a typo gets a hint with the intended word, another unknown word does not",
        arguments: [
            ("get / --folow", "did you mean --follow?"),
            ("get / --heder=x", "did you mean --header?"),
            ("get / --ouptut", "did you mean --output?"),
            ("gte", "did you mean get?"),
            ("PSOT", "did you mean post?"),
            ("exmaple", "did you mean example?"),
            ("get / --something-else", "see start-small --help"),
            ("get / -x", "see start-small --help"),
            ("gzip", "see start-small --help"),
        ]
    )
    func hints(_ line: String, _ hint: String) {
        #expect(parse(line).left?.hint == hint)
    }

    @Test(
        "-X sends any method, in its own case",
        arguments: [
            ("-X PURGE a.example", "PURGE"), ("a.example --request=get a=1", "get"), ("a.example -XPUT", "PUT"),
        ]
    )
    func customMethod(_ line: String, _ method: String) throws {
        guard case .right(.call(let call)) = parse(line) else { throw UsageError(reason: line) }
        #expect(RequestBuilder(read: { Data() }).input(of: call).right?.methodAndPayload.method == method)
    }

    @Test(
        "a URL without a method is a GET, or a POST if there is a payload",
        arguments: [
            ("a.example", "GET"), (":8080", "GET"), ("localhost", "GET"), ("a.example q==1 A:1", "GET"),
            ("a.example a=1", "POST"), ("a.example -d 1", "POST"), ("a.example -F a=1", "POST"),
            ("get a.example a=1", "GET"), ("put a.example a=1", "PUT"),
        ]
    )
    func impliedMethod(_ line: String, _ method: String) throws {
        guard case .right(.call(let call)) = parse(line) else { throw UsageError(reason: line) }
        #expect(call.sentMethod == method)
    }

    private static let callOptions: [(String, @Sendable (inout Call) -> Void)] = [
        ("-o f", { $0.output = .file("f") }), ("-o -", { $0.output = .rawBytes }),
        ("-of", { $0.output = .file("f") }), ("-o f -o g", { $0.output = .file("g") }),
        ("-O", { $0.output = .namedFile }), ("-L", { $0.followsRedirects = true }),
        ("-iv", { ($0.includesHead, $0.isVerbose) = (true, true) }),
        ("-vof", { ($0.isVerbose, $0.output) = (true, .file("f")) }), ("-i -i", { $0.includesHead = true }),
        ("--timeout 1.5", { $0.timeout = .seconds(1.5) }), ("--retry 2", { $0.retries = 2 }),
        ("--as curl", { $0.code = .curl }), ("--as=swift", { $0.code = .swift }),
        ("-u me:p:q", { $0.headers = ["Authorization": "Basic bWU6cDpx"] }),
        ("-d @f", { $0.payload = .content(.file("f")) }), ("-d@-", { $0.payload = .content(.standardInput) }),
        (
            "--json {}",
            { ($0.payload, $0.headers) = (.content(.text("{}")), ["Accept": "application/json"]) }
        ),
        (
            "-F a=1 -F b=@f -F c=",
            {
                $0.payload = .form([
                    .init(name: "a", source: .text("1")), .init(name: "b", source: .file("f")),
                    .init(name: "c", source: .text("")),
                ])
            }
        ),
        ("A:1 B: A:", { $0.omittedHeaders = ["a", "b"] }),
        ("-H B: -H A;", { ($0.headers, $0.omittedHeaders) = (["A": ""], ["b"]) }),
        ("A; B:1", { $0.headers = ["A": "", "B": "1"] }), ("-u me", { $0.user = "me" }),
        ("a=1 --urlencoded", { ($0.payload, $0.isURLEncoded) = (.items([.text("a", .text("1"))]), true) }),
        ("--show-secrets", { $0.showsSecrets = true }), ("-H A:1 A:2", { $0.headers = ["A": "1", "A": "2"] }),
        ("q==a=b", { $0.queries = [URLQueryItem(name: "q", value: "a=b")] }),
    ]

    @Test("an empty argument is no URL, no command and no path")
    func empty() {
        #expect(Command.parse([""]).left?.reason == "command or URL is missing")
        #expect(Command.parse(["get", ""]).left?.reason == "URL is missing")
        #expect(Command.parse(["a.example", "-o", ""]).left?.reason == "-o needs a path")
        #expect(Command.parse(["a.example", ""]).left?.reason == "unexpected argument: ")
    }

    @Test("each option of a call is parsed")
    func eachOption() {
        for (line, change) in Self.callOptions {
            var call = Call(method: "POST", url: "/")
            change(&call)
            #expect(parse("post / \(line)") == .right(.call(call)))
        }
    }

    @Test("request items become one JSON object that keeps their order and their digits")
    func items() throws {
        let words = ["a.example", "b=say \"hi\"", "a:=1.50", "c:=[ true,null ]", "é/=\n", "d=", "X:y", "q==1", "u=a:b"]
        guard case .right(.call(let call)) = Command.parse(words) else { throw UsageError(reason: "not a call") }
        let json = #"{"b":"say \"hi\"","a":1.50,"c":[true,null],"é/":"\n","d":"","u":"a:b"}"#
        let input = RequestBuilder(read: { Data() }).input(of: call).right
        #expect(input?.methodAndPayload.body == Data(json.utf8))
        #expect(call.headers == ["X": "y", "Accept": "application/json, */*;q=0.5"])
    }
}
