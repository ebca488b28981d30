public import StartSmallCore
public import StartSmallSupport
public import StartSmallFoundation

/// A request for the consent of a user in a browser, with PKCE by S256 (RFC 6749 4.1.1, RFC 7636).
///
/// ```swift
/// let request = AuthorizationRequest(client, redirect: redirect)
/// open(try request.url(at: endpoint, ["scope": "openid"]).get())
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
    ///   - redirect: the redirect URI as it is registered and as browsers write it: scheme and host in lower case, and with
    ///     a path.
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
    var challenge: String { OAuthText.digest(of: verifier) }
}

extension AuthorizationRequest: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The ID of the client, on one line; no state and no verifier.
    public var description: String { "authorization request of \(clientID.onOneLine)" }
}

extension AuthorizationRequest {
    /// Returns the parameters of the request (RFC 6749 4.1.1, RFC 7636 4.3), the same for a URL and for a form.
    fileprivate func fields(_ parameters: Queries) -> [URLQueryItem] {
        let own: Queries = [
            "client_id": clientID, "response_type": "code", "redirect_uri": redirect.absoluteString, "state": state,
            "code_challenge": challenge, "code_challenge_method": "S256",
        ]
        // A nonce is for OpenID Connect alone, whose requests have this scope (Core 3.1.2.1).
        let scope = parameters.items.first { $0.name == "scope" }?.value?.split(separator: " ") ?? []
        return own.items + (scope.contains("openid") ? [URLQueryItem(name: "nonce", value: nonce)] : [])
            + parameters.items
    }

    /// Returns the URL to open in a browser.
    ///
    /// - Parameters:
    ///   - endpoint: the URL of the authorization endpoint, whose own query stays (RFC 6749 3.1).
    ///   - parameters: further parameters, such as `scope` and `prompt`; with the scope `openid`, the request has the
    ///     nonce.
    /// - Returns: the URL; on the left, the error of a URL or a parameter as for ``OAuthClient``.
    public func url(at endpoint: URL, _ parameters: Queries = []) -> Either<ConnectionError, URL> {
        url(at: endpoint, of: fields(parameters))
    }

    fileprivate func url(at endpoint: URL, of fields: [URLQueryItem]) -> Either<ConnectionError, URL> {
        Either { () throws(ConnectionError) in
            if let refusal = OAuthURL.refusal(of: endpoint, allowsLoopback: true) {
                throw .malformedURL(debugInfo: refusal)
            }
            let query = Array((endpoint.query(percentEncoded: true) ?? "").utf8)[...]
            try OAuthClient.check(fields + (OAuthQuery.items(of: query) ?? []))
            // As in a form (RFC 6749 B): a server may read `+` as a space.
            let added = FormEncoding.encoded(fields)
            guard let url = URL(string: URIEncoding.appending(query: added, to: endpoint.absoluteString)) else {
                throw .malformedURL(debugInfo: "no URL of the authorization endpoint and its parameters")
            }
            return url
        }
    }
}

extension OAuthClient {
    /// Creates the endpoint that pushes a request, so that the browser gets a reference to it alone (RFC 9126).
    ///
    /// The value is the URL to open, within the minute or so for which a reference is valid.
    ///
    /// - Parameters:
    ///   - authorization: the request.
    ///   - pushed: the URL of the endpoint for pushed requests.
    ///   - endpoint: the URL of the authorization endpoint.
    ///   - parameters: further parameters, as for ``AuthorizationRequest/url(at:_:)``.
    public func url(
        of authorization: AuthorizationRequest,
        pushedTo pushed: URL,
        at endpoint: URL,
        _ parameters: Queries = []
    ) -> Endpoint<TransformError<OAuthError>, URL> {
        // The ID is in the form in any case, as it would be in the URL.
        let fields = authorization.fields(parameters).filter { $0.name != "client_id" || $0.value != id || !sendsID }
        let input = authorization.url(at: endpoint, of: []).flatMap { _ in request(pushed, fields) }
        return oauthEndpoint(input) { response in
            response.json(PushedReference.self, problem: OAuthError.self).flatMap { reference in
                let own: Queries = ["client_id": authorization.clientID, "request_uri": reference.requestURI]
                return authorization.url(at: endpoint, of: own.items)
                    .mapLeft { .invalid(response, reason: $0.description) }
            }
        }
    }
}

/// The response to a pushed request (RFC 9126 2.2).
private struct PushedReference: Decodable {
    let requestURI: String

    private enum CodingKeys: String, CodingKey { case requestURI = "request_uri" }

    init(from decoder: any Decoder) throws {
        requestURI = try decoder.container(keyedBy: CodingKeys.self).visibleText(.requestURI)
    }
}

extension KeyedDecodingContainer {
    /// Decodes a text; one that has other characters than visible ones of ASCII is an error, without the text.
    func visibleText(_ key: Key) throws -> String {
        let text = try decode(String.self, forKey: key)
        if OAuthText.isVisible(text) { return text }
        let reason = "empty, or not visible ASCII (RFC 6749 A)"
        throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: reason)
    }
}
