/// Header values that an engine decoded as ISO-8859-1 although their bytes are UTF-8.
///
/// `URLSession` on Apple platforms does so. RFC 9110 5.5 leaves the encoding open; the other engine decodes UTF-8 if
/// the bytes are valid UTF-8, and ISO-8859-1 otherwise.
enum LatinText {
    /// Returns the text of the same bytes as UTF-8; the value itself if it is ASCII, or its bytes are not UTF-8.
    ///
    /// A value with a character beyond ISO-8859-1 was decoded otherwise, and is not changed.
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
