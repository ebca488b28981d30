import Foundation
import StartSmall

/// A formatter of JSON that keeps numbers, strings and the order of members.
///
/// Characters that could control a terminal become equivalent JSON escapes (RFC 8259 7).
struct JSONFormatter {
    /// Whether each member and element is on its own line.
    private let isIndented: Bool

    /// The function that colours a token: a name, a text, or a literal.
    private let colour: (String, Token) -> String

    private var bytes: ArraySlice<UInt8>
    private var text = ""

    /// The closing brackets of the surrounding arrays and objects.
    private var ends: [UInt8] = []

    /// A kind of token with a colour.
    enum Token {
        case name, text, null
    }

    /// Returns the formatted JSON; nil for invalid JSON, or for JSON nested deeper than ``JSONValue/maximumDepth``.
    ///
    /// - Parameters:
    ///   - data: the JSON.
    ///   - isIndented: whether each member and element is on its own line.
    ///   - colour: colours a token.
    static func format(
        _ data: Data,
        isIndented: Bool = false,
        colour: @escaping (String, Token) -> String = { text, _ in text }
    ) -> Data? {
        guard String(validating: data, as: UTF8.self) != nil else { return nil }
        var formatter = JSONFormatter(isIndented: isIndented, colour: colour, bytes: Array(data)[...])
        guard formatter.value(), formatter.next() == nil else { return nil }
        return Data(formatter.text.utf8)
    }

    private init(isIndented: Bool, colour: @escaping (String, Token) -> String, bytes: ArraySlice<UInt8>) {
        (self.isIndented, self.colour, self.bytes) = (isIndented, colour, bytes)
    }

    /// Skips white space and returns the next byte without consuming it.
    private mutating func next() -> UInt8? {
        bytes = bytes.drop { " \t\r\n".utf8.contains($0) }
        return bytes.first
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next() == byte else { return false }
        bytes = bytes.dropFirst()
        return true
    }

    /// Reads a value, and returns whether there was a valid one.
    ///
    /// The depth of the JSON is limited, and therefore the recursion.
    private mutating func value() -> Bool {
        switch next() {
        case UInt8(ascii: "{"): list(end: UInt8(ascii: "}")) { $0.member() }
        case UInt8(ascii: "["): list(end: UInt8(ascii: "]")) { $0.value() }
        case UInt8(ascii: "\""): string(.text)
        case .some: literal()
        case nil: false
        }
    }

    private mutating func member() -> Bool {
        guard next() == UInt8(ascii: "\""), string(.name), take(UInt8(ascii: ":")) else { return false }
        text += isIndented ? ": " : ":"
        return value()
    }

    private mutating func list(end: UInt8, element: (inout JSONFormatter) -> Bool) -> Bool {
        guard ends.count < JSONValue.maximumDepth, let begin = bytes.popFirst() else { return false }
        text.unicodeScalars.append(Unicode.Scalar(begin))
        if !take(end) {
            ends.append(end)
            newLine()
            guard element(&self) else { return false }
            while take(UInt8(ascii: ",")) {
                text += ","
                newLine()
                guard element(&self) else { return false }
            }
            guard take(end) else { return false }
            ends.removeLast()
            newLine()
        }
        text.unicodeScalars.append(Unicode.Scalar(end))
        return true
    }

    private mutating func newLine() {
        if isIndented { text += "\n" + String(repeating: "  ", count: ends.count) }
    }

    private mutating func string(_ token: Token) -> Bool {
        var isEscaped = false
        let start = bytes.startIndex
        for index in bytes.indices.dropFirst() {
            let byte = bytes[index]
            if byte < 0x20 { return false }
            if byte == UInt8(ascii: "\""), !isEscaped {
                let string = String(decoding: bytes[start...index], as: UTF8.self)
                bytes = bytes[(index + 1)...]
                guard JSONGrammar.hasLegalEscapes(string.utf8) else { return false }
                text += colour(TerminalText.visible(string), token)
                return true
            }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return false
    }

    private mutating func literal() -> Bool {
        let word = bytes.prefix { !" \t\r\n,]}".utf8.contains($0) }
        bytes = bytes[word.endIndex...]
        guard JSONGrammar.isLiteral(word) else { return false }
        let literal = String(decoding: word, as: UTF8.self)
        text += literal == "null" ? colour(literal, .null) : literal
        return true
    }
}
