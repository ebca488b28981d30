extension String {
    /// The text with control characters, line breaks and invisible format characters escaped (`\r`, `\u{2028}`).
    ///
    /// Descriptions can contain text from outside, which must not be able to begin a new line in a log.
    package var onOneLine: String {
        if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
        var line: [UInt8] = []
        line.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            if scalar.isASCII {
                line += Unicode.Scalar.shownASCII[Int(scalar.value)]
            } else if scalar.isShownAsEscape {
                line += scalar.escaped(asASCII: true).utf8
            } else {
                line += scalar.utf8
            }
        }
        return String(decoding: line, as: UTF8.self)
    }
}

extension Unicode.Scalar {
    /// The displayed form of each ASCII character.
    fileprivate static let shownASCII = (UInt8.min..<0x80).map { byte in
        let scalar = Unicode.Scalar(byte)
        return scalar.isShownAsEscape ? Array(scalar.escaped(asASCII: true).utf8) : [byte]
    }

    /// Whether the character is displayed as an escape.
    ///
    /// Escapes replace the characters of the categories Cc, Zl and Zp, to which Unicode adds no more, and format
    /// characters that are invisible or change the order of the characters around them (Unicode Technical Report 36,
    /// 2.8). A look-up of the category takes longer.
    ///
    /// U+200C and U+200D stay: words of Persian and Hindi contain them, and so does 👩‍🚀.
    fileprivate var isShownAsEscape: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        case 0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB:
            true
        case 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0001, 0xE0020...0xE007F: true
        default: false
        }
    }
}
