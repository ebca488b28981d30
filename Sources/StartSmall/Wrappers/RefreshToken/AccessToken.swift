public import Foundation

/// An OAuth 2.0 access token (RFC 6749 1.4), or a similar token, and its expiry.
///
/// The type is `Codable` for storage. The response of a server has other names, and is decoded as
/// ``OAuthTokenResponse``.
public struct AccessToken: Hashable, Codable, Sendable {
    /// The token that is sent with each call.
    public var value: String

    /// The refresh token that requests a new access token (RFC 6749 6); nil if the app requests it by other means.
    public var refreshToken: String?

    /// The expiry of the token; nil if unknown.
    public var expires: Date?

    /// The account of the token, such as a user ID; nil if the app does not set one.
    ///
    /// A call belongs to the identity of its first token. ``Wrapper/refreshToken(in:to:_:clock:now:first:by:)`` never
    /// sends a call with another identity: the call ends with ``RefreshFailure/identityChanged``. Two tokens without an
    /// identity count as the same.
    public var identity: String?

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - value: the token that is sent with each call.
    ///   - refreshToken: the refresh token that requests a new access token.
    ///   - expires: the expiry of the token; nil if unknown.
    ///   - identity: the account of the token.
    public init(_ value: String, refreshToken: String? = nil, expires: Date? = nil, identity: String? = nil) {
        self.value = value
        self.refreshToken = refreshToken
        self.expires = expires
        self.identity = identity
    }
}

extension AccessToken {
    /// The token that stands for none, where a first token is requested as the refresh of this one.
    static let none = AccessToken("")

    var isNone: Bool { self == Self.none }
}

extension AccessToken: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The expiry of the token; no part of the token itself.
    public var description: String {
        Redaction.placeholder + (expires.map { ", expires \($0.ISO8601Format())" } ?? "")
    }
}
