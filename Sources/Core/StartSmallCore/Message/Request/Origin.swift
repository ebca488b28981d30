public import StartSmallFoundation
import StartSmallSupport

/// The origin of a resource: scheme, host and port (RFC 6454 4).
public struct Origin: Hashable, Sendable {
    /// The scheme in lower case, `http` or `https`.
    public let scheme: String

    /// The host in lower case, in ASCII; an IPv6 address has no brackets.
    public let host: String

    /// The port; the default of the scheme if the URL has none.
    public let port: Int

    /// Creates the origin of an absolute `http` or `https` URL; nil for any other URL.
    ///
    /// A URL whose host or port no request can be sent to has no origin, either: a host with a percent sign, or a port
    /// above 65535, for example. A name that is not ASCII needs its form `xn--…`.
    public init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let standardPort = Self.defaultPorts[scheme],
            let authority = Authority(of: url.absoluteString), !authority.host.isEmpty, authority.refusal == nil
        else { return nil }
        self.scheme = scheme
        let host = authority.host.lowercased()
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        self.port = url.port ?? standardPort
    }

    /// The default ports of RFC 9110 4.2.1 and 4.2.2.
    private static let defaultPorts = ["http": 80, "https": 443]
}
