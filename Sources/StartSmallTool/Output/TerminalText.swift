import Foundation

/// Text for a terminal, in parts, with escapes for characters that could control the terminal.
///
/// These characters are control characters such as ESC, characters that change the text direction, and other invisible
/// ones. Line feeds, tabs and CR LF stay. Bytes that are not UTF-8 become U+FFFD.
struct TerminalText {
    /// The bytes of an incomplete character, or a CR.
    private var rest: [UInt8] = []

    /// Returns the text of a part, up to its last complete character.
    mutating func take(_ part: Data) -> Data {
        let bytes = rest + part
        let end = bytes.count - Self.unfinishedCount(bytes)
        rest = Array(bytes[end...])
        return Data(Self.visible(String(decoding: bytes[..<end], as: UTF8.self)).utf8)
    }

    /// Returns the text of the remaining bytes, after the last part.
    mutating func finish() -> Data {
        defer { rest = [] }
        return Data(Self.visible(String(decoding: rest, as: UTF8.self)).utf8)
    }

    /// Returns the text of the last part.
    mutating func whole(_ part: Data) -> Data {
        take(part) + finish()
    }

    /// Returns the text with escapes such as `\u001b`.
    static func visible(_ text: String) -> String {
        escaped(text) { $0 == "\n" || $0 == "\t" }
    }

    /// Returns the text on one line, with escapes for its line breaks and tabs too.
    static func line(_ text: String) -> String {
        escaped(text) { _ in false }
    }

    private static func escaped(_ text: String, except isKept: (Unicode.Scalar) -> Bool) -> String {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
        var visible = String.UnicodeScalarView()
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let isLineEnd = scalar == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n" && isKept("\n")
            if isLineEnd || isKept(scalar) || !isControl(scalar) {
                visible.append(scalar)
            } else {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    let zeros = String(repeating: "0", count: 4 - digits.count)
                    visible.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
                }
            }
        }
        return String(visible)
    }

    /// Returns whether a terminal would interpret a character instead of showing it.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // The joiners of letters stay: words of Persian and Hindi, and some emoji, contain them.
        case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
        default: false
        }
    }

    /// Returns the number of bytes at the end that can be the beginning of a character, or of CR LF.
    private static func unfinishedCount(_ bytes: [UInt8]) -> Int {
        if bytes.last == UInt8(ascii: "\r") { return 1 }
        for count in 1...3 where count <= bytes.count {
            let byte = bytes[bytes.count - count]
            if byte & 0xC0 == 0x80 { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length > count ? count : 0
        }
        return 0
    }
}
