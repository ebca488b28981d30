import StartSmallCore
import StartSmallHeaders
import StartSmallFoundation

/// The host names and addresses of cookies (RFC 6265bis 5.1.2 and 5.1.3).
enum CookieHost {
    /// The maximum length of a host with domains: 253 bytes, as many as a name of 255 octets has (RFC 1035 2.3.4).
    ///
    /// Each of the domains above a host is looked up, in time that grows with the square of the length.
    static let maximumLength = 253

    /// Returns a host in the form in which hosts are compared; nil if it can't be brought to this form.
    ///
    /// The result is ASCII in lower case. Labels outside of ASCII must be A-labels already, as in each URL that is
    /// called. A percent-encoded host and an IPv6 zone have no such form. An underscore is accepted, as browsers do,
    /// although RFC 5890 2.3.1 does not count it as a letter of a label.
    static func canonical(_ host: String) -> String? {
        let bytes = host.utf8.map(CookieBytes.lowercased)
        if bytes.first == UInt8(ascii: "[") {
            let isAddress = bytes.last == UInt8(ascii: "]") && bytes.count > 2
            return isAddress && bytes.dropFirst().dropLast().allSatisfy(isOfIPv6) ? CookieBytes.text(bytes) : nil
        }
        var labels = bytes.split(separator: CookieBytes.dot, omittingEmptySubsequences: false)
        // The root of the DNS: `example.com.` is another host than `example.com` (RFC 1034 3.1).
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        guard labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isOfLabel) }) else { return nil }
        return CookieBytes.text(bytes)
    }

    /// Returns whether a canonical host is an IP address, which has no parent domain.
    ///
    /// A host whose last label is a number is an IPv4 address or none at all (WHATWG URL 3.5, "ends in a number").
    static func isAddress(_ host: String) -> Bool {
        let bytes = Array(host.utf8)
        if bytes.first == UInt8(ascii: "[") { return true }
        guard let last = bytes.split(separator: CookieBytes.dot).last else { return false }
        return last.allSatisfy(CookieBytes.isDigit) || last.starts(with: "0x".utf8)
    }

    /// Returns whether a canonical host domain-matches a canonical domain (RFC 6265bis 5.1.3).
    static func matches(_ host: String, domain: String) -> Bool {
        let (host8, domain8) = (host.utf8, domain.utf8)
        guard host8.count > domain8.count else { return host.hasSameBytes(as: domain) }
        let rest = host8.dropLast(domain8.count)
        return rest.last == CookieBytes.dot && host8.suffix(domain8.count).elementsEqual(domain8) && !domain8.isEmpty
            && !isAddress(host)
    }

    /// Returns a canonical host and the domains above it, the nearest one first; an address has none above.
    static func chain(_ host: String) -> [String] {
        if isAddress(host) { return [host] }
        var (chain, rest) = ([host], Substring(host).utf8)
        while let dot = rest.firstIndex(of: CookieBytes.dot) {
            rest = rest[rest.index(after: dot)...]
            if rest.isEmpty { break }
            chain.append(CookieBytes.text(rest))
        }
        return chain
    }

    /// Returns whether a canonical host is this machine (RFC 6761 6.3, RFC 1122 3.2.1.3, RFC 4291 2.5.3).
    static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" || host.hasSuffix(".localhost") { return true }
        let labels = host.utf8.split(separator: CookieBytes.dot, omittingEmptySubsequences: false)
        return labels.count == 4 && labels[0].elementsEqual("127".utf8)
            && labels.allSatisfy { (1...3).contains($0.count) && $0.allSatisfy(CookieBytes.isDigit) }
    }

    private static func isOfLabel(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: CookieBytes.isDigit(byte)
        }
    }

    private static func isOfIPv6(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: ":"), CookieBytes.dot: true
        default: CookieBytes.isDigit(byte)
        }
    }
}

/// The parts of a URL that decide on its cookies.
struct CookieOrigin: Hashable, Sendable {
    /// The canonical host (RFC 6265bis 5.1.2).
    let host: String

    /// The path as it is sent, at least a slash.
    let path: String

    /// Whether the connection is secure, as a policy defines it (RFC 6265bis 5.8.3).
    let isSecure: Bool

    /// Creates the origin of a URL; nil if it is not `http` or `https`, or its host can't be canonicalized.
    init?(_ url: URL, _ policy: CookiePolicy) {
        guard let components = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let scheme = components.scheme?.lowercased(), scheme == "https" || scheme == "http",
            // The host as it is sent; `URL.host(percentEncoded:)` may have percent-encoded letters instead of A-labels.
            let encodedHost = components.encodedHost, let host = CookieHost.canonical(encodedHost)
        else { return nil }
        self.host = host
        self.path = components.percentEncodedPath.isEmpty ? "/" : components.percentEncodedPath
        self.isSecure = scheme == "https" || policy.trustsLoopback && CookieHost.isLoopback(host)
    }

    /// Creates the origin of a request, whose host is that of its own `Host` field if there is one (RFC 9110 7.1).
    ///
    /// The URL alone decides whether the connection is secure: it leads to the host of the URL.
    ///
    /// - Returns: nil for a request whose URL or `Host` has no host for cookies.
    init?(of request: Request, _ policy: CookiePolicy) {
        guard request.headers.contains("Host") else {
            self.init(request.url, policy)
            return
        }
        guard let target = request.targetURL, let named = CookieOrigin(target, policy),
            let server = CookieOrigin(request.url, policy)
        else { return nil }
        self.init(host: named.host, path: named.path, isSecure: server.isSecure)
    }

    private init(host: String, path: String, isSecure: Bool) {
        (self.host, self.path, self.isSecure) = (host, path, isSecure)
    }
}
