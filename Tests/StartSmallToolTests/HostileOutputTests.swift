import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallTool

/// Tests of all output that can contain the text of a server or of an argument.
@Suite(.timeLimit(.minutes(1))) struct HostileOutputTests {
    /// C0 and C1 controls, DEL, and the characters that change lines or the direction of text.
    private static let controls: [UInt32] =
        Array(0x00...0x1F) + Array(0x7F...0x9F) + [0x061C, 0x200E, 0x200F] + Array(0x2028...0x202E)
        + Array(0x2066...0x2069)

    private static let hostile = String(String.UnicodeScalarView(controls.compactMap(Unicode.Scalar.init)))

    /// Runs the tool on terminals without colours, and returns all that it writes.
    private func written(
        _ arguments: [String],
        via engine: Connector,
        terminals: Set<Console.Stream> = [.output, .error],
        _ location: SourceLocation = #_sourceLocation
    ) async -> String {
        let all = Recorder<Data>()
        let console = Console(
            write: { all.append($0) },
            writeError: { all.append($0) },
            terminals: terminals,
            isColoured: false
        )
        _ = await StartSmallTool.run(arguments, console, via: engine)
        let text = String(decoding: all.elements.reduce(Data(), +), as: UTF8.self)
        // Line ends and tabs of a payload stay.
        let controls = Set(Self.controls).subtracting([0x09, 0x0A])
        let found = text.unicodeScalars.filter { controls.contains($0.value) }.map { String($0.value, radix: 16) }
        #expect(found == [], "\(arguments.first ?? "")", sourceLocation: location)
        return text
    }

    private static func json(_ text: String) -> String {
        (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    @Test("zen and user escape the text of a server, which stays on one line", arguments: [[], ["--trace"]])
    func gitHub(_ options: [String]) async {
        let phrase = await written(["zen"] + options, via: .stub(.text("a\(Self.hostile)\u{1B}]52;c;AAAA\u{7}b")))
        #expect(phrase.contains("\\u001b]52;c;AAAA\\u0007b\n"))
        if options.isEmpty { #expect(phrase.split(separator: "\n").count == 1) }
        let user = #"{"id":1,"login":\#(Self.json("a\(Self.hostile)b"))}"#
        #expect(await written(["user", "a"] + options, via: .stub(.json(user))).contains("b (1)\n"))
        let problem = #"{"message":\#(Self.json("a\(Self.hostile)b")),"documentation_url":"x"}"#
        _ = await written(["user", "a"] + options, via: .stub(.json(problem, status: .notFound)))
        _ = await written(["user", "a"] + options, via: .stub(.json("{" + Self.hostile)))
    }

    @Test(
        "a call escapes all that a server sends",
        arguments: [
            [], ["-i"], ["-v"], ["--trace"], ["-iv", "--trace", "-L"], ["-iv", "--show-secrets", "--trace", "-L"],
        ]
    )
    func call(_ options: [String]) async {
        let hostile = Self.hostile
        let fields: HTTPHeaders = ["X": hostile, "\(hostile)": "1", "Set-Cookie": hostile, "Location": "/\(hostile)"]
        let payload = "\(hostile)\u{1B}]52;c;AAAA\u{7}"
        let typed = fields.merging(["Content-Type": "text/\(hostile)"])
        let outputs: [Output] = [
            .text(payload, headers: fields), .json("[\(Self.json(payload))]", headers: fields), .json("[" + payload),
            .hasResponse(Response(statusCode: .found, headers: fields, payload: Data(payload.utf8))),
            .hasResponse(Response(statusCode: .serviceUnavailable, headers: typed)),
            .noResponse(.noDataOrNoResponse(debugInfo: payload)),
            .noResponse(.connectionLost(ConnectionError.Cause(domain: payload, code: 1, text: payload))),
        ]
        for output in outputs {
            // The NUL makes the payload binary, and other ones stay.
            for output in [output, Self.withoutNUL(output)] {
                let words = ["https://a.example/", "a=\(hostile)", "A:\(hostile)", "q==\(hostile)"]
                _ = await written(words + options, via: .stub(output))
            }
        }
    }

    private static func withoutNUL(_ output: Output) -> Output {
        guard case .hasResponse(var response) = output else { return output }
        response.payload.removeAll { $0 == 0 || $0 == UInt8(ascii: "\r") }
        return .hasResponse(response)
    }

    @Test("the head of a response has no control character in a pipe either")
    func pipe() async {
        let stub = Connector.stub(.status(.ok, headers: ["X": Self.hostile]))
        let text = await written(["head", "a.example"], via: stub, terminals: [])
        #expect(text.split(separator: "\n").count == 2)
    }

    @Test("a download escapes the name that a server chose")
    func download() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let all = Recorder<Data>()
        let console = Console(write: { all.append($0) }, writeError: { _ in }, folder: folder)
        let name = "attachment; filename*=UTF-8''a%1B%C2%9B%E2%80%AEb"
        let stub = Connector.stub(.text("hello", headers: ["Content-Disposition": name]))
        #expect(await StartSmallTool.run(["a.example", "-O"], console, via: stub) == .success)
        let text = String(decoding: all.elements.reduce(Data(), +), as: UTF8.self)
        #expect(!text.isEmpty && text.unicodeScalars.filter { Self.controls.contains($0.value) } == ["\n"])
    }

    @Test(
        "errors in arguments and printed programs escape what was typed",
        arguments: [
            ["X"], ["--X"], ["-X"], ["get", "a.example", "X"], ["get", "a.example", "--retry", "X"], ["example", "X"],
            ["zen", "--base-url", "X"], ["a.example", "X:=1]"], ["https://a.example/X", "-H", "X"],
            ["a.example", "-d@X"], ["a.example", "--cache", "/dev/null/X"], ["a.example", "a=@/X"],
            ["a.example", "a=X", "--as", "swift"], ["a.example", "a=X", "X:1", "--as", "curl"],
        ]
    )
    func arguments(_ words: [String]) async {
        // An argument of a process has no NUL.
        let hostile = String(Self.hostile.unicodeScalars.dropFirst().map(Character.init))
        let checking = Connector { input in ValidatedRequest.from(input).left.map(Output.noResponse) ?? .status(.ok) }
        let text = await written(words.map { $0.replacing("X", with: hostile) }, via: checking)
        #expect(!text.isEmpty)
    }
}
