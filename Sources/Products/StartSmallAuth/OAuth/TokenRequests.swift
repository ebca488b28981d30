public import StartSmallCore
public import StartSmallSupport
public import StartSmallFoundation

extension OAuthClient {
    /// Creates the endpoint that revokes a token (RFC 7009 2.1), for example at a logout.
    ///
    /// A server answers 200 also for a token that is unknown or no longer valid: to revoke it twice does no harm.
    ///
    /// - Parameters:
    ///   - token: the access token or refresh token.
    ///   - endpoint: the URL of the revocation endpoint.
    ///   - parameters: further parameters, such as `token_type_hint`.
    public func revocation(
        of token: String,
        at endpoint: URL,
        _ parameters: Queries = []
    ) -> Endpoint<TransformError<OAuthError>, Void> {
        oauthEndpoint(request(endpoint, Self.fields(of: token, parameters))) {
            $0.empty(problem: OAuthError.self)
        }
    }

    /// Creates the endpoint that asks what a token is worth (RFC 7662 2.1), for a service that gets tokens.
    ///
    /// - SeeAlso: ``revocation(of:at:_:)``
    public func introspection(
        of token: String,
        at endpoint: URL,
        _ parameters: Queries = []
    ) -> Endpoint<TransformError<OAuthError>, TokenIntrospection> {
        // A token may authorize this question of a client without a proof (RFC 7662 2.1).
        let input = request(endpoint, Self.fields(of: token, parameters)).map {
            $0.with { if case .none = authentication { $0.options[WithoutStoredToken.self] = nil } }
        }
        return oauthEndpoint(input) { $0.json(keeping: \.members) }
    }

    private static func fields(of token: String, _ parameters: Queries) -> [URLQueryItem] {
        [URLQueryItem(name: "token", value: token)] + parameters.items
    }
}

/// The answer to the question what a token is worth (RFC 7662 2.2).
public struct TokenIntrospection: Sendable {
    /// Whether the token is valid now, and for this service.
    public let isActive: Bool

    /// The scope of the token.
    public let scope: String?

    /// The ID of the client that requested the token.
    public let clientID: String?

    /// The subject, such as the ID of the user.
    public let subject: String?

    /// The services for which the token is.
    public let audience: [String]

    /// The time of expiry.
    public let expires: Date?

    /// All members as JSON, for a type of the app.
    public internal(set) var members = Data()
}

extension TokenIntrospection: Decodable {
    private enum CodingKeys: String, CodingKey {
        case active, scope, sub, aud, exp
        case clientID = "client_id"
    }

    /// Decodes the answer.
    ///
    /// - Throws: a `DecodingError` without `active`, and for a known member of a wrong type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String? { try container.decodeIfPresent(String.self, forKey: key) }
        isActive = try container.decode(Bool.self, forKey: .active)
        (scope, clientID, subject) = (try text(.scope), try text(.clientID), try text(.sub))
        audience = try container.decodeIfPresent(JSONWebToken.Audience.self, forKey: .aud)?.values ?? []
        expires = try container.decodeIfPresent(JSONWebToken.NumericDate.self, forKey: .exp)?.date
    }
}

extension Response {
    /// Decodes JSON, and keeps it as a whole in a property of the value.
    func json<Value: Decodable, Problem: Decodable & Sendable>(
        keeping members: WritableKeyPath<Value, Data>
    ) -> Either<TransformError<Problem>, Value> {
        json(Value.self, problem: Problem.self).map { value in
            var value = value
            value[keyPath: members] = payload
            return value
        }
    }
}

extension TokenIntrospection: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// Whether the token is active; nothing about a person.
    public var description: String { isActive ? "active token" : "inactive token" }
}
