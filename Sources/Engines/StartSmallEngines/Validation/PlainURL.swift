import StartSmallSupport

/// The check for URLs that reach the wire unchanged.
enum PlainURL {
    /// Returns whether a URL has a scheme, a host, maybe a port, and no part that is not sent as it is.
    ///
    /// The scheme is `http` or `https` in lower case; the host consists of unreserved characters (RFC 3986 2.3), so
    /// that it is neither an address in brackets nor percent-encoded; the port has one to five digits and is at most
    /// 65535; there is no user information and no fragment. Other URLs may be legal, too.
    static func isPlain(_ url: String) -> Bool {
        url.utf8.withContiguousStorageIfAvailable(isPlain) ?? false
    }

    private static func isPlain(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = startOfAuthority(url) else { return false }
        var index = start
        while index < url.count, URIEncoding.isUnreserved(url[index]) { index += 1 }
        if index == start { return false }
        if index < url.count, url[index] == UInt8(ascii: ":") {
            let digits = url[(index + 1)...].prefix(while: \.isASCIIDigit)
            guard (1...5).contains(digits.count), digits.reduce(0, { $0 * 10 + Int($1 & 0x0F) }) <= UInt16.max else {
                return false
            }
            index = digits.endIndex
        }
        if index == url.count { return true }
        guard url[index] == UInt8(ascii: "/") || url[index] == UInt8(ascii: "?") else { return false }
        return !url[index...].contains(UInt8(ascii: "#"))
    }

    /// Returns the index after `http://` or `https://`; nil if the URL begins otherwise.
    private static func startOfAuthority(_ url: UnsafeBufferPointer<UInt8>) -> Int? {
        let (http, https): (StaticString, StaticString) = ("http://", "https://")
        if url.hasPrefix(http) { return http.utf8CodeUnitCount }
        return url.hasPrefix(https) ? https.utf8CodeUnitCount : nil
    }
}
