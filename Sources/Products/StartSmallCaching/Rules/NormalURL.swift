public import StartSmallCore
public import StartSmallHeaders
import StartSmallFoundation

/// The normal form of a URL, so that equivalent URLs have one key (RFC 9110 4.2.3).
struct NormalURL: Hashable, Sendable {
    /// Scheme and host in lower case, a port unless it is the default, the path, and the query.
    ///
    /// The path and the query stay as they are sent; the fragment and the user information are left out.
    let text: String

    /// The user information, which is a credential; nil if there is none.
    let userInfo: String?

    /// The length of the scheme, the host and the port in bytes.
    private let originLength: Int

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
        normal += hostAndPort[..<end].map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        if !port.isEmpty, !port.elementsEqual(defaultPort.utf8) { normal += [UInt8(ascii: ":")] + port }
        originLength = normal.count
        let target = rest[authority.endIndex...]
        if target.first != UInt8(ascii: "/") { normal.append(UInt8(ascii: "/")) }
        normal += target
        text = String(decoding: normal, as: UTF8.self)
    }

    /// Returns a scheme in lower case, and its default port; nil for another one than `http` and `https`.
    private static func scheme(_ bytes: ArraySlice<UInt8>) -> (String, port: String)? {
        let isScheme = { (scheme: String) in bytes.elementsEqual(scheme.utf8) { $0 | 0x20 == $1 } }
        return isScheme("https") ? ("https", "443") : isScheme("http") ? ("http", "80") : nil
    }
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
        return HexadecimalDigest.sha256(of: text)
    }
}
