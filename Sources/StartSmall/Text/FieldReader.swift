/// Reads the value of a header field byte by byte, each byte once: what comes from outside sets no other pace.
struct FieldReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ value: String) {
        bytes = Array(value.utf8)
    }

    var isAtEnd: Bool { index == bytes.count }

    /// Whether a mark is next.
    func isAt(_ mark: Unicode.Scalar) -> Bool {
        index < bytes.count && bytes[index] == UInt8(ascii: mark)
    }

    /// Spaces and tabs (RFC 9110 5.6.3).
    mutating func skipBlanks() {
        while index < bytes.count, bytes[index].isBlank { index += 1 }
    }

    /// Goes past a mark if it is next.
    mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard isAt(mark) else { return false }
        index += 1
        return true
    }

    /// What stands in front of a byte, or of the end.
    mutating func text(withoutBlanksAtEnd: Bool = false, until isEnd: (UInt8) -> Bool) -> String {
        let start = index
        while index < bytes.count, !isEnd(bytes[index]) { index += 1 }
        var end = index
        while withoutBlanksAtEnd, end > start, bytes[end - 1].isBlank { end -= 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// The longest token from here, which may be empty (RFC 9110 5.6.2).
    mutating func token() -> String {
        text { !RFC9110.isTokenByte($0) }
    }

    /// What is behind the first quote, up to the next one that stands behind no backslash, or the end (RFC 9110 5.6.4).
    mutating func quoted() -> String {
        String(decoding: unquoted().bytes, as: UTF8.self)
    }

    /// The same, but nil if no quote closes it, or if there is a control character in it (RFC 9110 5.6.4).
    mutating func strictlyQuoted() -> String? {
        let (value, isClosed) = unquoted()
        return isClosed && RFC9110.isFieldValue(value[...]) ? String(decoding: value, as: UTF8.self) : nil
    }

    private mutating func unquoted() -> (bytes: [UInt8], isClosed: Bool) {
        var value: [UInt8] = []
        while index < bytes.count {
            if take("\"") { return (value, true) }
            if take("\\"), isAtEnd { break }
            value.append(bytes[index])
            index += 1
        }
        return (value, false)
    }

    /// Goes to the next mark that stands in no quotes, or to the end.
    mutating func skip(to mark: Unicode.Scalar) {
        while index < bytes.count, bytes[index] != UInt8(ascii: mark) {
            if take("\"") { _ = quoted() } else { index += 1 }
        }
    }
}
