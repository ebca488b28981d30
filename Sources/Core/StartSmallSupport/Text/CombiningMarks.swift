package import StartSmallFoundation

/// The accents and other marks that follow a letter, of which a hostile text has any number.
///
/// To compare or hash a `String`, Swift sorts the marks of each letter in time that grows with the square of their
/// number: half a minute for a megabyte. Text that is not compared as bytes has a limit of them.
package enum CombiningMarks {
    /// The maximum number of marks in a row in a text that is compared.
    ///
    /// The Stream-Safe Text Format allows 30 (Unicode Standard Annex #15, 13), more than any language needs.
    package static let longestRun = 128

    /// Returns whether a text has more marks in a row than ``longestRun``.
    package static func hasLongRun(_ text: String) -> Bool {
        // Each mark has two bytes at least.
        guard text.utf8.count > 2 * longestRun else { return false }
        var run = 0
        for scalar in text.unicodeScalars {
            run = isMark(scalar) ? run + 1 : 0
            if run > longestRun { return true }
        }
        return false
    }

    /// Returns whether a text of JSON in any encoding that Foundation reads has more marks in a row than
    /// ``longestRun``.
    package static func hasLongRun(json data: Data) -> Bool {
        // Each mark has two bytes at least.
        guard data.count > 2 * longestRun else { return false }
        // In UTF-8, marks begin with a byte from 0xCC on, or are escapes; a zero occurs in UTF-16 and UTF-32.
        let isPlain = data.withUnsafeBytes { $0.allSatisfy { $0 < 0xCC && $0 != .backslash && $0 != 0 } }
        if isPlain { return false }
        let text = Charset.wideEncoding(of: data).flatMap { try? Charset.text(data, in: $0, isCut: true) }
        return hasLongRun(json: text ?? String(decoding: data, as: UTF8.self))
    }

    /// Returns whether a text of JSON or JSON5 has more marks in a row than ``longestRun``, written as such or as
    /// escapes; the text need not be well-formed.
    static func hasLongRun(json: String) -> Bool {
        var (run, high) = (0, UInt32(0))
        var scalars = json.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            // JSON5 leaves out a backslash with a line break after it.
            if isLineBreak(scalar) || scalar == "\\" && scalars.first.map(isLineBreak) == true { continue }
            var value = scalar.value
            if scalar == "\\" {
                value = scalars.popFirst()?.value ?? 0
                if value == UInt32(UInt8(ascii: "u")) { value = unit(&scalars) }
            }
            if (0xD800..<0xDC00).contains(value) {
                high = value
                continue
            }
            if high > 0, (0xDC00..<0xE000).contains(value) {
                value = 0x10000 + (high - 0xD800) << 10 + (value - 0xDC00)
            }
            high = 0
            run = Unicode.Scalar(value).map(isMark) == true ? run + 1 : 0
            if run > longestRun { return true }
        }
        return false
    }

    /// Reads up to four hexadecimal digits after `\u`.
    private static func unit(_ scalars: inout Substring.UnicodeScalarView) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = scalars.first.flatMap({ UInt8(exactly: $0.value)?.hexDigitValue }) else { break }
            unit = unit << 4 | UInt32(digit)
            scalars.removeFirst()
        }
        return unit
    }

    private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n", "\r", "\u{2028}", "\u{2029}": true
        default: false
        }
    }

    /// Returns whether a character, or what it is decomposed into, is sorted among those after a letter.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // There are none before U+0300, and looking one up takes time.
        case ..<0x300: false
        // Tibetan vowels, which count as letters, but consist of marks (Unicode Standard Annex #15, 5).
        case 0xF73, 0xF75, 0xF81: true
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}
