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
    /// A call belongs to the identity of its first token. ``Wrapper/refreshToken(in:to:_:clock:now:by:)`` never sends a
    /// call with another identity: the call ends with ``RefreshFailure/identityChanged``. Two tokens without an
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

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The expiry of the token; no part of the token itself.
    public var description: String {
        Redaction.placeholder + (expires.map { ", expires \($0.ISO8601Format())" } ?? "")
    }

    /// A copy of ``description``.
    public var debugDescription: String {
        description
    }

    /// A mirror with ``description`` only, for `dump` and failed tests.
    public var customMirror: Mirror {
        Mirror(self, children: ["token": description])
    }
}

/// The functions by which an app stores its token, and the shared refresh of that token.
///
/// A load must return the last saved token. Each call loads the token, so a slow store should keep a copy in memory.
/// Copies of a store are the same store: connectors that share a store never refresh in parallel. Create one store for
/// each token, and share it.
public struct TokenStore: Sendable {
    /// The function that loads the token; nil while there is none, for example before a login and after a logout.
    public let load: @Sendable () async throws -> AccessToken?

    /// The function that saves a new token, and overwrites the old one.
    public let save: @Sendable (AccessToken) async throws -> Void

    /// The function that saves a new token if the store still has the old one.
    ///
    /// The function returns false if the store has another token, because of a login or a logout.
    let replace: @Sendable (_ old: AccessToken, _ new: AccessToken) async throws -> Bool

    /// The refresh that all connectors with this store share.
    let renewal = RefreshCoordinator()

    /// Creates a store.
    ///
    /// Without `replace`, the store is loaded again after a refresh, and the new token is saved only if the store still
    /// has the old one. A login or logout between the two steps could be overwritten: `replace` closes that gap by
    /// comparing and saving under one lock.
    ///
    /// - Parameters:
    ///   - load: returns the token; nil while there is none.
    ///   - save: saves a token, and overwrites any other.
    ///   - replace: saves the new token only if the stored one has the value of the old one, in one step, and returns
    ///     whether it did; nil to load, compare and save.
    public init(
        load: @escaping @Sendable () async throws -> AccessToken?,
        save: @escaping @Sendable (AccessToken) async throws -> Void,
        replace: (@Sendable (_ old: AccessToken, _ new: AccessToken) async throws -> Bool)? = nil
    ) {
        self.load = load
        self.save = save
        self.replace =
            replace ?? { old, new in
                guard let stored = try await load(), stored.isSameGrant(as: old) else { return false }
                try await save(new)
                return true
            }
    }
}
