/// The two rules of RFC 9110 on the characters of a message: what a name is, and what a value may hold.
///
/// The server of the tests reads by the same rules.
package enum HTTPToken {
    /// Whether a text is a token: what methods and header names are made of (RFC 9110 5.6.2).
    package static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

    /// Whether the bytes of a text are those of a token.
    package static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy(isTokenByte)
    }

    /// Whether a byte can stand in a token.
    package static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"),
            UInt8(ascii: "~"):
            true
        default: URIEncoding.isAlphanumeric(byte)
        }
    }

    /// Whether a text can be a header's value (RFC 9110 5.5): no control character but the tab.
    package static func isFieldValue(_ text: String) -> Bool {
        text.utf8.allSatisfy(isFieldValueByte)
    }

    /// Whether the bytes of a text are those of a header's value.
    package static func isFieldValue(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy(isFieldValueByte)
    }

    /// Whether a byte can stand in a header's value.
    static func isFieldValueByte(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == UInt8(ascii: "\t")
    }

    /// `delta-seconds` (RFC 9110 10.2.3, RFC 9111 1.2.2): digits alone, however many; one too large to count is `most`.
    static func deltaSeconds(_ text: String, atMost most: Int64) -> Duration? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return .seconds(min(Int64(text) ?? .max, most))
    }

    /// A value as it stands in a parameter: as it is if it is a token, and else in quotes (RFC 9110 5.6.4).
    static func tokenOrQuoted(_ value: String) -> String {
        if isToken(value) { return value }
        var quoted = [UInt8(ascii: "\"")]
        quoted.reserveCapacity(value.utf8.count + 2)
        for byte in value.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { quoted.append(UInt8(ascii: "\\")) }
            quoted.append(byte)
        }
        quoted.append(UInt8(ascii: "\""))
        return String(decoding: quoted, as: UTF8.self)
    }
}
