import Foundation
import StartSmall

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

    /// Creates the origin of a request, whose host is that of its own `Host` field if there is one (RFC 9110 7.1).
    ///
    /// The URL alone decides whether the connection is secure: it leads to the host of the URL.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - policy: the rules of the jar.
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
