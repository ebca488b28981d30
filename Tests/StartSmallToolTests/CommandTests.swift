import Foundation
import StartSmall
import Testing

@testable import StartSmallTool

struct CommandTests {
    private func parse(_ line: String) -> Either<Command.UsageError, Command> {
        Command.parse(line.split(separator: " ").map(String.init))
    }

    @Test("each command by its name")
    func commands() {
        #expect(parse("demo") == .right(.demo))
        #expect(parse("zen") == .right(.zen(.init())))
        #expect(parse("user octocat") == .right(.user(login: "octocat", .init())))
        #expect(parse("get http://a.example/") == .right(.call(.init(method: "GET", url: "http://a.example/"))))
    }

    @Test("every method, in any case", arguments: ["get", "HEAD", "Post", "put", "patch", "delete", "options"])
    func methods(_ method: String) {
        #expect(parse("\(method) /") == .right(.call(.init(method: method.uppercased(), url: "/"))))
    }

    @Test("options, short and long")
    func options() {
        let call = Command.Call(
            method: "POST",
            url: "/",
            headers: ["A": "1", "B": "2 : 3"],
            data: "{}",
            output: "f",
            options: .init(tracing: true)
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
        "options stand anywhere, and their values beside them or behind =",
        arguments: [
            "post / --trace -H A:1 --data {}", "post --trace -HA:1 -d{} /", "--trace post --header=A:1 / --data={}",
            "post --trace --header A:1 --data {} -- /",
        ]
    )
    func anywhere(_ line: String) {
        let call = Command.Call(
            method: "POST",
            url: "/",
            headers: ["A": "1"],
            data: "{}",
            options: .init(tracing: true)
        )
        #expect(parse(line) == .right(.call(call)))
    }

    @Test("a value is whatever follows its option", arguments: ["-h", "--help", "--trace", "--", "a=b", "\u{301}"])
    func values(_ value: String) {
        #expect(Command.parse(["post", "/", "--data", value]) == Command.parse(["post", "/", "--data=\(value)"]))
        #expect(Command.parse(["post", "/", "-d", value]).right == .call(.init(method: "POST", url: "/", data: value)))
    }

    @Test("nothing behind -- is an option")
    func dashes() {
        #expect(parse("user -- --help") == .right(.user(login: "--help", .init())))
        #expect(parse("user -- -- ") == .right(.user(login: "--", .init())))
    }

    @Test("--base-url takes its value behind = too")
    func baseURL() {
        let base = URL(string: "http://127.0.0.1:8080")!
        #expect(parse("zen --base-url=http://127.0.0.1:8080") == .right(.zen(.init(baseURL: base))))
    }

    @Test(
        "no usage error shows a credential",
        arguments: [
            "https://u:hunter2@a.example/", "get / https://a.example/?token=hunter2", "get / -xhunter2",
            "get / --password=hunter2", "get / --trace=hunter2", "get / -H hunter2", "zen -dhunter2",
            "zen --base-url ftp://u:hunter2@a.example", "zen --base-url u:hunter2@a.example",
            "get / u:hunter2@a.example",
        ]
    )
    func credentials(_ line: String) {
        let reason = parse(line).left?.reason
        #expect(reason != nil && reason?.contains("hunter2") == false)
    }

    @Test("help is always at hand", arguments: ["help", "--help", "-h", "user --help", "get -h /", "get --data x -h"])
    func help(_ line: String) {
        #expect(parse(line) == .right(.help))
    }

    @Test(
        "what makes no sense is said",
        arguments: [
            ("", "nothing to do"),
            ("fetch", "unknown command: fetch"),
            ("user", "LOGIN is missing"),
            ("get", "URL is missing"),
            ("get --trace", "URL is missing"),
            ("demo now", "unexpected argument: now"),
            ("zen --data x", "unexpected argument: --data"),
            ("get / --base-url http://a.example", "unexpected argument: --base-url"),
            ("get / -H", "-H needs a value"),
            ("get / -H Accept", "a header is 'Name: value', but this one has no colon"),
            ("get / --trace=yes", "--trace takes no value"),
            ("get / /", "unexpected argument: /"),
            ("get / -x", "unexpected argument: -x"),
            ("zen --base-url ftp://a.example", "no http or https URL: ftp://a.example"),
            ("get / --unknown", "unexpected argument: --unknown"),
        ]
    )
    func errors(_ line: String, _ reason: String) {
        #expect(parse(line) == .left(.init(reason: reason)))
    }
}
