import Foundation

@testable import StartSmall
@testable import StartSmallCore
@testable import StartSmallDiagnostics
@testable import StartSmallJSON
@testable import StartSmallSupport

extension Target {
    /// The functions that keep credentials out of logs, and texts away from a shell.
    static let redactions: [Target] = [urlRedaction, jsonRedaction, payloadRedaction, shellWord, curlCommand]

    private static let secret = "hunter2-secret"

    private static let urlRedaction = text(
        "url-redaction",
        words: [
            "https://", "user:pw@", "?token=", "&a=1", ";", "#", "%26", "=", "//", "@", "[",
            "?next=https%3A%2F%2Fh%2F%3Fkey%3D2", "&user_name=1",
        ],
        starts: ["https://h/?a=", "https://", "//"],
        read: { _ = Redaction.standard.shown(url: $0) },
        check: { text in
            let shown = Redaction.standard.shown(url: text)
            try promise("shown text has one line", isOneLine(shown))
            try promise("a redaction without names changes nothing", Redaction.none.hiding(text: text) == text)
            if text.contains("hunter2") { return true }
            for url in [
                "https://h/\(text)&token=\(secret)&a@", "https://me:\(secret)@h/\(text)", "?token=\(secret)#\(text)",
            ] {
                try promise("no secret is shown", !Redaction.standard.shown(url: url).contains("hunter2"))
                try promise("no secret is shown in a text", !Redaction.standard.shown(text: url).contains("hunter2"))
            }
            return shown != text
        }
    )

    private static let jsonRedaction = text(
        "json-redaction",
        words: [
            "{\"token\":", "\"hunter2\"", "[", "]", "}", "\"a\":", ",", "\\u00e9", "\\\"", "\\", "null",
            "\"{\\\"token\\\":1}\"", "\"https://h/?key=1\"", "\"name\":1,", "\"user_name\":1,",
        ],
        starts: ["{\"token\":", "\"", "{\"a\":\"{", "{\"a\":\"?token="],
        read: { _ = Redaction.standard.hiding(json: $0) },
        check: { text in
            try promise("a redaction without names changes nothing", Redaction.none.hiding(json: text) == text)
            let hidden = Redaction.standard.hiding(json: text)
            _ = Redaction.standard.hiding(json: text, folding: true)
            guard isJSON(text) else { return false }
            if hidden == Redaction.placeholder { return false }
            try promise("redacted JSON is JSON", isJSON(hidden))
            if text.contains("hunter2") { return true }
            let whole = "{\"a\":\(text),\"token\":[\"\(secret)\"],\"b\":{\"password\":{\"c\":\"\(secret)\"}}}"
            try promise("no secret is shown", !Redaction.standard.hiding(json: whole).contains("hunter2"))
            return true
        }
    )

    private static let payloadRedaction = text(
        "payload-redaction",
        words: [
            "{\"token\":", "\"", "\n", "\r\n", "'token'", "\"a\":1,", "a=b&", "//me:hun", "\\/\\/", "@", "\\", "%7B",
        ],
        starts: ["{", "a="],
        read: { text in
            let limit = Hostile.bytes * 9 / 10
            _ = Redaction.standard.shown(payload: Data(text.utf8), mediaType: .text, limit: limit)
            _ = Redaction.standard.shown(payload: Data("{}".utf8), mediaType: MediaType(rawValue: text), limit: limit)
        },
        check: { text in
            for type in [nil, MediaType.form, .json, .text] {
                let payload = Data(text.utf8)
                let hidden = Redaction.none.hiding(payload: payload, mediaType: type)
                try promise("a redaction without names changes nothing", hidden == payload)
                for limit in [10, 100, .max] {
                    let shown = Redaction.standard.shown(payload: payload, mediaType: type, limit: limit)
                    try promise("shown text has one line", isOneLine(shown))
                }
            }
            if text.contains("hunter2") { return true }
            let form = Data("a=\(text)&token=\(secret)".utf8)
            for (payload, type) in [(form, MediaType.form), (Data("\(text) token=\(secret)".utf8), .text)] {
                let shown = Redaction.standard.shown(payload: payload, mediaType: type, limit: .max)
                try promise("no secret is shown", !shown.contains("hunter2"))
            }
            return Redaction.standard.hiding(payload: Data(text.utf8), mediaType: .text) != Data(text.utf8)
        }
    )

    static func isJSON(_ text: String) -> Bool {
        JSONTape.offsetOfError(in: Data(text.utf8)) == nil
    }

    private static let shellWord = Target(
        name: "shell-word",
        words: ["'", "'\\''", "$(a)", "`a`", "-e", "\\0", "%s", "\n"],
        starts: [],
        read: { bytes in
            _ = ShellWord.quoted(String(decoding: bytes, as: UTF8.self))
            _ = ShellWord.printing(Data(bytes))
        },
        check: { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            try promise("a shell reads a word unchanged", try shellWords(ShellWord.quoted(text)) == [text])
            let words = try shellWords(ShellWord.printing(Data(bytes)))
            try promise("bytes are printed by a command of two words", words.count == 2 && words[0] == "printf")
            try promise("bytes are printed unchanged", printed(words[1]) == bytes)
            return true
        }
    )

    private static let curlCommand = text(
        "curl-command",
        words: ["'", "\n", "--output x", "@/etc/passwd", "{\"token\":1}", "a=b&token=c", "{1..9}", "\0"],
        starts: ["'"],
        read: { text in _ = posting(text).curlCommand(redacting: .none) },
        check: { text in
            for redaction in [Redaction.none, .standard] {
                // The `printf` command for curl's input precedes a pipe.
                let command = request(text).curlCommand(redacting: redaction)
                try promise("a command is one line", isOneLine(command))
                let words = try shellWords(command)
                guard let curl = words.firstIndex(of: "curl") else { throw Broken(description: "it calls curl") }
                try promise(
                    "only printf runs besides curl",
                    curl == 0 || curl == 3 && words[0] == "printf" && words[2] == "|"
                )
                try promise("curl reads no configuration", words[curl...].dropFirst().first == "--disable")
                let options = words[curl...].filter { $0.hasPrefix("--") && $0 != "--\(text)" }
                let own: Set = [
                    "--disable", "--globoff", "--path-as-is", "--request", "--header", "--data-raw", "--data-binary",
                    "--url",
                ]
                try promise("only the kit's options occur", text.hasPrefix("--") || own.isSuperset(of: options))
            }
            return true
        }
    )

    private static func request(_ text: String) -> Request {
        Request(
            url: URL(filePath: "/a"),
            queries: [URLQueryItem(name: text, value: text)],
            headers: HTTPHeaders([HTTPHeaders.Field(name: "X-Text", value: text)]),
            methodAndPayload: posting(text).methodAndPayload
        )
    }

    private static func posting(_ text: String) -> Request {
        let payload = Payload(.data(Data(text.utf8)), mediaType: nil)
        return Request(
            url: URL(filePath: "/a"),
            methodAndPayload: HTTPMethodAndPayload(method: "POST", payload: payload)
        )
    }

    /// Returns the words of a command as a POSIX shell reads them, for the syntax in use.
    ///
    /// That is single quotes, `\'`, blanks, `"$(printf '…')"`, and a remark at the end.
    private static func shellWords(_ command: String) throws -> [String] {
        var words: [[UInt8]] = []
        var word: [UInt8]?
        var rest = Array(command.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "'"):
                guard let end = rest.firstIndex(of: byte) else { throw Broken(description: "a quote is closed") }
                word = (word ?? []) + rest[..<end]
                rest = rest[(end + 1)...]
            case UInt8(ascii: "\""):
                let (opening, closing) = (Array("$(printf '".utf8), Array("')\"".utf8))
                guard rest.starts(with: opening), let end = rest.dropFirst(opening.count).firstIndex(of: quote),
                    rest[end...].starts(with: closing),
                    let bytes = printed(String(decoding: rest[(rest.startIndex + opening.count)..<end], as: UTF8.self))
                else { throw Broken(description: "only printf runs within double quotes") }
                word = (word ?? []) + bytes
                rest = rest[(end + closing.count)...]
            case UInt8(ascii: "\\"):
                guard let next = rest.popFirst() else { throw Broken(description: "a backslash has a character") }
                word = (word ?? []) + [next]
            case UInt8(ascii: "#") where word == nil:
                // Interactive shells may not know remarks, so a remark has only words of the kit.
                let isPlain = rest.allSatisfy { URIEncoding.isUnreserved($0) || " ,:".utf8.contains($0) }
                try promise("a remark has only plain words", isPlain)
                rest = []
            case UInt8(ascii: " "):
                if let word { words.append(word) }
                word = nil
            default:
                let harmless = URIEncoding.isUnreserved(byte) || byte == UInt8(ascii: "|") || byte == UInt8(ascii: "@")
                try promise("only letters are outside quotes", harmless)
                word = (word ?? []) + [byte]
            }
        }
        return (words + (word.map { [$0] } ?? [])).map { String(decoding: $0, as: UTF8.self) }
    }

    private static let quote = UInt8(ascii: "'")

    /// Returns the output of `printf` for a format without `%`.
    private static func printed(_ format: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = format.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") { return nil }
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard let octal = UInt8(Substring(rest.prefix(3)), radix: 8) else { return nil }
            bytes.append(octal)
            rest = rest.dropFirst(3)
        }
        return bytes
    }
}
