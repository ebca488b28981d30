/// Percent-encoding (RFC 3986 2.1): a byte as `%` and two hexadecimal digits.
extension URIEncoding {
    /// Percent-encodes a text as UTF-8, except for unreserved characters (RFC 3986 2.3).
    package static func encoded(_ text: String) -> String {
        encoded(text, keeping: isUnreserved)
    }

    /// Percent-encodes the bytes of a text that are not to be kept.
    package static func encoded(
        _ text: String,
        triplets: Bool = false,
        keeping isKept: (UInt8) -> Bool
    ) -> String {
        encoded(Array(text.utf8)[...], triplets: triplets, keeping: isKept)
    }

    /// Percent-encodes the bytes of a text that are not to be kept; the text is given as bytes.
    package static func encoded(_ text: ArraySlice<UInt8>, triplets: Bool, keeping isKept: (UInt8) -> Bool) -> String {
        if text.allSatisfy(isKept) { return String(decoding: text, as: UTF8.self) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        for (index, byte) in zip(text.indices, text) {
            if isKept(byte) || triplets && byte == percent && triplet(after: text[(index + 1)...]) != nil {
                bytes.append(byte)
            } else {
                bytes.append(percent)
                bytes.append(digit(byte >> 4))
                bytes.append(digit(byte & 15))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes percent-encoded bytes; a `%` without two hexadecimal digits stays.
    package static func decoded(_ text: String) -> [UInt8] {
        Array(decoded(Array(text.utf8)[...]))
    }

    /// Decodes percent-encoded bytes; the text is given as bytes.
    package static func decoded(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard var index = text.firstIndex(of: percent) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        // The bytes between two triplets are appended at once.
        var start = text.startIndex
        while index < text.endIndex {
            if text[index] == percent, index + 2 < text.endIndex,
                let decoded = byte(text[index + 1], text[index + 2])
            {
                bytes += text[start..<index]
                bytes.append(decoded)
                index += 3
                start = index
            } else {
                index += 1
            }
        }
        return (bytes + text[start...])[...]
    }

    /// Decodes a name or value of a form, in which `+` is a space (WHATWG URL 5.1).
    package static func decodedForm(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.contains(UInt8(ascii: "+")) else { return decoded(text) }
        return decoded(text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }[...])
    }

    /// Decodes the two digits after a `%`; nil if there are not two hexadecimal digits.
    package static func triplet(after percent: some Collection<UInt8>) -> UInt8? {
        guard let high = percent.first, let low = percent.dropFirst().first else { return nil }
        return byte(high, low)
    }

    /// Decodes a byte from two hexadecimal digits; nil if they are not.
    private static func byte(_ high: UInt8, _ low: UInt8) -> UInt8? {
        guard let high = high.hexDigitValue, let low = low.hexDigitValue else { return nil }
        return high << 4 | low
    }

    /// Returns the end of the first character of a text; a percent-encoded character counts as one (RFC 6570 2.4.1).
    ///
    /// Such a character has a triplet for each byte of its UTF-8.
    package static func endOfFirstCharacter(of text: Substring) -> String.Index {
        guard text.utf8.first == percent, let lead = triplet(after: text.utf8.dropFirst()) else {
            return text.unicodeScalars.dropFirst().startIndex
        }
        var rest = text.utf8.dropFirst(3)
        var bytes = [lead]
        while bytes.count < 4, rest.first == percent, let byte = triplet(after: rest.dropFirst()), byte & 0xC0 == 0x80 {
            bytes.append(byte)
            rest = rest.dropFirst(3)
            if String(validating: bytes, as: UTF8.self)?.unicodeScalars.count == 1 { return rest.startIndex }
        }
        return text.utf8.dropFirst(3).startIndex
    }

    /// The first byte of a percent-encoded byte.
    @inlinable public static var percent: UInt8 { UInt8(ascii: "%") }

    /// Returns a hexadecimal digit, in upper case as RFC 3986 2.1 recommends.
    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
