/// Reads the value of a header field byte by byte, each byte once: what comes from outside sets no other pace.
struct HeaderScanner {
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

    /// Goes past spaces and tabs (RFC 9110 5.6.3); false if there are none.
    @discardableResult
    mutating func skipBlanks() -> Bool {
        let start = index
        while index < bytes.count, bytes[index].isBlank { index += 1 }
        return index > start
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
        String(decoding: tokenBytes(), as: UTF8.self)
    }

    /// The same as bytes: not all that is read is kept.
    mutating func tokenBytes() -> ArraySlice<UInt8> {
        let start = index
        while index < bytes.count, HTTPToken.isTokenByte(bytes[index]) { index += 1 }
        return bytes[start..<index]
    }

    /// What is behind the first quote, up to the next one that stands behind no backslash, or the end (RFC 9110 5.6.4).
    mutating func quoted() -> String {
        String(decoding: Self.meant(by: written().text), as: UTF8.self)
    }

    /// The same as bytes, but nil if no quote closes it, or if there is a control character in it (RFC 9110 5.6.4).
    mutating func strictlyQuoted() -> ArraySlice<UInt8>? {
        let (text, isClosed) = written()
        return isClosed && HTTPToken.isFieldValue(text) ? Self.meant(by: text) : nil
    }

    /// The same as it is written, with its backslashes.
    private mutating func written() -> (text: ArraySlice<UInt8>, isClosed: Bool) {
        let start = index
        while let mark = bytes[index...].firstIndex(where: { $0 == Self.quote || $0 == Self.backslash }) {
            if bytes[mark] == Self.quote {
                index = mark + 1
                return (bytes[start..<mark], true)
            }
            index = min(mark + 2, bytes.count)
        }
        index = bytes.count
        return (bytes[start...], false)
    }

    /// A text of which each backslash, but for one at the end, means what stands behind it.
    private static func meant(by text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.contains(backslash) else { return text }
        var isEscape = false
        let meant = text.filter { byte in
            isEscape = byte == backslash && !isEscape
            return !isEscape
        }
        return meant[...]
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// Goes to the next mark that stands in no quotes, or to the end.
    mutating func skip(to mark: Unicode.Scalar) {
        while index < bytes.count, bytes[index] != UInt8(ascii: mark) {
            if take("\"") { _ = written() } else { index += 1 }
        }
    }
}
