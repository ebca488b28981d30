/// Strings as JSON writes them (RFC 8259 7), without the cost of a decoder and an encoder for each.
package enum JSONString {
    /// What stands between two quotes means, in UTF-8; nil if a backslash begins no escape.
    ///
    /// - Parameter isCut: whether there was no second quote, and an escape may have been cut off, which is left out.
    static func meaning(of written: ArraySlice<UInt8>, isCut: Bool) -> ArraySlice<UInt8>? {
        guard written.contains(.backslash) else { return written }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(written.count)
        var index = written.startIndex
        while index < written.endIndex {
            let byte = written[index]
            index += 1
            if byte != .backslash {
                bytes.append(byte)
            } else if index < written.endIndex {
                let escaped = written[index]
                index += 1
                if let meant = meaning(ofLetter: escaped) {
                    bytes.append(meant)
                } else if escaped == UInt8(ascii: "u"), let scalar = scalar(in: written, at: &index) {
                    bytes.append(contentsOf: Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
                } else {
                    // Of two halves of a character, there are twelve bytes.
                    let isEnd = isCut && escaped == UInt8(ascii: "u") && written.endIndex - index < 10
                    return isEnd ? bytes[...] : nil
                }
            } else if !isCut {
                return nil
            }
        }
        return bytes[...]
    }

    /// Adds a text in its quotes, both in UTF-8.
    package static func write(_ text: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        // All between two escapes is added at once.
        var start = text.startIndex
        for index in text.indices {
            let byte = text[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == .backslash else { continue }
            bytes += text[start..<index]
            start = index + 1
            if let letter = letters[Int(byte)] {
                bytes.append(.backslash)
                bytes.append(letter)
            } else {
                bytes += [.backslash, UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")]
                bytes += [digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        bytes += text[start...]
        bytes.append(UInt8(ascii: "\""))
    }

    private static let digits = Array("0123456789abcdef".utf8)

    /// What a letter behind a backslash means; nil for `u`, and for what is no escape.
    package static func meaning(ofLetter letter: UInt8) -> UInt8? {
        meanings[Int(letter)]
    }

    /// By the letter behind a backslash, since it is asked for each of them.
    private static let meanings: [UInt8?] = (UInt8.min...UInt8.max).map { byte in
        escapes.first { $0.written == byte }?.meant
    }

    /// By the byte that is meant.
    private static let letters: [UInt8?] = (UInt8.min...UInt8.max).map { byte in
        escapes.first { $0.meant == byte }?.written
    }

    private static let escapes: [(written: UInt8, meant: UInt8)] = [
        (UInt8(ascii: "\""), UInt8(ascii: "\"")), (.backslash, .backslash), (UInt8(ascii: "/"), UInt8(ascii: "/")),
        (UInt8(ascii: "n"), 0x0A), (UInt8(ascii: "r"), 0x0D), (UInt8(ascii: "t"), 0x09), (UInt8(ascii: "b"), 0x08),
        (UInt8(ascii: "f"), 0x0C),
    ]

    /// The character of four digits, or of two halves of one in UTF-16, behind `\u`; the index goes behind what was read.
    package static func scalar(in text: ArraySlice<UInt8>, at index: inout Int) -> Unicode.Scalar? {
        guard let first = unit(in: text, at: &index) else { return nil }
        guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
        guard text.endIndex - index > 2, text[index] == .backslash, text[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        index += 2
        guard let second = unit(in: text, at: &index), (0xDC00..<0xE000).contains(second) else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private static func unit(in text: ArraySlice<UInt8>, at index: inout Int) -> UInt32? {
        guard text.endIndex - index >= 4 else { return nil }
        var unit: UInt32 = 0
        for digit in text[index..<(index + 4)] {
            guard let value = digit.hexDigitValue else { return nil }
            unit = unit << 4 | UInt32(value)
        }
        index += 4
        return unit
    }
}
