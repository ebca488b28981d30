import Foundation

/// Texts of any characters in a parameter of a header, such as `UTF-8'en'%e2%82%ac%20rates` (RFC 8187).
enum ExtendedValue {
    /// The text that a value stands for; nil if it is none, or in a charset that nobody has to know (RFC 8187 3.2.1).
    ///
    /// ISO-8859-1 is no longer to be written, but was until RFC 5987.
    static func decoded(_ value: String) -> String? {
        let text = Array(value.utf8)
        let parts = text.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].allSatisfy({ $0 < 0x80 }), isEncoded(parts[2]) else { return nil }
        let bytes = URIEncoding.decoded(parts[2])
        return switch String(decoding: parts[0], as: UTF8.self).lowercased() {
        // Foundation would take a byte order mark away, which is a part of the text.
        case "utf-8": String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": latin(bytes)
        default: nil
        }
    }

    /// A text of which each byte is the number of a character.
    private static func latin(_ bytes: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            if byte < 0x80 { text.append(byte) } else { text += [0xC0 | byte >> 6, 0x80 | byte & 0x3F] }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether a text is made of attribute characters, and each `%` begins a triplet.
    private static func isEncoded(_ text: ArraySlice<UInt8>) -> Bool {
        text.indices.allSatisfy { index in
            text[index] == UInt8(ascii: "%")
                ? URIEncoding.triplet(after: text[(index + 1)...]) != nil : isAttributeByte(text[index])
        }
    }

    /// Whether it is an `attr-char` (RFC 8187 3.2.1): that of a token, but for `*`, `'` and `%`.
    static func isAttributeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "*"), UInt8(ascii: "'"), UInt8(ascii: "%"): false
        default: HTTPToken.isTokenByte(byte)
        }
    }
}
