/// Strings in JSON (RFC 8259 7), read and written without the cost of a decoder and an encoder for each.
package enum JSONString {
    /// Returns the decoded text between two quotes, in UTF-8; nil if a backslash begins no escape.
    ///
    /// - Parameter isCut: whether the closing quote is missing, so that the last escape may be cut off; such an escape
    ///   is left out.
    package static func meaning(of written: ArraySlice<UInt8>, isCut: Bool) -> ArraySlice<UInt8>? {
        guard written.contains(.backslash) else { return written }
        var isValid = false
        let bytes = written.withUnsafeBufferPointer { written in
            [UInt8](unsafeUninitializedCapacity: written.count) { bytes, count in
                guard let length = decode(written, isCut: isCut, to: bytes) else { return }
                (isValid, count) = (true, length)
            }
        }
        return isValid ? bytes[...] : nil
    }

    /// Returns the decoded text between two quotes; nil if a backslash begins no escape.
    package static func text(of written: UnsafeBufferPointer<UInt8>) -> String? {
        var isValid = false
        let text = String(unsafeUninitializedCapacity: written.count) { bytes in
            guard let length = decode(written, isCut: false, to: bytes) else { return 0 }
            isValid = true
            return length
        }
        return isValid ? text : nil
    }

    /// Decodes the text between two quotes, which is never longer than it is written.
    ///
    /// - Returns: the length of the decoded text; nil if a backslash begins no escape.
    private static func decode(
        _ written: UnsafeBufferPointer<UInt8>,
        isCut: Bool,
        to bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        var (index, count) = (0, 0)
        while index < written.count {
            let byte = written[index]
            index += 1
            if byte != .backslash {
                bytes[count] = byte
                count += 1
            } else if index < written.count {
                let escaped = written[index]
                index += 1
                if let meant = meaning(ofLetter: escaped) {
                    bytes[count] = meant
                    count += 1
                } else if escaped == UInt8(ascii: "u"), let scalar = scalar(in: written, at: &index) {
                    for byte in Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter {
                        bytes[count] = byte
                        count += 1
                    }
                } else {
                    // A surrogate pair has twelve bytes.
                    let isEnd = isCut && escaped == UInt8(ascii: "u") && written.count - index < 10
                    return isEnd ? count : nil
                }
            } else if !isCut {
                return nil
            }
        }
        return count
    }

    /// Appends a text in quotes to bytes, both in UTF-8.
    package static func write(_ text: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        // All bytes between two escapes are appended at once.
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

    /// Returns the byte for a letter after a backslash; nil for `u`, and for anything that is not an escape.
    private static func meaning(ofLetter letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), .backslash, UInt8(ascii: "/"): letter
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        default: nil
        }
    }

    /// The letters after a backslash by the decoded byte.
    private static let letters: [UInt8?] = (UInt8.min...UInt8.max).map { byte in
        "\"\\/nrtbf".utf8.first { meaning(ofLetter: $0) == byte }
    }

    /// Reads the character after `\u`: four hexadecimal digits, or a surrogate pair.
    private static func scalar(in text: UnsafeBufferPointer<UInt8>, at index: inout Int) -> Unicode.Scalar? {
        guard let first = unit(in: text, at: &index) else { return nil }
        guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
        guard text.count - index > 2, text[index] == .backslash, text[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        index += 2
        guard let second = unit(in: text, at: &index), (0xDC00..<0xE000).contains(second) else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private static func unit(in text: UnsafeBufferPointer<UInt8>, at index: inout Int) -> UInt32? {
        guard text.count - index >= 4 else { return nil }
        var unit: UInt32 = 0
        for place in index..<(index + 4) {
            guard let value = text[place].hexDigitValue else { return nil }
            unit = unit << 4 | UInt32(value)
        }
        index += 4
        return unit
    }
}
