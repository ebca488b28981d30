import Foundation

/// Texts of any characters in a parameter of a header, such as `UTF-8'en'%e2%82%ac%20rates` (RFC 8187).
enum RFC8187 {
    /// The text that a value stands for; nil if it is none, or in a charset that nobody has to know (RFC 8187 3.2.1).
    ///
    /// ISO-8859-1 is no longer to be written, but was until RFC 5987.
    static func decoded(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, isEncoded(parts[2]) else { return nil }
        let bytes = RFC3986.decoded(parts[2])
        return switch parts[0].lowercased() {
        case "utf-8": String(bytes: bytes, encoding: .utf8)
        case "iso-8859-1": String(bytes: bytes, encoding: .isoLatin1)
        default: nil
        }
    }

    /// Whether a text is made of attribute characters, and each `%` begins a triplet.
    private static func isEncoded(_ text: Substring) -> Bool {
        var rest = text.utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.prefix(2).count(where: isHexDigit) == 2 else { return false }
                rest = rest.dropFirst(2)
            } else if !isAttributeByte(byte) {
                return false
            }
        }
        return true
    }

    /// `attr-char`: that of a token, but for `*`, `'` and `%`.
    private static func isAttributeByte(_ byte: UInt8) -> Bool {
        RFC9110.isTokenByte(byte) && byte != UInt8(ascii: "*") && byte != UInt8(ascii: "'")
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        Character(Unicode.Scalar(byte)).isHexDigit
    }
}
