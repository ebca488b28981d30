import StartSmall

/// Parsers of the lines of an HTTP/1 message: pure functions of a line without its CRLF.
///
/// The parsers are as strict as RFC 9112 allows a server to be, since a test server should detect a client's mistakes.
enum HTTP1Lines {
    /// Parses `GET /path HTTP/1.1` (RFC 9112 3).
    static func request(_ line: ArraySlice<UInt8>) throws(HTTP1Refusal) -> HTTP1Request {
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .malformed("the request line does not have three parts") }
        guard HTTPToken.isToken(parts[0]) else { throw .malformed("the method is not a token") }
        guard !parts[1].isEmpty, parts[1].allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .malformed("the target is empty, or has bytes that are invalid in a URL")
        }
        let version = text(parts[2])
        guard parts[2].count == 8, version.hasPrefix("HTTP/"), parts[2].dropFirst(6).first == UInt8(ascii: ".") else {
            throw .malformed("the request line does not end with a version")
        }
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else { throw .unknownVersion(version) }
        return HTTP1Request(method: text(parts[0]), target: text(parts[1]), minorVersion: version == "HTTP/1.1" ? 1 : 0)
    }

    /// Parses `Name: value` (RFC 9112 5).
    static func field(_ line: ArraySlice<UInt8>) throws(HTTP1Refusal) -> HTTPHeaders.Field {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed("a field without a colon") }
        let name = line[..<colon]
        guard HTTPToken.isToken(name) else { throw .malformed("the name of a field is not a token") }
        let value = trimmed(line[(colon + 1)...])
        guard HTTPToken.isFieldValue(value) else {
            throw .malformed("a control character in the field \(text(name))")
        }
        return HTTPHeaders.Field(name: text(name), value: text(value))
    }

    /// Parses `1F;extension`, ignoring the extension (RFC 9112 7.1).
    ///
    /// - Returns: the size; nil if the line has no size, or one that no machine can hold.
    static func chunkSize(_ line: ArraySlice<UInt8>) -> Int? {
        let digits = trimmed(line.prefix { $0 != UInt8(ascii: ";") }, leading: false)
        if digits.isEmpty { return nil }
        var size = 0
        for byte in digits {
            guard let digit = byte.hexDigitValue, size <= Int.max >> 4 else { return nil }
            size = size << 4 | Int(digit)
        }
        return size
    }

    /// Returns the text of bytes in UTF-8, or else in ISO-8859-1 (RFC 9110 5.5 leaves the encoding open).
    static func text(_ bytes: some Collection<UInt8>) -> String {
        // Nearly all texts are ASCII, which needs no validation.
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Returns bytes without trailing blanks, and by default without leading blanks.
    static func trimmed(_ bytes: ArraySlice<UInt8>, leading: Bool = true) -> ArraySlice<UInt8> {
        var rest = leading ? bytes.drop(while: \.isBlank) : bytes
        while let last = rest.last, last.isBlank { rest.removeLast() }
        return rest
    }
}
