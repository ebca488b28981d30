import Foundation
import StartSmall

/// Writes a payload to standard output, each part as it arrives.
///
/// Elsewhere than on a terminal, and where raw bytes are asked for, these are the bytes of the payload. On a terminal,
/// JSON is kept back until it is whole, to be indented; JSON that is cut, invalid or larger than
/// ``indentationLimit`` is shown as it came, and any other text at once. Characters that control a terminal are escaped,
/// and binary data is not shown.
struct PayloadPrinter {
    /// 1 MiB: nobody reads more on a terminal, and indented it may be 60 times as much.
    static let indentationLimit = 1024 * 1024

    private let console: Console
    private let isReadable: Bool
    private var format = Format.text
    private var text = TerminalText()

    /// Whether the cursor of the terminal is at the beginning of a line.
    private var isAtLineStart = true

    /// Whether a part of the payload was written, so that it can't be received anew.
    private(set) var hasWritten = false

    private enum Format {
        case text
        case json(Data)
        case binary(count: Int)
    }

    init(_ console: Console, isRaw: Bool) {
        self.console = console
        isReadable = !isRaw && console.isTerminal(.output)
    }

    /// Prepares for a response; what was kept back of one before is dropped.
    mutating func begin(_ head: Response) {
        text = TerminalText()
        format = head.contentType.map(Self.isJSON) == true ? .json(Data()) : .text
    }

    /// Takes the next part.
    mutating func write(_ part: Data) throws(StreamError) {
        guard isReadable else { return try send(part) }
        if !hasWritten, isBinary(part) { format = .binary(count: 0) }
        switch format {
        case .binary(let count): format = .binary(count: count + part.count)
        case .text: try send(text.take(part))
        case .json(var all):
            // Nothing else holds the bytes now, so that none of them is copied for each part.
            format = .text
            all.append(part)
            if all.count <= Self.indentationLimit { format = .json(all) } else { try send(text.take(all)) }
        }
    }

    /// Writes what was kept back; the payload may be whole or cut.
    mutating func finish() throws(StreamError) {
        guard isReadable else { return }
        switch format {
        case .binary(let count):
            console.error("\(count) bytes of binary data are not shown; -o FILE saves them, -o - writes them")
        case .text: try send(text.finish())
        case .json(let all): try send(JSONFormatter.format(all, isIndented: true, colour: colour) ?? text.whole(all))
        }
        // What follows on a terminal begins a line.
        if !isAtLineStart { try send(Data("\n".utf8)) }
        begin(Response(statusCode: .ok))
    }

    private mutating func send(_ data: Data) throws(StreamError) {
        if data.isEmpty { return }
        hasWritten = true
        isAtLineStart = data.last == UInt8(ascii: "\n")
        try console.write(data)
    }

    /// No text has a NUL; data that is binary mostly has one in its first part.
    private func isBinary(_ part: Data) -> Bool {
        if case .json(let before) = format, !before.isEmpty { return false }
        return part.contains(0)
    }

    private func colour(_ text: String, _ token: JSONFormatter.Token) -> String {
        switch token {
        case .name: console.styled(text, .blue)
        case .text: console.styled(text, .green)
        case .null: console.styled(text, .faint)
        }
    }

    /// `application/json`, and every type with the suffix `+json` (RFC 6839 3.1).
    private static func isJSON(_ type: MediaType) -> Bool {
        let name = type.rawValue.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        return name == MediaType.json.rawValue || name.hasSuffix("+json")
    }
}
