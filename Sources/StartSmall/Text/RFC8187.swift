import Foundation

/// Texts of any characters in a parameter of a header, such as `UTF-8'en'%e2%82%ac%20rates` (RFC 8187).
enum RFC8187 {
    /// The text that a value stands for; nil if it is none, or in a charset that nobody has to know (RFC 8187 3.2.1).
    ///
    /// ISO-8859-1 is no longer to be written, but was until RFC 5987.
    static func decoded(_ value: String) -> String? {
        let parts = value.utf8.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, Substring(parts[0]).isASCII, isEncoded(Array(parts[2])) else { return nil }
        let bytes = RFC3986.decoded(Substring(parts[2]))
        return switch Substring(parts[0]).lowercased() {
        // Foundation would take a byte order mark away, which is a part of the text.
        case "utf-8": String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": String(decoding: bytes.flatMap { Array(Unicode.Scalar($0).utf8) }, as: UTF8.self)
        default: nil
        }
    }

    /// Whether a text is made of attribute characters, and each `%` begins a triplet.
    private static func isEncoded(_ text: [UInt8]) -> Bool {
        text.indices.allSatisfy { index in
            text[index] == UInt8(ascii: "%")
                ? RFC3986.triplet(after: text[(index + 1)...]) != nil : isAttributeByte(text[index])
        }
    }

    /// Whether it is an `attr-char` (RFC 8187 3.2.1): that of a token, but for `*`, `'` and `%`.
    static func isAttributeByte(_ byte: UInt8) -> Bool {
        RFC9110.isTokenByte(byte) && !"*'%".utf8.contains(byte)
    }
}
