import Foundation
import StartSmall

/// A printer that writes a payload to standard output, each part as it arrives.
///
/// Outside of a terminal, and for raw output, the bytes of the payload are written unchanged. On a terminal, JSON is
/// buffered until it is complete, and then indented. JSON that is incomplete, invalid or larger than
/// ``indentationLimit`` is printed unchanged, and any other text immediately. Characters that control a terminal are
/// escaped, and binary data is not printed.
struct PayloadPrinter {
    /// The maximum size of indented JSON, 1 MiB: nobody reads more, and indentation can multiply it by 60.
    static let indentationLimit = 1024 * 1024

    private let console: Console
    private let isReadable: Bool
    private var format = Format.text
    private var text = TerminalText()

    /// Whether the cursor of the terminal is at the beginning of a line.
    private var isAtLineStart = true

    /// Whether a part of the payload was written.
    private var hasWritten = false

    private enum Format {
        case text
        case json(Data)
        case binary(count: Int)
    }

    init(_ console: Console, isRaw: Bool) {
        self.console = console
        isReadable = !isRaw && console.isTerminal(.output)
    }

    /// Prepares for a response; buffered data of an earlier response is dropped.
    mutating func begin(_ head: Response) {
        text = TerminalText()
        format = head.contentType.map(Self.isJSON) == true ? .json(Data()) : .text
    }

    /// Prints or buffers the next part.
    mutating func write(_ part: Data) throws(StreamError) {
        guard isReadable else { return try send(part) }
        if !hasWritten, isBinary(part) { format = .binary(count: 0) }
        switch format {
        case .binary(let count): format = .binary(count: count + part.count)
        case .text: try send(text.take(part))
        case .json(var all):
            // The bytes have a single owner now, so that no part causes a copy of all of them.
            format = .text
            all.append(part)
            if all.count <= Self.indentationLimit { format = .json(all) } else { try send(text.take(all)) }
        }
    }

    /// Prints the buffered data; the payload can be complete or incomplete.
    mutating func finish() throws(StreamError) {
        guard isReadable else { return }
        switch format {
        case .binary(let count):
            console.error("\(count) bytes of binary data are not shown; -o FILE saves them, -o - writes them")
        case .text: try send(text.finish())
        case .json(let all): try send(JSONFormatter.format(all, isIndented: true, colour: colour) ?? text.whole(all))
        }
        // Later output on a terminal starts on a new line.
        if !isAtLineStart { try send(Data("\n".utf8)) }
        begin(Response(statusCode: .ok))
    }

    private mutating func send(_ data: Data) throws(StreamError) {
        if data.isEmpty { return }
        hasWritten = true
        isAtLineStart = data.last == UInt8(ascii: "\n")
        try console.write(data)
    }

    /// Returns whether a part is binary: text contains no NUL, and most binary data has one in its first part.
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

    /// Returns whether a type is `application/json` or has the suffix `+json` (RFC 6839 3.1).
    private static func isJSON(_ type: MediaType) -> Bool {
        let name = type.rawValue.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        return name == MediaType.json.rawValue || name.hasSuffix("+json")
    }
}
