/// The character classes of RFC 6265bis, over bytes.
enum CookieBytes {
    static let semicolon = UInt8(ascii: ";")
    static let equals = UInt8(ascii: "=")
    static let slash = UInt8(ascii: "/")
    static let dot = UInt8(ascii: ".")

    /// Returns whether a byte is a control character other than the tab (RFC 6265bis 5.6 step 1).
    static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

    /// Returns whether a byte is white space (WSP, RFC 5234 B.1).
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Returns an ASCII letter in lower case, and any other byte unchanged.
    static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return bytes
    }

    /// Returns the parts before and after the first `=`; nil if there is none.
    static func pair(_ bytes: ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
        bytes.firstIndex(of: equals).map { (bytes[..<$0], bytes[($0 + 1)...]) }
    }

    static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension String {
    /// Returns whether another text is the same byte by byte; `==` takes some different texts as equal.
    func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

/// The paths of cookies, compared byte by byte without decoding (RFC 6265bis 5.1.4).
enum CookiePath {
    /// Returns the path of a cookie without a `Path`, from the path of its URL.
    static func defaultPath(of path: String) -> String {
        let bytes = Array(path.utf8)
        guard bytes.first == CookieBytes.slash, let last = bytes.lastIndex(of: CookieBytes.slash), last > 0 else {
            return "/"
        }
        return CookieBytes.text(bytes[..<last])
    }

    static func matches(_ path: String, cookiePath: String) -> Bool {
        let (path, prefix) = (path.utf8, cookiePath.utf8)
        guard path.starts(with: prefix) else { return false }
        return path.count == prefix.count || prefix.last == CookieBytes.slash
            || path.dropFirst(prefix.count).first == CookieBytes.slash
    }
}
