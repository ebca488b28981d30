/// Header values that an engine decoded as ISO-8859-1 although their bytes are UTF-8.
///
/// `URLSession` on Apple platforms does so. RFC 9110 5.5 leaves the encoding open; the other engine reads UTF-8 where the
/// bytes are valid UTF-8, and ISO-8859-1 otherwise.
enum LatinText {
    /// The text of the same bytes as UTF-8; the value itself where it is ASCII, or its bytes are not UTF-8.
    ///
    /// A value with a character beyond ISO-8859-1 was decoded otherwise, and stays as it is.
    static func repaired(_ value: String) -> String {
        if value.utf8.allSatisfy({ $0 < 0x80 }) { return value }
        var bytes: [UInt8] = []
        for scalar in value.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return value }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self) ?? value
    }
}
