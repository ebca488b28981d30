public import StartSmallCore
public import StartSmallSupport
public import StartSmallFoundation

/// A request for the consent of a user in a browser, with PKCE by S256 (RFC 6749 4.1.1, RFC 7636).
///
/// ```swift
/// let request = AuthorizationRequest(client, redirect: redirect)
/// guard let url = request.url(at: server.authorizationEndpoint, scope: ["openid"]).right else { return }
/// open(url)
/// // The browser comes back to the redirect URI with a code:
/// let code = request.code(in: redirected, from: server.issuer, promisesIssuer: server.promisesIssuer)
/// ```
///
/// Create one request for each sign-in, and drop it after the first code or ``AuthorizationRefusal/failed(_:)``: its
/// state is used once. After any other refusal, keep it: whoever can open a URL of the app could end the sign-in
/// otherwise. It is `Codable` for an app that ends while the browser is open; the stored value is a secret.
public struct AuthorizationRequest: Hashable, Codable, Sendable {
    /// The ID of the client.
    public let clientID: String

    /// The redirect URI, to which the browser comes back.
    public let redirect: URL

    /// The value that ties the redirect to this request (RFC 6749 10.12).
    public let state: String

    /// The value that ties the ID token to this request (OpenID Connect Core 3.1.2.1).
    public let nonce: String

    /// The secret that only the app knows, whose hash goes to the server first (RFC 7636 4.1).
    let verifier: String

    /// The length of the verifier in bytes: 32, as RFC 7636 4.1 recommends.
    private static let verifierLength = 32

    /// The length of state and nonce in bytes: 16, as RFC 6749 10.10 demands at least (2^-128).
    private static let stateLength = 16

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - client: the client, of which the ID is sent.
    ///   - redirect: the redirect URI, byte by byte as it is registered, but for the port of `http://127.0.0.1`.
    ///   - random: returns uniformly random bits that nobody can foresee.
    public init(
        _ client: OAuthClient,
        redirect: URL,
        random: @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) {
        (clientID, self.redirect) = (client.id, redirect)
        verifier = OAuthText.random(bytes: Self.verifierLength, random)
        state = OAuthText.random(bytes: Self.stateLength, random)
        nonce = OAuthText.random(bytes: Self.stateLength, random)
    }

    /// The hash of the verifier (RFC 7636 4.2).
    var challenge: String {
        var hash = SHA256Hash()
        hash.add(Data(verifier.utf8))
        return Data(hash.digest).base64URL
    }
}

extension AuthorizationRequest: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The ID of the client, on one line; no state and no verifier.
    public var description: String { "authorization request of \(clientID.onOneLine)" }
}

extension AuthorizationRequest {
    /// Returns the parameters of the request (RFC 6749 4.1.1, RFC 7636 4.3), the same for a URL and for a form.
    func fields(_ parameters: OAuthParameters) -> Either<ConnectionError, [URLQueryItem]> {
        parameters.fields().map { others in
            // A nonce is for OpenID Connect alone, whose requests have this scope (Core 3.1.2.1).
            let nonce = parameters.scope.contains("openid") ? [URLQueryItem(name: "nonce", value: nonce)] : []
            let own: Queries = [
                "response_type": "code", "redirect_uri": redirect.absoluteString, "state": state,
                "code_challenge": challenge, "code_challenge_method": "S256",
            ]
            return own.items + nonce + others
        }
    }

    /// Returns the URL to open in a browser.
    ///
    /// - Parameters:
    ///   - endpoint: the URL of the authorization endpoint, whose own query stays (RFC 6749 3.1).
    ///   - scope: the scopes to request; with `openid`, the request has the nonce.
    ///   - resources: the services at which the token is used (RFC 8707 2).
    ///   - parameters: parameters of one server, such as `prompt`.
    /// - Returns: the URL; ``ConnectionError/malformedURL(debugInfo:)`` on the left if the endpoint is neither `https`
    ///   nor on this machine, or has user information or a fragment; and
    ///   ``ConnectionError/malformedPayload(debugInfo:)`` for a parameter that is given twice, or can't be one.
    public func url(
        at endpoint: URL,
        scope: [String] = [],
        resources: [URL] = [],
        parameters: Queries = []
    ) -> Either<ConnectionError, URL> {
        fields(OAuthParameters(scope: scope, resources: resources, others: parameters)).flatMap { url(at: endpoint, $0) }
    }

    /// Returns the URL to open in a browser after a pushed request (RFC 9126 4).
    ///
    /// - Parameters:
    ///   - endpoint: the URL of the authorization endpoint.
    ///   - pushed: the response to the pushed request.
    public func url(at endpoint: URL, pushed: PushedAuthorization) -> Either<ConnectionError, URL> {
        url(at: endpoint, [URLQueryItem(name: "request_uri", value: pushed.requestURI)])
    }

    private func url(at endpoint: URL, _ fields: [URLQueryItem]) -> Either<ConnectionError, URL> {
        Either { () throws(ConnectionError) in
            if let refusal = OAuthURL.refusal(of: endpoint, allowsLoopback: true) {
                throw .malformedURL(debugInfo: refusal)
            }
            let fields = [URLQueryItem(name: "client_id", value: clientID)] + fields
            try OAuthClient.check(fields + (OAuthRedirect.items(of: endpoint) ?? []))
            // As in a form (RFC 6749 B): a server may read `+` as a space.
            let query = FormEncoding.encoded(fields)
            guard let url = URL(string: URIEncoding.appending(query: query, to: endpoint.absoluteString)) else {
                throw .malformedURL(debugInfo: "no URL of the authorization endpoint and its parameters")
            }
            return url
        }
    }
}

extension OAuthClient {
    /// Creates the endpoint that pushes a request, so that the browser gets a reference alone (RFC 9126 2).
    ///
    /// - Parameters:
    ///   - authorization: the request.
    ///   - endpoint: the URL of the endpoint for pushed requests.
    ///   - scope: the scopes to request; with `openid`, the request has the nonce.
    ///   - resources: the services at which the token is used (RFC 8707 2).
    ///   - parameters: parameters of one server, such as `prompt`.
    public func pushed(
        _ authorization: AuthorizationRequest,
        at endpoint: URL,
        scope: [String] = [],
        resources: [URL] = [],
        parameters: Queries = []
    ) -> Endpoint<TransformError<OAuthError>, PushedAuthorization> {
        let common = OAuthParameters(scope: scope, resources: resources, others: parameters)
        let input = authorization.fields(common).flatMap { fields in
            // Each way of authentication but two sends the ID in another place, or in an assertion.
            request(endpoint, sendsID ? fields : [URLQueryItem(name: "client_id", value: id)] + fields)
        }
        let secrets = [authorization.state, authorization.nonce]
        return oauthEndpoint(input, hiding: secrets) { $0.json(problem: OAuthError.self) }
    }
}

/// The reference to a pushed authorization request (RFC 9126 2.2), which the browser gets in place of it.
public struct PushedAuthorization: Hashable, Sendable {
    /// The reference, which can be used once.
    public let requestURI: String

    /// The lifetime of the reference.
    public let expiresIn: Duration
}

extension PushedAuthorization: Decodable {
    private enum CodingKeys: String, CodingKey {
        case requestURI = "request_uri"
        case expiresIn = "expires_in"
    }

    /// Decodes the response to a pushed request.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        requestURI = try container.decode(String.self, forKey: .requestURI)
        guard OAuthText.isVisible(requestURI) else { throw DecodingError.notVisible(.requestURI, in: container) }
        expiresIn = try container.decode(OAuthSeconds.self, forKey: .expiresIn).duration ?? .zero
    }
}

extension PushedAuthorization: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The lifetime; not the reference.
    public var description: String { "\(Redaction.placeholder), expires in \(expiresIn)" }
}

extension DecodingError {
    /// Returns the error of a text with other characters than visible ones of ASCII; without the text.
    static func notVisible<Key: CodingKey>(_ key: Key, in container: KeyedDecodingContainer<Key>) -> DecodingError {
        .dataCorruptedError(forKey: key, in: container, debugDescription: "empty, or not visible ASCII (RFC 6749 A)")
    }
}
