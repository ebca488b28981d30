import Foundation

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
            // The host with A-labels; `URL.host(percentEncoded:)` has the percent-encoded letters instead.
            let encodedHost = components.encodedHost, let host = CookieHost.canonical(encodedHost)
        else { return nil }
        self.host = host
        self.path = components.percentEncodedPath.isEmpty ? "/" : components.percentEncodedPath
        self.isSecure = scheme == "https" || policy.trustsLoopback && CookieHost.isLoopback(host)
    }
}
