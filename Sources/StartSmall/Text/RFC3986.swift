package import Foundation

/// The rules of RFC 3986 that everything here needs: what is percent-encoded, and how query items are joined.
package enum RFC3986 {
    /// A text in which all but the unreserved characters (RFC 3986 2.3) is percent-encoded as UTF-8.
    package static func encoded(_ text: String) -> String {
        encoded(text, keeping: isUnreserved)
    }

    /// A URL's text with query items after those that it has, in front of its fragment.
    ///
    /// A nil value gives the name alone, without `=`; an empty one gives `name=`.
    package static func appending(_ queries: [URLQueryItem], to url: String) -> String {
        queries.isEmpty ? url : appending(query: query(of: queries), to: url)
    }

    /// Query items joined by `&`, each without `=` if it has no value.
    static func query(of items: [URLQueryItem]) -> String {
        items.map { item in encoded(item.name) + (item.value.map { "=" + encoded($0) } ?? "") }.joined(separator: "&")
    }

    /// A URL's text with a query after the one that it has, in front of its fragment.
    static func appending(query: String, to url: String) -> String {
        if query.isEmpty { return url }
        let target = url.utf8.prefix { $0 != UInt8(ascii: "#") }
        let separator =
            if !target.contains(UInt8(ascii: "?")) {
                "?"
            } else {
                target.last == UInt8(ascii: "?") || target.last == UInt8(ascii: "&") ? "" : "&"
            }
        return url[..<target.endIndex] + separator + query + url[target.endIndex...]
    }

    /// Whether a text can stand after the `?` of a URL (RFC 3986 3.4).
    static func isQuery(_ text: String) -> Bool {
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            guard isUnreserved(byte) || queryMarks.contains(byte) || byte == percent && triplet(after: rest) != nil
            else {
                return false
            }
        }
        return true
    }

    /// The sub-delims of RFC 3986 2.2, and what else a query may hold.
    private static let queryMarks = Set("!$&'()*+,;=:@/?".utf8)

    /// A URL's text in which brackets are percent-encoded but for those of an IP literal, where alone they are legal
    /// (RFC 3986 3.2.2): many APIs are documented as `?filter[name]=…`.
    static func encodingBrackets(in url: String) -> String {
        guard url.utf8.contains(where: isBracket) else { return url }
        let start = startOfAuthority(in: url) ?? url.startIndex
        let end = start == url.startIndex ? start : url.utf8[start...].prefix { !"/?#".utf8.contains($0) }.endIndex
        return url[..<end] + encoded(url[end...]) { !isBracket($0) }
    }

    /// Where the authority begins: behind the `//` in front, or behind a scheme and `://` (RFC 3986 3.1); nil if a `://`
    /// comes later, as in a query.
    private static func startOfAuthority(in url: String) -> String.Index? {
        let scheme = url.utf8.prefix { isAlphanumeric($0) || "+-.".utf8.contains($0) }
        let rest = url.utf8[scheme.endIndex...]
        let mark = scheme.isEmpty ? "//" : "://"
        guard rest.starts(with: mark.utf8), scheme.first.map({ $0 >= UInt8(ascii: "A") }) != false else { return nil }
        return rest.dropFirst(mark.utf8.count).startIndex
    }

    private static func isBracket(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
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
    static func decoded(_ text: some StringProtocol) -> [UInt8] {
        Array(decoded(Array(text.utf8)[...]))
    }

    /// The same for a text that is bytes already.
    static func decoded(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.contains(percent) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            if text[index] == percent, let decoded = triplet(after: text[(index + 1)...]) {
                bytes.append(decoded)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return bytes[...]
    }

    /// The byte that a `%` and what follows it stand for, or nil if that is no triplet.
    static func triplet(after percent: some Collection<UInt8>) -> UInt8? {
        guard let high = percent.first.flatMap(\.asciiHexValue),
            let low = percent.dropFirst().first.flatMap(\.asciiHexValue)
        else {
            return nil
        }
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

    /// Whether a byte is a letter, a digit, `-`, `.`, `_` or `~` (RFC 3986 2.3).
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: isAlphanumeric(byte)
        }
    }

    /// Whether a byte is one that separates the parts of a URI, or may within one of them (RFC 3986 2.2).
    static func isReserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "&")...UInt8(ascii: ","),
            UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "?"),
            UInt8(ascii: "@"), UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }

    /// Whether a byte is a letter or a digit of ASCII.
    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static let percent = UInt8(ascii: "%")

    /// A hexadecimal digit, in capitals as RFC 3986 2.1 asks for.
    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
