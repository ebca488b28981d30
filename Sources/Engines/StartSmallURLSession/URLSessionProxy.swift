import StartSmallSupport

/// A proxy as `URLSessionConfiguration.connectionProxyDictionary` names it (CFProxySupport.h).
struct URLSessionProxy: Equatable, Sendable {
    /// The port for a URL without one: that of libcurl, so that one URL means one proxy over both engines.
    private static let standardPort = 1080

    let host: String
    let port: Int
    let isSOCKS: Bool

    /// The user and password for the proxy; nil if it has none.
    let user: String?
    let password: String?

    /// Parses the URL of a proxy, `http` without a scheme; nil for a URL that CFNetwork does not support.
    ///
    /// A proxy over TLS is not supported: CFNetwork would connect to it without TLS.
    init?(_ text: String) {
        guard let url = URLComponents(string: text.contains("//") ? text : "http://" + text) else { return nil }
        guard let host = url.host, !host.isEmpty else { return nil }
        switch url.scheme?.lowercased() {
        case "http": isSOCKS = false
        case "socks5", "socks5h": isSOCKS = true
        default: return nil
        }
        let port = url.port ?? Self.standardPort
        guard (1...Int(UInt16.max)).contains(port) else { return nil }
        (self.host, self.port, user, password) = (host, port, url.user, url.password)
    }

    /// The entries of the dictionary, for both http and https.
    var entries: [String: any Sendable] {
        let kinds = isSOCKS ? ["SOCKS"] : ["HTTP", "HTTPS"]
        return kinds.reduce(into: [:]) { entries, kind in
            entries["\(kind)Enable"] = 1
            entries["\(kind)Proxy"] = host
            entries["\(kind)Port"] = port
        }
    }
}

extension URLSessionProxy: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The proxy, without user and password.
    var description: String { "\(isSOCKS ? "socks5" : "http")://\(host):\(port)" }
}
