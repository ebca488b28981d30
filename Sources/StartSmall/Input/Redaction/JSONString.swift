/// Strings as JSON writes them (RFC 8259 7), without the cost of a decoder and an encoder for each.
enum JSONString {
    /// The text between two quotes; nil if a backslash begins no escape.
    ///
    /// - Parameter isCut: whether there was no second quote, and an escape may have been cut off, which is left out.
    static func text(of written: ArraySlice<UInt8>, isCut: Bool) -> String? {
        guard written.contains(.backslash) else { return String(decoding: written, as: UTF8.self) }
        var rest = written
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte != .backslash {
                bytes.append(byte)
            } else if let escaped = rest.popFirst() {
                if let meant = escapes.first(where: { $0.written == escaped })?.meant {
                    bytes.append(meant)
                } else if escaped == UInt8(ascii: "u"), let scalar = scalar(&rest) {
                    bytes += UTF8.encode(scalar).map(Array.init) ?? []
                } else {
                    // Of two halves of a character, there are twelve bytes.
                    let isEnd = isCut && escaped == UInt8(ascii: "u") && rest.count < 10
                    return isEnd ? String(decoding: bytes, as: UTF8.self) : nil
                }
            } else if !isCut {
                return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A text in its quotes.
    static func written(_ text: String) -> [UInt8] {
        var bytes = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            if byte >= 0x20, byte != UInt8(ascii: "\""), byte != .backslash {
                bytes.append(byte)
            } else if let escape = escapes.first(where: { $0.meant == byte }) {
                bytes += [.backslash, escape.written]
            } else {
                bytes += Array("\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8)
            }
        }
        return bytes + [UInt8(ascii: "\"")]
    }

    private static let escapes: [(written: UInt8, meant: UInt8)] = [
        (UInt8(ascii: "\""), UInt8(ascii: "\"")), (.backslash, .backslash), (UInt8(ascii: "/"), UInt8(ascii: "/")),
        (UInt8(ascii: "n"), 0x0A), (UInt8(ascii: "r"), 0x0D), (UInt8(ascii: "t"), 0x09), (UInt8(ascii: "b"), 0x08),
        (UInt8(ascii: "f"), 0x0C),
    ]

    /// The character of four digits, or of two halves of one in UTF-16, behind `\u`.
    private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
        guard let first = unit(&rest) else { return nil }
        guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
        guard rest.starts(with: [.backslash, UInt8(ascii: "u")]) else { return nil }
        rest = rest.dropFirst(2)
        guard let second = unit(&rest), (0xDC00..<0xE000).contains(second) else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private static func unit(_ rest: inout ArraySlice<UInt8>) -> UInt32? {
        let digits = rest.prefix(4)
        guard digits.count == 4, let high = RFC3986.triplet(after: digits),
            let low = RFC3986.triplet(after: digits.dropFirst(2))
        else { return nil }
        rest = rest.dropFirst(4)
        return UInt32(high) << 8 | UInt32(low)
    }
}

extension UInt8 {
    fileprivate static let backslash = UInt8(ascii: "\\")
}
