public import Foundation

/// The rules of RFC 3986 that everything here needs: what is percent-encoded, and how query items are joined.
public enum RFC3986 {
    /// A text in which all but the unreserved characters (RFC 3986 2.3) is percent-encoded as UTF-8.
    public static func encoded(_ text: String) -> String {
        encoded(text, keeping: isUnreserved)
    }

    /// A URL's text with query items after those that it has, in front of its fragment.
    ///
    /// A nil value gives the name alone, without `=`; an empty one gives `name=`.
    public static func appending(_ queries: [URLQueryItem], to url: String) -> String {
        if queries.isEmpty { return url }
        let items = queries.map { item in encoded(item.name) + (item.value.map { "=" + encoded($0) } ?? "") }
        let target = url.utf8.prefix { $0 != UInt8(ascii: "#") }
        let separator =
            if !target.contains(UInt8(ascii: "?")) {
                "?"
            } else {
                target.last == UInt8(ascii: "?") || target.last == UInt8(ascii: "&") ? "" : "&"
            }
        return url[..<target.endIndex] + separator + items.joined(separator: "&") + url[target.endIndex...]
    }

    /// A URL's text in which brackets are percent-encoded but for those of an IP literal, where alone they are legal
    /// (RFC 3986 3.2.2): many APIs are documented as `?filter[name]=…`.
    static func encodingBrackets(in url: String) -> String {
        guard url.utf8.contains(where: isBracket) else { return url }
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        return url[..<end] + encoded(url[end...]) { !isBracket($0) }
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
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            if isKept(byte) || triplets && byte == percent && triplet(after: rest) != nil {
                bytes.append(byte)
            } else {
                bytes += [percent, digit(byte >> 4), digit(byte & 15)]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes that a text stands for; a `%` that begins no triplet stands for itself.
    static func decoded(_ text: some StringProtocol) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            if byte == percent, let decoded = triplet(after: rest) {
                bytes.append(decoded)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// The byte that a `%` and what follows it stand for, or nil if that is no triplet.
    private static func triplet(after percent: Substring.UTF8View) -> UInt8? {
        let digits = percent.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return digits.count == 2 ? UInt8(digits[0] << 4 | digits[1]) : nil
    }

    /// Whether a byte is a letter, a digit, `-`, `.`, `_` or `~` (RFC 3986 2.3).
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    private static let percent = UInt8(ascii: "%")

    /// A hexadecimal digit, in capitals as RFC 3986 2.1 asks for.
    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
