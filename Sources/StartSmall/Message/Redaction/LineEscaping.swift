extension String {
    /// The same with control characters, line breaks and invisible format characters as escapes (`\r`, `\u{2028}`).
    ///
    /// What descriptions show may come from outside: it must not be able to begin a line of its own in a log.
    var onOneLine: String {
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
    /// Each character of ASCII as it is shown.
    fileprivate static let shownASCII = (UInt8.min..<0x80).map { byte in
        let scalar = Unicode.Scalar(byte)
        return scalar.isShownAsEscape ? Array(scalar.escaped(asASCII: true).utf8) : [byte]
    }

    /// Whether it is of the categories Cc, Zl and Zp, to which Unicode adds no more, or a format character that is not seen,
    /// or that changes the order of those around it (Unicode Technical Report 36, 2.8): to look that up takes longer.
    ///
    /// U+200C and U+200D stay: words of Persian and Hindi have them, and so has 👩‍🚀.
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
