public import Foundation

/// The two rules of RFC 3986 that everything here needs: what is percent-encoded, and how query items are joined.
public enum RFC3986 {
    /// A text in which all but the unreserved characters (RFC 3986 2.3) is percent-encoded as UTF-8.
    public static func encoded(_ text: String) -> String {
        if text.utf8.allSatisfy(isUnreserved) { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3)
        for byte in text.utf8 {
            if isUnreserved(byte) { bytes.append(byte) } else { bytes += percentEncoded(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A URL's text with query items after those that it has, in front of its fragment.
    ///
    /// A nil value gives the name alone, without `=`; an empty one gives `name=`.
    public static func appending(_ queries: [URLQueryItem], to url: String) -> String {
        if queries.isEmpty { return url }
        let items = queries.map { item in encoded(item.name) + (item.value.map { "=" + encoded($0) } ?? "") }
        let end = url.firstIndex(of: "#") ?? url.endIndex
        let target = url[..<end]
        let separator =
            if !target.contains("?") { "?" } else if target.hasSuffix("?") || target.hasSuffix("&") { "" } else { "&" }
        return target + separator + items.joined(separator: "&") + url[end...]
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

    /// `%` and two digits, in capitals as RFC 3986 2.1 asks for.
    static func percentEncoded(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}
