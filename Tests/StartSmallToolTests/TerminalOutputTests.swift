import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallTool

struct TerminalOutputTests {
    private func shown(_ output: Output, isColoured: Bool = false, _ options: String...) async -> (String, String) {
        let run = ToolRun(terminals: [.output], isColoured: isColoured)
        let connector = Connector.stub(output)
        _ = options.isEmpty ? await run("a.example", via: connector) : await run("a.example", "-o", "-", via: connector)
        return (run.text, run.errorText)
    }

    @Test("JSON is indented on a terminal, and coloured unless NO_COLOR is set")
    func json() async {
        #expect(await shown(.json(#"{"a":["b",null]}"#)).0 == "{\n  \"a\": [\n    \"b\",\n    null\n  ]\n}\n")
        let coloured = await shown(.json(#"{"a":"b"}"#), isColoured: true).0
        #expect(coloured == "{\n  \u{1B}[34m\"a\"\u{1B}[0m: \u{1B}[32m\"b\"\u{1B}[0m\n}\n")
    }

    @Test("JSON is neither indented nor coloured in a pipe")
    func pipe() async {
        let run = ToolRun()
        _ = await run("a.example", via: .stub(.json(#"{"a":"b"}"#)))
        #expect(run.text == #"{"a":"b"}"#)
    }

    @Test(
        "the JSON of refused responses and of problems is indented too",
        arguments: ["json", "problem+json; charset=utf-8"]
    )
    func refused(_ type: String) async {
        let problem = Response(
            statusCode: .forbidden,
            headers: ["Content-Type": "application/\(type)"],
            payload: Data("[1]".utf8)
        )
        #expect(await shown(.hasResponse(problem)).0 == "[\n  1\n]\n")
    }

    @Test("a payload that arrives in two parts, cut at any byte, is shown like the whole payload")
    func parts() throws {
        for (type, text) in [("application/json", #"{"é":["日\n"]}"#), ("text/plain", "é\u{1B}[m\r\n日")] {
            let head = Response(statusCode: .ok, headers: ["Content-Type": type])
            let payload = Data(text.utf8)
            let shown = try (0...payload.count).map { cut in
                let run = ToolRun()
                var printer = PayloadPrinter(
                    Console(write: { run.output.append($0) }, writeError: { _ in }, terminals: [.output]),
                    isRaw: false
                )
                // The rest of an earlier attempt is dropped.
                printer.begin(head)
                if type != "text/plain" { try printer.write(Data("[1".utf8)) }
                printer.begin(head)
                for part in [payload[..<cut], payload[cut...]] where !part.isEmpty { try printer.write(part) }
                try printer.finish()
                return run.text
            }
            #expect(Set(shown).count == 1)
        }
    }

    @Test("invalid JSON is shown unchanged", arguments: ["{\"a\":", "[1,]", "no", "[\"\u{1}\"]"])
    func invalid(_ text: String) async {
        #expect(await shown(.json(text)).0 == TerminalText.visible(text) + "\n")
    }

    @Test("JSON beyond the limit of indentation is shown unchanged")
    func large() async {
        let largest = "[" + String(repeating: " ", count: PayloadPrinter.indentationLimit - 2) + "]"
        #expect(await shown(.json(largest)).0 == "[]\n")
        #expect(await shown(.json(largest + " ")).0 == largest + " \n")
    }

    @Test("escape sequences are not written raw to a terminal, unless raw bytes are requested")
    func escapes() async {
        #expect(await shown(.text("\u{1B}]0;title\u{7}\n")).0 == "\\u001b]0;title\\u0007\n")
        #expect(await shown(.text("\u{1B}[1m"), "-o -").0 == "\u{1B}[1m")
    }

    @Test("binary data is not shown on a terminal, unless raw bytes are requested")
    func binary() async {
        let image = Output.hasResponse(Response(statusCode: .ok, payload: Data([0x89, 0x50, 0])))
        let (text, errors) = await shown(image)
        #expect(text == "")
        #expect(errors == "3 bytes of binary data are not shown; -o FILE saves them, -o - writes them\n")
        let run = ToolRun(terminals: [.output])
        _ = await run("a.example", "-o", "-", via: .stub(image))
        #expect(run.output.elements == [Data([0x89, 0x50, 0])])
    }

    @Test("a response without a payload prints nothing", arguments: [HTTPStatus.noContent, .notModified])
    func empty(_ status: HTTPStatus) async {
        #expect(await shown(.status(status)).0 == "")
    }

    @Test("control characters in a header are escaped on a terminal")
    func header() async {
        let run = ToolRun(terminals: [.output, .error])
        _ = await run("a.example", "-i", via: .stub(.status(.ok, headers: ["A": "\u{1B}[31m"])))
        #expect(run.text == "HTTP 200 OK\nA: \\u{1B}[31m\n\n")
    }
}
