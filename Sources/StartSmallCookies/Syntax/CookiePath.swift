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

    /// Returns whether the path of a request path-matches the path of a cookie.
    static func matches(_ path: String, cookiePath: String) -> Bool {
        let (path, prefix) = (path.utf8, cookiePath.utf8)
        guard path.starts(with: prefix) else { return false }
        return path.count == prefix.count || prefix.last == CookieBytes.slash
            || path.dropFirst(prefix.count).first == CookieBytes.slash
    }
}
