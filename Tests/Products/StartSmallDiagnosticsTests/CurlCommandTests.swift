import Foundation
import StartSmallTesting
import TestSupport
import Testing

import StartSmallDiagnostics
import StartSmallEngines
import StartSmallForms
import StartSmallSupport
@testable import StartSmallCore

/// The POSIX shell, which runs scripts without blocking a thread of Swift concurrency.
private enum Shell {
    /// Whether a process can be started, which iOS and similar systems do not allow.
    static var isAvailable: Bool {
        #if (os(macOS) || os(Linux)) && !APPLE_BRANCH
            true
        #else
            false
        #endif
    }

    static func run(_ script: String) async throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (input, output) = (folder.appendingPathComponent("script"), folder.appendingPathComponent("output"))
        try Data(script.utf8).write(to: input)
        try Data().write(to: output)
        #if (os(macOS) || os(Linux)) && !APPLE_BRANCH
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = [input.path]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = try FileHandle(forWritingTo: output)
            let ended = Latch()
            process.terminationHandler = { _ in ended.open() }
            try process.run()
            await ended.wait()
            // The process has ended, but it and its `Process` retain each other until Foundation is asked to wait.
            process.waitUntilExit()
        #endif
        return try Data(contentsOf: output)
    }

    /// Returns the arguments and the standard input that each of these commands passes to `curl`.
    static func given(_ commands: [String]) async throws -> [(words: [String], input: Data)] {
        let (middle, end) = (Data(UUID().uuidString.utf8), Data(UUID().uuidString.utf8))
        let marks = [middle, end].map { String(decoding: $0, as: UTF8.self) }
        let curl = "curl() { printf '%s\\000' \"$@\"; printf '\(marks[0])'; cat; printf '\(marks[1])'; }"
        let output = try await run(([curl] + commands).joined(separator: "\n"))
        return output.split(separator: end, omittingEmptySubsequences: false).dropLast().map { given in
            let halves = given.split(separator: middle, maxSplits: 1, omittingEmptySubsequences: false)
            let words = halves[0].split(separator: 0, omittingEmptySubsequences: false).dropLast()
            return (words.map { String(decoding: $0, as: UTF8.self) }, Data(halves.last ?? Data()))
        }
    }

    static func given(_ command: String) async throws -> (words: [String], input: Data) {
        try #require(try await given([command]).first)
    }
}

/// Texts with a special meaning to a shell, to printf or to curl, unless they are quoted.
private let nasty = [
    "plain", "", " ", "'", "''", "\"", "`id`", "$(id)", "$HOME", "${x}", "\\", "\\n", "a\\'b", "!x", "#x", "~", "*",
    "?",
    "[a]", "{a,b}", "a;b", "a&b", "a|b", "<a>", "(a)", "%s%n", "%%", "-x", "--", "-", "@file", "@-", "a\nb", "\n",
    "a\r\nb",
    "\n\n", "é👩‍🚀", "a'b\"c`d$e\\f\n-@%",
    // A quote with an accent on it is one `Character`, and still a quote to a shell.
    "a'\u{301} $(id)", "'\u{301}",
]

struct CurlCommandTests {
    private let url = Fixture.url

    private func post(_ payload: Payload?, _ headers: HTTPHeaders = [:]) -> Input {
        Input(url: url, headers: headers, methodAndPayload: .post(payload: payload))
    }

    private static func file(_ path: String) -> Input {
        let payload = Payload(.file(URL(fileURLWithPath: path)), mediaType: .octetStream)
        return Input(url: Fixture.url, methodAndPayload: .post(payload: payload))
    }

    @Test(
        "each part of a request is written in its own option, and a file by its path alone",
        .parity("D12"),
        arguments: [
            (
                Input(
                    url: Fixture.url,
                    queries: [URLQueryItem(name: "a", value: "1")],
                    headers: ["Accept": "text/plain"]
                ),
                "curl --disable --globoff --path-as-is --header 'Accept: text/plain' --header 'User-Agent:' "
                    + "--url 'https://api.example.com/things?a=1'"
            ),
            (
                Input(url: Fixture.url, headers: ["accept": "a/b", "user-agent": "Kitchen/1.0", "@/etc/passwd": "x"]),
                "curl --disable --globoff --path-as-is --header 'accept: a/b' --header 'user-agent: Kitchen/1.0' "
                    + "--url 'https://api.example.com/things'"
            ),
            (
                .put(Payload(.data(Data(#"{"a":1}"#.utf8)), mediaType: .json)),
                "--request 'PUT' --header 'Content-Type: application/json' --header 'Accept:' --header 'User-Agent:' "
                    + #"--data-raw '{"a":1}' --url 'https://api.example.com/things'"#
            ),
            (.put(Payload(.data(Data([97])), mediaType: nil)), "--header 'Content-Type:'"),
            (Input(url: Fixture.url, methodAndPayload: .head), "--head "),
            (file("/no/such 'file'"), #"--data-binary '@/no/such '\''file'\'''"#),
            (file("/\u{301}a"), "'@/\u{301}a'"), (file("/no/such\n"), #"'@/no/such\n'"#),
        ] as [(Input, String)]
    )
    func written(_ input: Input, _ part: String) {
        #expect(input.curlCommand().utf8.contains(part.utf8), "\(input.curlCommand())")
    }

    @Test("credentials in URL, headers and payload are hidden unless requested", .parity("D16"))
    func redaction() throws {
        let form = MultipartForm([.text("password", "hunter2"), .text("a", "1")], boundary: "b")
        for (payload, count) in [
            (Payload(.data(Data(#"{"password":"hunter2"}"#.utf8)), mediaType: .json), 5),
            (Payload(.multipart(form), mediaType: form.mediaType), 5),
        ] {
            let input = Input(
                url: try #require(URL(string: "https://me:hunter2@api.example.com/?token=hunter2")),
                headers: ["Authorization": "Bearer hunter2", "X-Next": "https://h/?token=hunter2"],
                methodAndPayload: .post(payload: payload)
            )
            #expect(!input.curlCommand().contains("hunter2"))
            #expect(input.curlCommand(redacting: .none).components(separatedBy: "hunter2").count == count + 1)
        }
    }

    /// Returns the arguments and the standard input of curl for these inputs, one for each nasty text.
    private func given(_ input: (String) -> Input) async throws -> [(text: String, words: [String], input: Data)] {
        let given = try await Shell.given(nasty.map { input($0).curlCommand(redacting: .none) })
        try #require(given.count == nasty.count)
        return zip(nasty, given).map { ($0, $1.words, $1.input) }
    }

    @Test("a text reaches curl unchanged, through the shell", .parity("D12"), .enabled(if: Shell.isAvailable))
    func payloads() async throws {
        let given = try await given { text in
            post(Payload(.data(Data(text.utf8)), mediaType: nil), ["Content-Type": "text/plain"])
        }
        for (text, words, stdin) in given {
            let word = words.drop { $0 != "--data-raw" }.dropFirst().first
            #expect(word == text && stdin.isEmpty || words.contains("@-") && stdin == Data(text.utf8))
            #expect((word == nil) == text.contains(where: \.isNewline))
            #expect(words.suffix(2) == ["--url", url.absoluteString])
        }
    }

    @Test("a header's value reaches curl unchanged, through the shell", .parity("D12"), .enabled(if: Shell.isAvailable))
    func headers() async throws {
        for (text, words, _) in try await given({ Input(url: url, headers: ["X-Nasty": $0]) }) {
            let isLegal = !text.contains { $0.isNewline }
            let isEmpty = text.allSatisfy { $0 == " " }
            #expect(words.contains(isEmpty ? "X-Nasty;" : "X-Nasty: \(text)") == isLegal)
            #expect(words.count == (isLegal ? 11 : 9))
        }
    }

    @Test("a method and a URL reach curl unchanged, through the shell", .parity("D12"), .enabled(if: Shell.isAvailable))
    func methods() async throws {
        func input(_ text: String) -> Input {
            let queries = [URLQueryItem(name: "q", value: text)]
            return Input(url: url, queries: queries, methodAndPayload: .custom(method: text, payload: nil))
        }
        for (text, words, _) in try await given(input) {
            // No engine sends a method with a line end, and a command is one line.
            let shown = [("\r\n", "\\r\\n"), ("\r", "\\r"), ("\n", "\\n")].reduce(text) {
                $0.replacing($1.0, with: $1.1)
            }
            #expect(words.prefix(5) == ["--disable", "--globoff", "--path-as-is", "--request", shown])
            #expect(words.last == URIEncoding.appending(input(text).queries, to: url.absoluteString))
        }
    }

    @Test("a control character reaches curl unchanged, but is not in the command", .enabled(if: Shell.isAvailable))
    func controls() async throws {
        for control in ["\u{85}", "\u{9B}2J", "\u{202E}", "\u{2028}", "\u{61C}", "\t"] {
            let value = "a\(control)'b$(id)é"
            let path = "/no/such \(value)"
            let inputs = [
                Input(url: url, headers: ["X-Nasty": value]),
                post(Payload(.data(Data(value.utf8)), mediaType: .text)),
                post(Payload(.file(URL(fileURLWithPath: path)), mediaType: .text)),
            ]
            let commands = inputs.map { $0.curlCommand(redacting: .none) }
            #expect(commands.allSatisfy { !$0.utf8.contains(control.utf8) })
            let given = try await Shell.given(commands)
            #expect(given[0].words.contains("X-Nasty: \(value)"))
            #expect(given[1].input == Data(value.utf8))
            #expect(given[2].words.contains("@\(path)"))
        }
    }

    @Test("curl takes a relative URL that begins with @ for a URL, and not for the name of a file of URLs")
    func relative() throws {
        let input = Input(url: try #require(URL(string: "@etc/passwd")))
        #expect(input.curlCommand().contains("--url '%40etc/passwd' # the URL is relative:"))
        #expect(!Input(url: Fixture.url).curlCommand().contains("#"))
    }

    @Test("all bytes reach curl unchanged, through the shell", .parity("D12"), .enabled(if: Shell.isAvailable))
    func binary() async throws {
        let bytes = Data((0...255).map(UInt8.init))
        // The last one is too long for an argument.
        for data in [bytes + bytes, bytes[45...] + bytes, bytes[200...] + bytes, Data(repeating: 37, count: 200_000)] {
            let input = post(Payload(.data(Data(data)), mediaType: .octetStream))
            let (words, stdin) = try await Shell.given(input.curlCommand(redacting: .none))
            #expect(words.contains("--data-binary") && words.contains("@-"))
            #expect(stdin == Data(data))
        }
    }

    @Test(
        "a form reaches curl as the bytes that an engine sends, files included",
        .parity("D12"),
        .enabled(if: Shell.isAvailable)
    )
    func multipart() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("it's \(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let content = Data([0, 37, 39, 92, 255])
        try content.write(to: file)
        let form = MultipartForm(
            [.text("a", "-x'%\\"), .file("f", file, fileName: "f.bin"), .data("d", content)],
            boundary: "b"
        )
        let input = post(Payload(.multipart(form), mediaType: form.mediaType))
        var reader = try PayloadSource(.multipart(form)).reader()
        var sent = Data()
        while let bytes = try reader.next() { sent += bytes }
        let (words, stdin) = try await Shell.given(input.curlCommand(redacting: .none))
        #expect(stdin == sent)
        #expect(words.contains("Content-Type: multipart/form-data; boundary=b"))
    }

    @Test("a stream is not produced for a command, which has a remark instead")
    func stream() async throws {
        let stream = PayloadStream(length: 7) { _ in Issue.record("produced") }
        let form = MultipartForm([.text("a", "hunter2"), .init(name: "b", content: .stream(stream))], boundary: "b")
        for (content, name) in [(.stream(stream), "a stream of 7 bytes"), (.multipart(form), "a form with a stream")]
            as [(Payload.Content, String)]
        {
            let command = post(Payload(content, mediaType: .text)).curlCommand()
            #expect(command.contains(" --data-binary @- "))
            #expect(command.hasSuffix(" # \(name), omitted: pass them on standard input"))
            #expect(!command.contains("hunter2"))
        }
    }

    @Test("a form is recognized by the Content-Type that is sent, also in a part of a form", .parity("D16"))
    func formByHeader() {
        let headers: HTTPHeaders = ["Content-Type": MediaType.form.rawValue]
        let data = Data("password=hunter2&user=me".utf8)
        let command = post(Payload(.data(data), mediaType: .octetStream), headers).curlCommand()
        #expect(command.contains("--data-raw 'password=<redacted>&user=me'"))
        let part = MultipartForm.Part(name: "a", content: .data(data), mediaType: .octetStream, headers: headers)
        let form = MultipartForm([part], boundary: "b")
        let inParts = post(Payload(.multipart(form), mediaType: form.mediaType)).curlCommand()
        #expect(inParts.contains("password=<redacted>&user=me"))
    }

    @Test(
        "a payload that can't be searched for secrets is left out with a remark, unless nothing is redacted",
        .parity("D16"),
        arguments: [MediaType.json, .form, .text, .octetStream, MediaType(rawValue: "a/`id`")]
    )
    func compressed(_ type: MediaType) {
        let bytes = Data([0x1F, 0x8B, 8, 0, 0xFF])
        let input = post(Payload(.data(bytes), mediaType: type))
        #expect(
            input.curlCommand().hasSuffix(
                " # 5 bytes of payload, which may contain secrets, omitted: pass them on standard input"
            )
        )
        #expect(input.curlCommand().hasPrefix("curl ") && input.curlCommand().contains(" --data-binary @- "))
        #expect(input.curlCommand(redacting: .none).contains(#"\037\213"#))
        let form = MultipartForm([.data("a", bytes, mediaType: type)], boundary: "b")
        #expect(!post(Payload(.multipart(form), mediaType: form.mediaType)).curlCommand().contains(#"\037\213"#))
    }

    @Test(
        "over a real socket, curl sends what an engine sends",
        .parity("D12"),
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "curl is not installed"),
        arguments: ["", "@file", "a'b\"c`d$e\\f\r\n-@%é", "\0\u{1}"]
    )
    func loopback(_ text: String) async throws {
        let sent = Recorder<Input>()
        try await LoopbackServer.serving(.stub(.hasResponse(Fixture.ok), recording: sent)) { server in
            let input = Input(
                url: server.url.appendingPathComponent("p"),
                queries: [URLQueryItem(name: "q", value: text)],
                headers: ["X-Kept": "[a]"],
                methodAndPayload: .put(payload: Payload(.data(Data(text.utf8)), mediaType: "text/x"))
            )
            let body = try await Shell.run(input.curlCommand(redacting: .none) + " --silent --noproxy '*'")
            #expect(body == Fixture.ok.payload)
            _ = await WebAPI.call(with: input, via: .patient)
        }
        let (curl, engine) = (try #require(sent.elements.first), try #require(sent.elements.last))
        #expect(sent.elements.count == 2)
        #expect(curl.url == engine.url)
        #expect(curl.methodAndPayload == engine.methodAndPayload)
        #expect(curl.headers["X-Kept"] == "[a]")
        #expect(!curl.headers.contains("Accept") && !curl.headers.contains("User-Agent"))
    }
}
