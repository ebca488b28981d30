import StartSmallFoundation

/// A parameter of a header field with any characters, such as `UTF-8'en'%e2%82%ac%20rates` (RFC 8187).
package enum ExtendedValue {
    /// Decodes a value; nil if it is invalid, or in a charset that recipients need not support (RFC 8187 3.2.1).
    ///
    /// Characters that should have been encoded, and a percent sign without two hexadecimal digits, stay as they are.
    /// ISO-8859-1 must no longer be produced, but was allowed until RFC 5987.
    package static func decoded(_ value: String) -> String? {
        let text = Array(value.utf8)
        let parts = text.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].allSatisfy({ $0 < 0x80 }) else { return nil }
        let bytes = URIEncoding.decoded(parts[2])
        return switch String(decoding: parts[0], as: UTF8.self).lowercased() {
        // Foundation would remove a byte order mark, which is a part of the text.
        // `utf8` is no registered name, but servers send it, and some browsers read it.
        case "utf-8", "utf8": String(validating: bytes, as: UTF8.self)
        // Each byte is the number of a character, if no character of another charset is written as it is.
        case "iso-8859-1" where parts[2].allSatisfy({ $0 < 0x80 }):
            String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: nil
        }
    }
}
