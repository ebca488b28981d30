public import Foundation

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

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case expiresIn = "expires_in"
    }

    /// Creates a token response.
    ///
    /// - Parameters:
    ///   - accessToken: the access token that is sent with each call.
    ///   - refreshToken: the new refresh token; nil if the old one stays valid.
    ///   - expiresIn: the lifetime of the access token; nil if unknown.
    public init(accessToken: String, refreshToken: String? = nil, expiresIn: Duration? = nil) {
        (self.accessToken, self.refreshToken, self.expiresIn) = (accessToken, refreshToken, expiresIn)
    }

    /// Decodes a token response; `expires_in` is in seconds, and more than a hundred years count as a hundred.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = try container.decode(String.self, forKey: .accessToken)
        refreshToken = try container.decodeIfPresent(String.self, forKey: .refreshToken)
        let longest = Double(Duration.maximumWait.components.seconds)
        expiresIn = try container.decodeIfPresent(Double.self, forKey: .expiresIn)
            .map { .seconds(min(max($0, 0), longest)) }
    }

    /// Returns the token to store, with the expiry computed from the time of receipt and the lifetime.
    ///
    /// - Parameters:
    ///   - time: the time at which the response was received.
    ///   - old: the replaced token; its refresh token stays valid if there is no new one (RFC 6749 6), and the new
    ///     token has its identity.
    public func accessToken(receivedAt time: Date, inPlaceOf old: AccessToken? = nil) -> AccessToken {
        AccessToken(
            accessToken,
            refreshToken: refreshToken ?? old?.refreshToken,
            expires: expiresIn.map { time.addingTimeInterval($0 / .seconds(1)) },
            identity: old?.identity
        )
    }
}

extension OAuthTokenResponse: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The lifetime of the token; no part of the token itself.
    public var description: String {
        Redaction.placeholder + (expiresIn.map { ", expires in \($0)" } ?? "")
    }
}
