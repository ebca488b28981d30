public import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation

/// The metadata of an authorization server (RFC 8414 2), or of an OpenID provider (OpenID Connect Discovery 3).
///
/// ```swift
/// let server = try await OAuthServerMetadata.endpoint(of: "https://server.example.com").value(via: connector)
/// let token = client.token(by: .clientCredentials, at: server.tokenEndpoint)
/// ```
///
/// Its issuer is, byte by byte, the one that was asked for, and each URL is `https`, without user information.
public struct OAuthServerMetadata: Sendable {
    /// The issuer, which names the server.
    public let issuer: String

    /// The endpoint for ``OAuthClient/token(by:at:_:tokenType:)``.
    public let tokenEndpoint: URL

    /// The endpoint for ``AuthorizationRequest``.
    public let authorizationEndpoint: URL?

    /// The endpoint for ``OAuthClient/url(of:pushedTo:at:_:)``.
    public let pushedAuthorizationEndpoint: URL?

    /// The endpoint for ``OAuthClient/deviceAuthorization(at:_:allowsLoopback:)``.
    public let deviceAuthorizationEndpoint: URL?

    /// The endpoint for ``OAuthClient/revocation(of:at:_:)``.
    public let revocationEndpoint: URL?

    /// The endpoint for ``OAuthClient/introspection(of:at:_:)``.
    public let introspectionEndpoint: URL?

    /// The endpoint that registers clients (RFC 7591).
    public let registrationEndpoint: URL?

    /// Whether the server sends its issuer with each redirect (RFC 9207 3).
    public let promisesIssuer: Bool

    /// All members as JSON, for a type of the app.
    public internal(set) var members = Data()

    /// The place of the metadata.
    public enum WellKnown: Sendable {
        /// `/.well-known/oauth-authorization-server`, before the path of the issuer (RFC 8414 3.1).
        case oauth

        /// `/.well-known/openid-configuration`, behind the path of the issuer (OpenID Connect Discovery 4).
        case openID
    }
}

extension OAuthServerMetadata: Decodable {
    private enum CodingKeys: String, CodingKey {
        case issuer
        case token = "token_endpoint"
        case authorization = "authorization_endpoint"
        case pushed = "pushed_authorization_request_endpoint"
        case device = "device_authorization_endpoint"
        case revocation = "revocation_endpoint"
        case introspection = "introspection_endpoint"
        case registration = "registration_endpoint"
        case promisesIssuer = "authorization_response_iss_parameter_supported"
    }

    /// Decodes metadata, without a check of its issuer and its URLs.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func url(_ key: CodingKeys) throws -> URL? { try container.decodeIfPresent(URL.self, forKey: key) }
        issuer = try container.decode(String.self, forKey: .issuer)
        tokenEndpoint = try container.decode(URL.self, forKey: .token)
        (authorizationEndpoint, pushedAuthorizationEndpoint) = (try url(.authorization), try url(.pushed))
        (deviceAuthorizationEndpoint, revocationEndpoint) = (try url(.device), try url(.revocation))
        (introspectionEndpoint, registrationEndpoint) = (try url(.introspection), try url(.registration))
        promisesIssuer = try container.decodeIfPresent(Bool.self, forKey: .promisesIssuer) ?? false
    }

    /// Creates the endpoint of the metadata of an issuer.
    ///
    /// ``TransformError/invalid(_:reason:)`` is the failure for another issuer, and for a URL that must not be called.
    ///
    /// - Parameters:
    ///   - issuer: the issuer, an `https` URL without query and fragment (RFC 8414 2).
    ///   - place: the place of the metadata.
    ///   - allowsLoopback: whether issuer and endpoints may be on this machine, without TLS, as in a test.
    public static func endpoint(
        of issuer: String,
        _ place: WellKnown = .oauth,
        allowsLoopback: Bool = false
    ) -> Endpoint<TransformError<Never>, OAuthServerMetadata> {
        let input = Either<ConnectionError, URL>.wellKnown(
            place == .oauth ? "oauth-authorization-server" : "openid-configuration",
            of: issuer,
            behindPath: place == .openID,
            allowsLoopback: allowsLoopback
        )
        return Endpoint(input.map { Input(forSignIn: $0) }) {
            $0.ofItsOrigin().flatMap { $0.json(keeping: \.members) }
        }
        .validated { metadata in
            guard metadata.issuer.isSame(as: issuer) else { return "the metadata of another issuer (RFC 8414 3.3)" }
            let urls = [
                metadata.tokenEndpoint, metadata.authorizationEndpoint, metadata.pushedAuthorizationEndpoint,
                metadata.deviceAuthorizationEndpoint, metadata.revocationEndpoint, metadata.introspectionEndpoint,
                metadata.registrationEndpoint,
            ]
            return OAuthURL.refusal(of: urls, allowsLoopback: allowsLoopback)
        }
    }
}

extension Either where Left == ConnectionError, Right == URL {
    /// Returns the URL of the metadata of an issuer or a resource; on the left, the reason why there is none.
    static func wellKnown(
        _ name: String,
        of text: String,
        behindPath: Bool = false,
        allowsQuery: Bool = false,
        allowsLoopback: Bool
    ) -> Self {
        guard let url = URL(string: text), url.absoluteString.isSame(as: text),
            let schemeLength = url.scheme?.utf8.count,
            OAuthURL.refusal(of: url, allowsLoopback: allowsLoopback) == nil, allowsQuery || url.query() == nil
        else { return .left(.malformedURL(debugInfo: "not an https URL that can name a server or a resource")) }
        let end = text.utf8.dropFirst(schemeLength + 3).firstIndex { "/?".utf8.contains($0) } ?? text.utf8.endIndex
        let query = text.utf8[end...].firstIndex(of: UInt8(ascii: "?")) ?? text.utf8.endIndex
        var path = text.utf8[end..<query]
        if path.last == UInt8(ascii: "/") { path = path.dropLast() }
        let wellKnown = "/.well-known/\(name)"
        let (first, second) = behindPath ? (String(Substring(path)), wellKnown) : (wellKnown, String(Substring(path)))
        return URL(string: "\(text[..<end])\(first)\(second)\(text[query...])").map(Self.right)
            ?? .left(.malformedURL(debugInfo: "no URL of the metadata"))
    }
}
