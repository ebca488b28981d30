/// The character rules of RFC 9110 for tokens and field values.
///
/// The server of the tests applies the same rules.
public enum HTTPToken {
    /// Returns whether a text is a token, such as a method or a header name (RFC 9110 5.6.2).
    @inlinable
    public static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

    /// Returns whether bytes are a token.
    @inlinable
    public static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy(isTokenByte)
    }

    /// Returns whether a token can contain a byte.
    @inlinable
    public static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"),
            UInt8(ascii: "~"):
            true
        default: URIEncoding.isAlphanumeric(byte)
        }
    }

    /// Returns whether a byte is a space or a tab (RFC 9110 5.6.3).
    @inlinable
    public static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// Returns whether a text can be a field value (RFC 9110 5.5): no control character except the tab.
    @inlinable
    public static func isFieldValue(_ text: String) -> Bool {
        text.utf8.allSatisfy(isFieldValueByte)
    }

    /// Returns whether bytes can be a field value.
    @inlinable
    public static func isFieldValue(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy(isFieldValueByte)
    }

    /// Returns whether a field value can contain a byte.
    @inlinable
    public static func isFieldValueByte(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == UInt8(ascii: "\t")
    }

    /// Parses `delta-seconds` (RFC 9110 10.2.3, RFC 9111 1.2.2): digits only, in any number; limited to a maximum.
    package static func deltaSeconds(_ text: String, atMost most: Int64) -> Duration? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return .seconds(min(Int64(text) ?? .max, most))
    }

    /// Returns a parameter value as a token if possible, and as a quoted string otherwise (RFC 9110 5.6.4).
    package static func tokenOrQuoted(_ value: String) -> String {
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
