public import StartSmallCore
public import StartSmallSupport
public import StartSmallFoundation

/// The kind of a token that a client names to speed up the server's search (RFC 7009 2.1).
public enum OAuthTokenHint: String, Hashable, Sendable {
    /// An access token.
    case accessToken = "access_token"

    /// A refresh token.
    case refreshToken = "refresh_token"
}

extension OAuthClient {
    /// Creates the endpoint that revokes a token (RFC 7009 2.1), for example at a logout.
    ///
    /// A server answers 200 also for a token that is unknown or no longer valid: to revoke it twice does no harm.
    ///
    /// - Parameters:
    ///   - token: the access token or refresh token.
    ///   - hint: the kind of the token; nil if it is unknown.
    ///   - endpoint: the URL of the revocation endpoint.
    public func revocation(
        of token: String,
        _ hint: OAuthTokenHint? = nil,
        at endpoint: URL
    ) -> Endpoint<TransformError<OAuthError>, Void> {
        oauthEndpoint(request(endpoint, of: token, hint), hiding: [token]) { $0.empty(problem: OAuthError.self) }
    }

    /// Creates the endpoint that asks what a token is worth (RFC 7662 2.1), for a service that gets tokens.
    ///
    /// - Parameters:
    ///   - token: the access token or refresh token.
    ///   - hint: the kind of the token; nil if it is unknown.
    ///   - endpoint: the URL of the introspection endpoint.
    public func introspection(
        of token: String,
        _ hint: OAuthTokenHint? = nil,
        at endpoint: URL
    ) -> Endpoint<TransformError<OAuthError>, TokenIntrospection> {
        oauthEndpoint(request(endpoint, of: token, hint), hiding: [token]) { response in
            response.json(TokenIntrospection.self, problem: OAuthError.self).map { introspection in
                var introspection = introspection
                introspection.members = response.payload
                return introspection
            }
        }
    }

    private func request(
        _ endpoint: URL,
        of token: String,
        _ hint: OAuthTokenHint?
    ) -> Either<ConnectionError, Input> {
        let hint = hint.map { [URLQueryItem(name: "token_type_hint", value: $0.rawValue)] } ?? []
        return request(endpoint, [URLQueryItem(name: "token", value: token)] + hint)
    }
}

/// The answer to the question what a token is worth (RFC 7662 2.2).
///
/// A token that is not active has no other member, as a rule.
public struct TokenIntrospection: Sendable {
    /// Whether the token is valid now, and for this service.
    public let isActive: Bool

    /// The scope of the token.
    public let scope: String?

    /// The ID of the client that requested the token.
    public let clientID: String?

    /// The name of the user for people.
    public let username: String?

    /// The type of the token, such as `Bearer`.
    public let tokenType: String?

    /// The subject, such as the ID of the user.
    public let subject: String?

    /// The issuer of the token.
    public let issuer: String?

    /// The services for which the token is.
    public let audience: [String]

    /// The time of expiry.
    public let expires: Date?

    /// All members as JSON, for a type of the app.
    public internal(set) var members = Data()
}

extension TokenIntrospection: Decodable {
    private enum CodingKeys: String, CodingKey {
        case active, scope, username, sub, iss, aud, exp
        case clientID = "client_id"
        case tokenType = "token_type"
    }

    /// Decodes the answer.
    ///
    /// - Throws: a `DecodingError` without `active`, and for a known member of a wrong type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String? { try container.decodeIfPresent(String.self, forKey: key) }
        isActive = try container.decode(Bool.self, forKey: .active)
        (scope, clientID, username) = (try text(.scope), try text(.clientID), try text(.username))
        (tokenType, subject, issuer) = (try text(.tokenType), try text(.sub), try text(.iss))
        audience = try container.decodeIfPresent(JSONWebToken.Audience.self, forKey: .aud)?.values ?? []
        expires = try container.decodeIfPresent(JSONWebToken.NumericDate.self, forKey: .exp)?.date
    }
}

extension TokenIntrospection: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// Whether the token is active; nothing about a person.
    public var description: String { isActive ? "active token" : "token that is not active" }
}
