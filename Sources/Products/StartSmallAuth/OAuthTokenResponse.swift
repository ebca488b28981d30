import StartSmallCore
public import StartSmallSupport
public import StartSmallFoundation

/// A successful token response of an OAuth 2.0 server, decoded from JSON (RFC 6749 5.1).
///
/// The response contains the lifetime of the token, not the time of its expiry, which depends on when the response was
/// received.
public struct OAuthTokenResponse: Hashable, Decodable, Sendable {
    /// The access token that is sent with each call.
    public var accessToken: String

    /// The new refresh token; nil if the old one stays valid (RFC 6749 6).
    public var refreshToken: String?

    /// The lifetime of the access token; nil if the server does not send one.
    public var expiresIn: Duration?

    /// The type of the access token, such as `Bearer` (RFC 6749 7.1); nil if the server sends no text there.
    public var tokenType: String?

    /// The scope of the access token (RFC 6749 3.3); nil if it is the one that was requested.
    public var scope: String?

    /// The ID token of a user who signed in (OpenID Connect Core 3.1.3.3); nil without OpenID Connect.
    ///
    /// - SeeAlso: ``JSONWebToken/idToken(_:from:to:nonce:now:leeway:)``
    public var idToken: String?

    /// The type of the token that was issued in place of another one (RFC 8693 2.2.1); nil for any other grant.
    public var issuedTokenType: OAuthTokenType?

    /// The server and the client that requested the token, for ``accessToken(receivedAt:inPlaceOf:identity:)``.
    var requester = Requester()

    /// A source that is no part of the value of a response.
    struct Requester: Hashable, Sendable {
        var source: TokenSource?

        /// Whether the token belongs to no session that there was before.
        var isNewSession = false

        static func == (_: Self, _: Self) -> Bool { true }

        func hash(into _: inout Hasher) {}
    }

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case expiresIn = "expires_in"
        case tokenType = "token_type"
        case idToken = "id_token"
        case issuedTokenType = "issued_token_type"
        case scope
    }

    /// Creates a token response.
    public init(
        accessToken: String,
        refreshToken: String? = nil,
        expiresIn: Duration? = nil,
        tokenType: String? = nil,
        scope: String? = nil,
        idToken: String? = nil,
        issuedTokenType: OAuthTokenType? = nil
    ) {
        (self.accessToken, self.refreshToken, self.expiresIn) = (accessToken, refreshToken, expiresIn)
        (self.tokenType, self.scope, self.idToken) = (tokenType, scope, idToken)
        self.issuedTokenType = issuedTokenType
    }

    /// Decodes a token response; `expires_in` is in seconds, and more than a hundred years count as a hundred.
    ///
    /// A lifetime may be a number as a string, as many servers send it. An empty refresh token, or a lifetime that can't
    /// be read, counts as none. An access token that is blank, or a token that has other characters than RFC 6749 A.12
    /// and A.17 allow, is an error. Any other member that is not a text counts as missing; ``OAuthClient/token(by:at:_:tokenType:)``
    /// refuses a type of the token that was not asked for.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = try container.decode(String.self, forKey: .accessToken)
        let renewing = try container.decodeIfPresent(String.self, forKey: .refreshToken)
        refreshToken = renewing.flatMap { $0.isBlank ? nil : $0 }
        for (key, token) in [(CodingKeys.accessToken, accessToken), (.refreshToken, refreshToken ?? "none")] {
            if OAuthText.isVisible(token), !token.isBlank { continue }
            // Not the path of the token, whose errors have no reason.
            let reason = "\(key.rawValue) is \(token.isBlank ? "empty" : "not visible ASCII (RFC 6749 A.12, A.17)")"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: reason))
        }
        // Not for a lifetime that can't be read is a refresh token lost, for which the server has used up the old one.
        expiresIn = (try? container.decodeIfPresent(OAuthSeconds.self, forKey: .expiresIn))?.duration
        func text(_ key: CodingKeys) throws -> String? {
            try container.decodeIfPresent(OAuthError.Text.self, forKey: key)?.text
        }
        (tokenType, scope, idToken) = (try text(.tokenType), try text(.scope), try text(.idToken))
        issuedTokenType = try text(.issuedTokenType).map(OAuthTokenType.init)
    }

    /// Returns the token to store, with the expiry computed from the time of receipt and the lifetime.
    ///
    /// - Parameters:
    ///   - time: the time at which the response was received.
    ///   - old: the replaced token; its refresh token stays valid if there is no new one (RFC 6749 6), and the new
    ///     token has its identity.
    ///   - identity: the account of the token, such as the subject of the ID token; nil for that of the old one.
    public func accessToken(
        receivedAt time: Date,
        inPlaceOf old: AccessToken? = nil,
        identity: String? = nil
    ) -> AccessToken {
        var token = AccessToken(
            accessToken,
            refreshToken: refreshToken ?? old?.refreshToken,
            // A lifetime of 0 would ask for a refresh before each call.
            expires: expiresIn.flatMap { $0 > .zero ? time.addingTimeInterval($0 / .seconds(1)) : nil },
            identity: identity ?? old?.identity
        )
        let old = requester.isNewSession ? nil : old?.source
        token.source = requester.source?.refreshed(from: old) ?? old
        return token
    }
}

/// A number of seconds, also as a string; at least zero, and at most a hundred years.
struct OAuthSeconds: Decodable {
    /// The duration; nil if the string is blank.
    let duration: Duration?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let text = try? container.decode(String.self) else {
            duration = Self.duration(try container.decode(Double.self))
            return
        }
        let words = text.split(separator: " ")
        // Neither hexadecimal digits nor `inf`, which `Double` reads as well.
        let isDecimal = words.count == 1 && words[0].utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
        let value = isDecimal ? Double(words[0]) : nil
        if value == nil, !words.isEmpty {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a number of seconds")
        }
        duration = value.map(Self.duration)
    }

    private static func duration(_ seconds: Double) -> Duration {
        .seconds(min(max(seconds, 0), Double(Duration.maximumWait.components.seconds)))
    }
}

extension String {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

extension OAuthTokenResponse: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The lifetime of the token; no part of the token itself.
    public var description: String {
        Redaction.placeholder + (expiresIn.map { ", expires in \($0)" } ?? "")
    }
}
