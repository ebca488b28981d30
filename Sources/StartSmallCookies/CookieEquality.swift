extension Cookie: Hashable {
    /// Whether all parts of two cookies are the same, with texts compared byte by byte.
    ///
    /// - Parameters:
    ///   - left: a cookie.
    ///   - right: another cookie.
    public static func == (left: Cookie, right: Cookie) -> Bool {
        left.hasSameContent(as: right) && left.createdAt == right.createdAt
            && left.lastAccessedAt == right.lastAccessedAt
    }

    /// Hashes parts that equal cookies have in common.
    public func hash(into hasher: inout Hasher) {
        for text in [name, domain, path] { hasher.combine(bytes: text.utf8) }
    }

    /// Whether a jar takes two cookies as the same one (RFC 6265bis 5.7, step 23).
    func hasSameKey(as other: Cookie) -> Bool {
        name.hasSameBytes(as: other.name) && isHostOnly == other.isHostOnly && domain.hasSameBytes(as: other.domain)
            && path.hasSameBytes(as: other.path)
    }

    /// Whether the parts that a server or the app chose are the same; the times that the jar added may differ.
    func hasSameContent(as other: Cookie) -> Bool {
        hasSameKey(as: other) && value.hasSameBytes(as: other.value) && expiresAt == other.expiresAt
            && (isSecure, isHTTPOnly, sameSite) == (other.isSecure, other.isHTTPOnly, other.sameSite)
    }

    /// The identity of the cookie in a jar, as a key of dictionaries.
    var key: CookieKey {
        CookieKey(name: Array(name.utf8), domain: Array(domain.utf8), isHostOnly: isHostOnly, path: Array(path.utf8))
    }
}

/// The parts of a cookie of which a jar has only one (RFC 6265bis 5.7, step 23).
struct CookieKey: Hashable, Sendable {
    let name: [UInt8]
    let domain: [UInt8]
    let isHostOnly: Bool
    let path: [UInt8]
}

extension Hasher {
    /// Hashes a text byte by byte.
    fileprivate mutating func combine(bytes: String.UTF8View) {
        for byte in bytes { combine(byte) }
    }
}
