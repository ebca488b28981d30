public import StartSmallCore
import StartSmallHeaders
public import StartSmallSupport
public import StartSmallFoundation

/// A client that a server has registered (RFC 7591 3.2.1).
public struct ClientRegistration: Sendable {
    /// The client, with the authentication that the server chose: a secret, or none.
    ///
    /// For `private_key_jwt`, create a client of this ID with your signer.
    public let client: OAuthClient

    /// The time at which the secret expires; nil for never, or without a secret.
    public let secretExpires: Date?

    /// All members as JSON, for a type of the app; they contain the secret.
    public internal(set) var members = Data()
}

extension ClientRegistration: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id = "client_id"
        case secret = "client_secret"
        case expires = "client_secret_expires_at"
        case method = "token_endpoint_auth_method"
    }

    /// Decodes the response of a registration endpoint.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let id = try container.visibleText(.id)
        let secret = try container.decodeIfPresent(String.self, forKey: .secret)
        switch (try container.decodeIfPresent(String.self, forKey: .method), secret) {
        case ("client_secret_post", let secret?): client = OAuthClient(id, .secretInForm(secret))
        // The default (RFC 7591 2).
        case (nil, let secret?), ("client_secret_basic", let secret?): client = OAuthClient(id, .secretInHeader(secret))
        // A secret of another method, such as `client_secret_jwt`, is never sent.
        default: client = OAuthClient(id)
        }
        let expires = try container.decodeIfPresent(JSONWebToken.NumericDate.self, forKey: .expires)?.date
        // 0 means never (RFC 7591 3.2.1).
        secretExpires = expires.flatMap { $0.timeIntervalSince1970 == 0 ? nil : $0 }
    }
}

extension ClientRegistration: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The client's ID; no secret.
    public var description: String { "registration of \(client)" }
}

extension OAuthClient {
    /// Creates the endpoint that registers a client (RFC 7591 3.1).
    ///
    /// - Parameters:
    ///   - metadata: the metadata of the client, such as `redirect_uris` (RFC 7591 2).
    ///   - endpoint: the URL of the registration endpoint.
    ///   - initialToken: the token that the server's operator gave for registrations; nil for none.
    public static func registration(
        _ metadata: some Encodable,
        at endpoint: URL,
        initialToken: String? = nil
    ) -> Endpoint<TransformError<OAuthError>, ClientRegistration> {
        let refusal = OAuthURL.refusal(of: endpoint, allowsLoopback: true)
        var input: Either<ConnectionError, Input> =
            if let refusal {
                .left(.malformedURL(debugInfo: refusal))
            } else {
                .post(endpoint, headers: ["Accept": "application/json"], payload: .json(metadata))
            }
        input = input.map { $0.with { $0.options[WithoutStoredToken.self] = true } }
        if let initialToken { input = input.authorized(by: .bearer(initialToken)) }
        return OAuthClient("").oauthEndpoint(input, hiding: [initialToken ?? ""]) { $0.json(keeping: \.members) }
    }
}
