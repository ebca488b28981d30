public import Foundation

/// Whose a resource is: scheme, host and port (RFC 6454 4).
public struct Origin: Hashable, Sendable {
    /// The scheme in small letters, `http` or `https`.
    public let scheme: String

    /// The host in small letters.
    public let host: String

    /// The port, that of the scheme if the URL names none.
    public let port: Int

    /// The origin of an absolute `http` or `https` URL; nil for any other.
    public init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let standardPort = Self.standardPorts[scheme],
            let host = url.host(percentEncoded: true)?.lowercased(), !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = url.port ?? standardPort
    }

    /// The ports of RFC 9110 4.2.1 and 4.2.2.
    private static let standardPorts = ["http": 80, "https": 443]
}
