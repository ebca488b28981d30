public import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation

/// The metadata of a resource that needs tokens (RFC 9728 2).
///
/// Its authorization servers are a claim of the resource: to sign in at a server that a stranger names gives them the
/// user's password. They count only if the app says so.
public struct ProtectedResourceMetadata: Sendable, Decodable {
    /// The resource, byte by byte the one that was asked for.
    public let resource: String

    /// The scopes that requests to the resource need, if it tells them.
    public let scopes: [String]?

    private let servers: [String]?

    private enum CodingKeys: String, CodingKey {
        case resource
        case scopes = "scopes_supported"
        case servers = "authorization_servers"
    }

    /// Returns the issuers of the authorization servers that the app trusts, byte by byte, in the resource's order.
    public func authorizationServers(among trusted: [String]) -> [String] {
        authorizationServers { issuer in trusted.contains { $0.isSame(as: issuer) } }
    }

    /// Returns the issuers of the authorization servers that the app trusts, in the resource's order.
    ///
    /// - Parameter isTrusted: returns whether the app trusts an issuer, a text of the resource.
    public func authorizationServers(where isTrusted: (_ issuer: String) -> Bool) -> [String] {
        (servers ?? []).filter(isTrusted)
    }

    /// Creates the endpoint of the metadata of a resource.
    ///
    /// ``TransformError/invalid(_:reason:)`` is the failure for another resource.
    ///
    /// - Parameters:
    ///   - resource: the resource that was called, an `https` URL without fragment.
    ///   - url: the URL that the resource named (``Response/resourceMetadata``); nil for the well-known one
    ///     (RFC 9728 3.1).
    ///   - allowsLoopback: whether the resource may be on this machine, without TLS, as in a test.
    public static func endpoint(
        of resource: String,
        at url: URL? = nil,
        allowsLoopback: Bool = false
    ) -> Endpoint<TransformError<Never>, ProtectedResourceMetadata> {
        let input: Either<ConnectionError, URL> =
            if let url {
                OAuthURL.refusal(of: url, allowsLoopback: allowsLoopback)
                    .map { .left(.malformedURL(debugInfo: $0)) } ?? .right(url)
            } else {
                .wellKnown("oauth-protected-resource", of: resource, allowsQuery: true, allowsLoopback: allowsLoopback)
            }
        return Endpoint(input.map { Input(forSignIn: $0) }) {
            $0.ofItsOrigin().flatMap { $0.json() }
        }
        .validated { metadata in
            metadata.resource.isSame(as: resource) ? nil : "the metadata of another resource (RFC 9728 3.3)"
        }
    }
}
