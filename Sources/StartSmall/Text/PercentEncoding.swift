/// Percent-encoding (RFC 3986 2.1): a byte as `%` and two hexadecimal digits.
extension URIEncoding {
    /// A text in which all but the unreserved characters (RFC 3986 2.3) is percent-encoded as UTF-8.
    package static func encoded(_ text: String) -> String {
        encoded(text, keeping: isUnreserved)
    }

    /// A text in which the bytes that are not kept are percent-encoded, but for the triplets that it has.
    static func encoded(
        _ text: some StringProtocol,
        triplets: Bool = false,
        keeping isKept: (UInt8) -> Bool
    ) -> String {
        encoded(Array(text.utf8)[...], triplets: triplets, keeping: isKept)
    }

    /// The same for a text that is bytes already.
    static func encoded(_ text: ArraySlice<UInt8>, triplets: Bool, keeping isKept: (UInt8) -> Bool) -> String {
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

    /// The bytes that a text stands for; a `%` that begins no triplet stands for itself.
    package static func decoded(_ text: some StringProtocol) -> [UInt8] {
        Array(decoded(Array(text.utf8)[...]))
    }

    /// The same for a text that is bytes already.
    package static func decoded(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard var index = text.firstIndex(of: percent) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        // All between two triplets is added at once.
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

    /// The bytes that a name or value of a form stands for, in which `+` is a space (WHATWG URL 5.1).
    package static func decodedForm(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.contains(UInt8(ascii: "+")) else { return decoded(text) }
        return decoded(text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }[...])
    }

    /// The byte that a `%` and what follows it stand for, or nil if that is no triplet.
    static func triplet(after percent: some Collection<UInt8>) -> UInt8? {
        guard let high = percent.first, let low = percent.dropFirst().first else { return nil }
        return byte(high, low)
    }

    /// The byte of two hexadecimal digits, or nil if they are none.
    package static func byte(_ high: UInt8, _ low: UInt8) -> UInt8? {
        guard let high = high.hexDigitValue, let low = low.hexDigitValue else { return nil }
        return high << 4 | low
    }

    /// Where the first character of a text ends, if one that is percent-encoded counts as one (RFC 6570 2.4.1): it may
    /// be a triplet for each byte of its UTF-8.
    static func endOfFirstCharacter(of text: Substring) -> String.Index {
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

    /// What begins a triplet.
    static let percent = UInt8(ascii: "%")

    /// A hexadecimal digit, in capitals as RFC 3986 2.1 asks for.
    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
