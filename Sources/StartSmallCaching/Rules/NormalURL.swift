import Foundation
public import StartSmall

/// The normal form of a URL, so that equivalent URLs have one key (RFC 9110 4.2.3, RFC 3986 6.2.2).
struct NormalURL: Hashable, Sendable {
    /// Scheme and host in lower case, a port unless it is the default, the path, and the query.
    ///
    /// Escapes have capital digits, and unreserved characters are not escaped. Segments `.` and `..` stay as they are
    /// sent; the fragment and the user information are left out.
    let text: String

    /// The scheme, the host and the port.
    let origin: String

    /// The user information, which is a credential; nil if there is none.
    let userInfo: String?

    /// Reads the URL of a request, with its query items; nil if it is not an `http` or `https` URL with a host.
    init?(of input: Input) {
        self.init(Response(statusCode: .ok).base(of: input))
    }

    /// Reads a URL; nil if it is not an `http` or `https` URL with a host.
    init?(_ url: URL) {
        let bytes = Array(url.absoluteString.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
            return nil
        }
        let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        guard let defaultPort = ["http": "80", "https": "443"][scheme] else { return nil }
        let rest = bytes[(colon + 3)...].prefix { $0 != UInt8(ascii: "#") }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        let hostAndPort = at.map { authority[($0 + 1)...] } ?? authority
        let bracket = hostAndPort.lastIndex(of: UInt8(ascii: "]")) ?? hostAndPort.startIndex
        let end = hostAndPort[bracket...].firstIndex(of: UInt8(ascii: ":")) ?? hostAndPort.endIndex
        let host = Self.normalized(hostAndPort[..<end]).lowercased()
        let port = String(decoding: hostAndPort[end...].dropFirst(), as: UTF8.self)
        guard !host.isEmpty, port.isEmpty || UInt16(port) != nil else { return nil }
        userInfo = at.map { String(decoding: authority[..<$0], as: UTF8.self) }
        origin = "\(scheme)://\(host)" + (port.isEmpty || port == defaultPort ? "" : ":\(port)")
        let target = Self.normalized(rest[authority.endIndex...])
        text = origin + (target.utf8.first == UInt8(ascii: "/") ? "" : "/") + target
    }

    /// Returns text with normal escapes (RFC 3986 6.2.2.1 and 6.2.2.2); a `%` without two digits stays.
    private static func normalized(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "%")) else { return String(decoding: bytes, as: UTF8.self) }
        var (normal, rest) = ([UInt8](), bytes)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), let value = value(of: rest.prefix(2)) else {
                normal.append(byte)
                continue
            }
            if isUnreserved(value) {
                normal.append(value)
            } else {
                normal.append(byte)
                normal += String(decoding: rest.prefix(2), as: UTF8.self).uppercased().utf8
            }
            rest = rest.dropFirst(2)
        }
        return String(decoding: normal, as: UTF8.self)
    }

    /// Returns the value of two hexadecimal digits; nil if they are not.
    private static func value(of digits: ArraySlice<UInt8>) -> UInt8? {
        guard digits.count == 2, digits.allSatisfy({ $0.isHexadecimal }) else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || "-._~".utf8.contains(byte)
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

    fileprivate var isHexadecimal: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) }
}

extension CacheKey {
    /// Creates the key of a request; nil if its URL is not an `http` or `https` URL with a host.
    ///
    /// The identity is a SHA-256 digest of the credentials, so that no store contains them. The user information of a
    /// URL is a credential, too, and is not part of the key's URL.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - identity: the credentials of the request.
    public init?(for request: Request, identity: RequestIdentity) {
        guard let url = NormalURL(of: request) else { return nil }
        let credentials = (url.userInfo.map { [.init(name: "user information", value: $0)] } ?? []) + identity.fields
        self.init(url: url.text, identity: Self.digest(of: credentials))
    }

    /// Returns the digest of credentials, with their lengths, so that no two lists have the same text.
    private static func digest(of credentials: [HTTPHeaders.Field]) -> String {
        if credentials.isEmpty { return "" }
        let text = credentials.map {
            "\($0.name.utf8.count):\($0.name)\($0.value.utf8.count):\($0.value)"
        }.joined()
        return SHA256Digest.hexDigest(of: text.utf8)
    }
}
