import Foundation
public import StartSmall

/// The normal form of a URL, so that equivalent URLs have one key (RFC 9110 4.2.3, RFC 3986 6.2.2).
struct NormalURL: Hashable, Sendable {
    /// Scheme and host in lower case, a port unless it is the default, the path, and the query.
    ///
    /// Escapes have capital digits, and unreserved characters are not escaped. Segments `.` and `..` stay as they are
    /// sent; the fragment and the user information are left out.
    let text: String

    /// The user information, which is a credential; nil if there is none.
    let userInfo: String?

    /// The length of the scheme, the host and the port in bytes.
    private let originLength: Int

    /// The scheme, the host and the port.
    var origin: String { String(decoding: text.utf8.prefix(originLength), as: UTF8.self) }

    /// Reads the URL that a request asks for, with its query items (RFC 9110 7.1).
    ///
    /// The result is nil if it is not an `http` or `https` URL with a host, or if the request's `Host` can't be read.
    init?(of input: Input) {
        guard let target = input.targetURL else { return nil }
        self.init(input.queries.isEmpty ? target : Response(statusCode: .ok).base(of: input.with { $0.url = target }))
    }

    /// Reads a URL; nil if it is not an `http` or `https` URL with a host.
    init?(_ url: URL) {
        let bytes = Array(url.absoluteString.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8),
            let (scheme, defaultPort) = Self.scheme(bytes[..<colon])
        else { return nil }
        let rest = bytes[(colon + 3)...].prefix { $0 != UInt8(ascii: "#") }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        let hostAndPort = at.map { authority[($0 + 1)...] } ?? authority
        let bracket = hostAndPort.lastIndex(of: UInt8(ascii: "]")) ?? hostAndPort.startIndex
        let end = hostAndPort[bracket...].firstIndex(of: UInt8(ascii: ":")) ?? hostAndPort.endIndex
        let port = hostAndPort[end...].dropFirst()
        guard end > hostAndPort.startIndex, port.isEmpty || UInt16(String(decoding: port, as: UTF8.self)) != nil else {
            return nil
        }
        userInfo = at.map { String(decoding: authority[..<$0], as: UTF8.self) }
        var normal: [UInt8] = []
        normal.reserveCapacity(bytes.count + 1)
        normal += "\(scheme)://".utf8
        let host = normal.count
        Self.append(hostAndPort[..<end], to: &normal)
        for index in host..<normal.count where normal[index].isLetter { normal[index] |= 0x20 }
        if !port.isEmpty, !port.elementsEqual(defaultPort.utf8) { normal += [UInt8(ascii: ":")] + port }
        originLength = normal.count
        let target = rest[authority.endIndex...]
        if target.first != UInt8(ascii: "/") { normal.append(UInt8(ascii: "/")) }
        Self.append(target, to: &normal)
        text = String(decoding: normal, as: UTF8.self)
    }

    /// Returns a scheme in lower case, and its default port; nil for another one than `http` and `https`.
    private static func scheme(_ bytes: ArraySlice<UInt8>) -> (String, port: String)? {
        let isScheme = { (scheme: String) in bytes.elementsEqual(scheme.utf8) { $0 | 0x20 == $1 } }
        return isScheme("https") ? ("https", "443") : isScheme("http") ? ("http", "80") : nil
    }

    /// Appends text with normal escapes (RFC 3986 6.2.2.1 and 6.2.2.2); a `%` without two digits stays.
    private static func append(_ bytes: ArraySlice<UInt8>, to normal: inout [UInt8]) {
        guard bytes.contains(UInt8(ascii: "%")) else {
            normal += bytes
            return
        }
        var rest = bytes
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
    /// The host of the URL is that of the request's own `Host` field, if there is one (RFC 9110 7.1).
    ///
    /// The identity is a SHA-256 digest of the credentials, so that no store contains them. The user information of a
    /// URL is a credential, too, and is not part of the key's URL. If `Host` names another origin than the URL, the
    /// origin of the URL belongs to the identity: what one server says about a host answers no request to another
    /// server.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - identity: the credentials of the request.
    public init?(for request: Request, identity: RequestIdentity) {
        guard let url = NormalURL(of: request) else { return nil }
        var parts = url.userInfo.map { [HTTPHeaders.Field(name: "user information", value: $0)] } ?? []
        if request.headers.contains("Host") {
            guard let server = NormalURL(request.url) else { return nil }
            if server.origin != url.origin { parts.append(.init(name: "server of the request", value: server.origin)) }
        }
        self.init(url: url.text, identity: Self.digest(of: parts + identity.fields))
    }

    /// Returns the digest of credentials and other parts, with their lengths, so that no two lists have the same text.
    private static func digest(of credentials: [HTTPHeaders.Field]) -> String {
        if credentials.isEmpty { return "" }
        let text = credentials.map {
            "\($0.name.utf8.count):\($0.name)\($0.value.utf8.count):\($0.value)"
        }.joined()
        return SHA256Digest.hexDigest(of: text.utf8)
    }
}
