public import StartSmallCore
public import StartSmallSupport
public import StartSmallFoundation

/// The proof for which an authorization server issues a token (RFC 6749 1.3).
public struct OAuthGrant: Sendable {
    let fields: [URLQueryItem]

    /// Whether the server may use up a credential of the grant at its first arrival.
    let isUsedOnce: Bool

    /// Whether there is no user; nil if that is unknown.
    let isForClient: Bool?

    /// Whether the token belongs to no session that there was before.
    fileprivate var isNewSession: Bool { isForClient != nil && description != Self.refreshType }

    private static let refreshType = "refresh_token"

    /// Whether the response must have a type of the issued token (RFC 8693 2.2.1).
    private(set) var issuesAnyToken = false

    private init(_ type: String, _ fields: Queries = [], isUsedOnce: Bool = false, isForClient: Bool? = nil) {
        self.fields = [URLQueryItem(name: "grant_type", value: type)] + fields.items
        (self.isUsedOnce, self.isForClient) = (isUsedOnce, isForClient)
    }
}

extension OAuthGrant {
    /// The client itself, without a user (RFC 6749 4.4).
    public static let clientCredentials = OAuthGrant("client_credentials", isForClient: true)

    /// Returns the grant of a refresh token (RFC 6749 6), which is sent once: a server that rotates refresh tokens ends
    /// the session at the second arrival (RFC 9700 4.14.2).
    public static func refresh(_ token: String) -> OAuthGrant {
        OAuthGrant(refreshType, ["refresh_token": token], isUsedOnce: true, isForClient: false)
    }

    /// Returns the grant of a code, which is sent once: a server revokes its tokens at the second arrival
    /// (RFC 6749 4.1.2).
    public static func code(_ code: AuthorizationCode) -> OAuthGrant {
        OAuthGrant(
            "authorization_code",
            ["code": code.value, "redirect_uri": code.redirect.absoluteString, "code_verifier": code.verifier],
            isUsedOnce: true,
            isForClient: false
        )
    }

    /// Returns the grant of a device code (RFC 8628 3.4), which is sent once for each poll.
    ///
    /// - SeeAlso: ``OAuthClient/token(for:at:_:tokenType:via:clock:)``
    public static func deviceCode(_ code: String) -> OAuthGrant {
        let type = "urn:ietf:params:oauth:grant-type:device_code"
        return OAuthGrant(type, ["device_code": code], isUsedOnce: true, isForClient: false)
    }

    /// Returns the grant of an assertion that somebody signed (RFC 7523 2.1).
    public static func jwtBearer(_ assertion: String) -> OAuthGrant {
        OAuthGrant("urn:ietf:params:oauth:grant-type:jwt-bearer", ["assertion": assertion])
    }

    /// Returns the exchange of a token for another one (RFC 8693 2.1), whose `audience` and `requested_token_type` are
    /// further parameters of the request.
    ///
    /// - Parameters:
    ///   - subject: the token of the party for whom the new one is.
    ///   - type: the type of that token.
    ///   - actor: the token of the party that acts for the subject, and its type; nil for none.
    public static func tokenExchange(
        _ subject: String,
        _ type: OAuthTokenType,
        actor: (token: String, type: OAuthTokenType)? = nil
    ) -> OAuthGrant {
        var fields: Queries = ["subject_token": subject, "subject_token_type": type.rawValue]
        if let actor {
            fields.items.append(URLQueryItem(name: "actor_token", value: actor.token))
            fields.items.append(URLQueryItem(name: "actor_token_type", value: actor.type.rawValue))
        }
        let type = "urn:ietf:params:oauth:grant-type:token-exchange"
        var grant = OAuthGrant(type, fields)
        grant.issuesAnyToken = true
        return grant
    }
}

extension OAuthGrant: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The type of the grant; no credential.
    public var description: String { fields.first?.value ?? "" }
}

/// A type of a token (RFC 8693 3), which a server may extend.
public struct OAuthTokenType: RawRepresentable, Hashable, Sendable {
    /// The URI of the type.
    public let rawValue: String

    /// Creates a type.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An access token.
    public static let accessToken = Self(rawValue: "urn:ietf:params:oauth:token-type:access_token")
    /// A refresh token.
    public static let refreshToken = Self(rawValue: "urn:ietf:params:oauth:token-type:refresh_token")
    /// An ID token of OpenID Connect.
    public static let idToken = Self(rawValue: "urn:ietf:params:oauth:token-type:id_token")
    /// A JSON Web Token (RFC 7519).
    public static let jwt = Self(rawValue: "urn:ietf:params:oauth:token-type:jwt")
}

extension OAuthClient {
    /// Creates the endpoint that requests a token (RFC 6749 3.2).
    ///
    /// The failure is ``TransformError/problem(_:_:)`` for each response with an error, also with the status 200, and
    /// ``TransformError/invalid(_:reason:)`` for a token of another type, and for a response from another origin, to
    /// which a redirect led. An endpoint of a grant that is sent once can be fetched once: after an attempt that may have
    /// arrived, no wrapper and no engine sends it again.
    ///
    /// - Parameters:
    ///   - grant: the proof.
    ///   - endpoint: the URL of the token endpoint, the same as for ``Wrapper/oauth(_:at:_:in:to:_:first:clock:now:)``,
    ///     which does not send a token of another one.
    ///   - parameters: further parameters. A `resource` or an `audience` has to be that of the wrapper, too.
    ///   - tokenType: the type that the token must have, such as `DPoP`, without regard to case (RFC 6749 5.1).
    public func token(
        by grant: OAuthGrant,
        at endpoint: URL,
        _ parameters: Queries = [],
        tokenType: String = "Bearer"
    ) -> Endpoint<TransformError<OAuthError>, OAuthTokenResponse> {
        var input = request(endpoint, grant.fields + parameters.items, isSentOnce: grant.isUsedOnce)
        if grant.fields.contains(where: { $0.value?.isEmpty == true }) {
            input = .left(.missingCredentials(debugInfo: "the grant has an empty credential"))
        }
        let source = TokenSource(of: self, at: endpoint, parameters, isForClient: grant.isForClient)
        return oauthEndpoint(input) { $0.json(problem: OAuthError.self) }
            .validated { (response: OAuthTokenResponse) in grant.refusal(of: response, tokenType) }
            .map { response in
                var response = response
                response.requester.source = source
                response.requester.isNewSession = grant.isNewSession
                return response
            }
    }

    /// Creates an endpoint that reports the errors of OAuth, whatever the status is.
    func oauthEndpoint<Value: Sendable>(
        _ input: Either<ConnectionError, Input>,
        hiding others: [String] = [],
        read: @escaping @Sendable (Response) -> Either<TransformError<OAuthError>, Value>
    ) -> Endpoint<TransformError<OAuthError>, Value> {
        let secrets =
            if case .stream(let form)? = input.right?.methodAndPayload.payload?.content { form.secrets } else { others }
        return Endpoint(input) { response in
            response.ofItsOrigin().flatMap { response in
                if let error = OAuthError(of: response, hiding: secrets) { return .left(.problem(error, response)) }
                return response.statusCode.isSuccess ? read(response) : .left(.unexpectedStatusCode(response))
            }
        }
    }
}

extension Response {
    /// Returns the response, unless a redirect led to another origin, which speaks for itself alone.
    func ofItsOrigin<Problem>() -> Either<TransformError<Problem>, Response> {
        guard isOfAnotherOrigin else { return .right(self) }
        return .left(.invalid(self, reason: "the response of another origin, to which a redirect led"))
    }
}

extension OAuthGrant {
    /// Returns the reason to refuse a token; nil for one that was asked for.
    fileprivate func refusal(of response: OAuthTokenResponse, _ tokenType: String) -> String? {
        if issuesAnyToken {
            guard let issued = response.issuedTokenType else { return "no issued_token_type (RFC 8693 2.2.1)" }
            // A token that is no access token has no type of access tokens.
            if issued != .accessToken, response.tokenType?.isSame(withoutCase: "N_A") == true { return nil }
        }
        guard let type = response.tokenType else {
            // Some servers leave it out, and a refresh token that came with it would be lost.
            return tokenType.isSame(withoutCase: "Bearer") ? nil : "no token_type (RFC 6749 5.1)"
        }
        return type.isSame(withoutCase: tokenType) ? nil : "a token_type that was not asked for (RFC 6749 7.1)"
    }
}
