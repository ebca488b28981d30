/// A scanner of header field values that reads each byte once, so that hostile input costs linear time only.
public struct HeaderScanner {
    @usableFromInline let bytes: [UInt8]
    @usableFromInline var index = 0

    /// Whether a quote was found that is never closed, so that no later quote is searched for its end.
    @usableFromInline var hasOpenQuote = false

    /// Creates a scanner of a value, at its first byte.
    @inlinable
    public init(_ value: String) {
        bytes = Array(value.utf8)
    }

    /// Whether no byte is left.
    @inlinable public var isAtEnd: Bool { index == bytes.count }

    /// The position of the next byte.
    package var position: Int { index }

    /// Returns the bytes from a position to the next byte.
    package func bytes(since start: Int) -> ArraySlice<UInt8> { bytes[start..<index] }

    /// Returns whether a mark is next.
    @inlinable
    public func isAt(_ mark: Unicode.Scalar) -> Bool {
        index < bytes.count && bytes[index] == UInt8(ascii: mark)
    }

    /// Skips spaces and tabs (RFC 9110 5.6.3).
    ///
    /// - Returns: whether there were any.
    @inlinable @discardableResult
    public mutating func skipBlanks() -> Bool {
        let start = index
        while index < bytes.count, HTTPToken.isBlank(bytes[index]) { index += 1 }
        return index > start
    }

    /// Skips a mark if it is next, and returns whether it was.
    @inlinable
    public mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard isAt(mark) else { return false }
        index += 1
        return true
    }

    /// Reads the text before the next byte that satisfies a condition, or before the end.
    @inlinable
    public mutating func text(withoutBlanksAtEnd: Bool = false, until isEnd: (UInt8) -> Bool) -> String {
        let start = index
        while index < bytes.count, !isEnd(bytes[index]) { index += 1 }
        var end = index
        while withoutBlanksAtEnd, end > start, HTTPToken.isBlank(bytes[end - 1]) { end -= 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// Reads the longest token, which can be empty (RFC 9110 5.6.2).
    @inlinable
    public mutating func token() -> String {
        String(decoding: tokenBytes(), as: UTF8.self)
    }

    /// Reads the longest token as bytes, for text that need not be stored.
    @inlinable
    public mutating func tokenBytes() -> ArraySlice<UInt8> {
        let start = index
        while index < bytes.count, HTTPToken.isTokenByte(bytes[index]) { index += 1 }
        return bytes[start..<index]
    }

    /// Reads a quoted string after its first quote (RFC 9110 5.6.4).
    ///
    /// The string ends at the next quote without a backslash, or at the end of the value.
    package mutating func quoted() -> String {
        String(decoding: Self.meant(by: written().text), as: UTF8.self)
    }

    /// Reads a quoted string as bytes; nil without a closing quote, or with a control character (RFC 9110 5.6.4).
    package mutating func strictlyQuoted() -> ArraySlice<UInt8>? {
        let (text, isClosed) = written()
        return isClosed && HTTPToken.isFieldValue(text) ? Self.meant(by: text) : nil
    }

    /// Reads a quoted string as bytes; without a closing quote, only a token that extends to the end of the value.
    package mutating func lenientlyQuoted() -> ArraySlice<UInt8>? {
        let (text, isClosed) = written()
        if !isClosed { return HTTPToken.isToken(text) ? text : nil }
        return HTTPToken.isFieldValue(text) ? Self.meant(by: text) : nil
    }

    /// Reads a quoted string with its backslashes.
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

    /// Removes the backslashes of escapes; one at the end stays.
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

    /// Reads a quoted string with its quotes; nil, without moving, if it is never closed.
    package mutating func quotedIfClosed() -> String? {
        writtenIfClosed().map { String(decoding: Self.meant(by: $0), as: UTF8.self) }
    }

    private mutating func writtenIfClosed() -> ArraySlice<UInt8>? {
        guard !hasOpenQuote else { return nil }
        let start = index
        index += 1
        let (text, isClosed) = written()
        if isClosed { return text }
        (index, hasOpenQuote) = (start, true)
        return nil
    }

    /// Skips to the next mark outside of quotes, or to the end; a quote that is never closed hides no mark.
    package mutating func skip(to mark: Unicode.Scalar, or other: Unicode.Scalar? = nil) {
        let (mark, other) = (UInt8(ascii: mark), other.map { UInt8(ascii: $0) })
        while index < bytes.count, bytes[index] != mark, bytes[index] != other {
            if bytes[index] != Self.quote || writtenIfClosed() == nil { index += 1 }
        }
    }
}
