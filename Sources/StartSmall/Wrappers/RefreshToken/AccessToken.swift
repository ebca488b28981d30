public import Foundation

/// What shows a server who calls, and until when: a token of OAuth 2 (RFC 6749 1.4), or something like it.
///
/// It is `Codable` for storing. What a server answers has other names, and is read by ``OAuthTokenResponse``.
public struct AccessToken: Hashable, Codable, Sendable {
    /// The token that goes with each call.
    public var value: String

    /// What a new token is asked for with (RFC 6749 6), or nil if something else is.
    public var refreshToken: String?

    /// From when on the token is not good any more, or nil if nobody said.
    public var expires: Date?

    /// The account that the token belongs to, such as a user ID; nil if the app does not say.
    ///
    /// A call belongs to the identity of its first token. ``Wrapper/refreshToken(in:_:clock:now:by:)`` never sends it as
    /// another one: it ends with ``RefreshFailure/identityChanged``. Two tokens without an identity count as the same.
    public var identity: String?

    /// Creates a token.
    public init(_ value: String, refreshToken: String? = nil, expires: Date? = nil, identity: String? = nil) {
        self.value = value
        self.refreshToken = refreshToken
        self.expires = expires
        self.identity = identity
    }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// When the token expires, and nothing of the token itself.
    public var description: String {
        Redaction.placeholder + (expires.map { ", expires \($0.ISO8601Format())" } ?? "")
    }

    /// The same as ``description``.
    public var debugDescription: String {
        description
    }

    /// What `dump` and failed tests show: the same as ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: ["token": description])
    }
}

/// The functions by which an app keeps its token, and the refresh of that token.
///
/// What was saved is what is loaded next. Each call loads, so a slow place wants a copy in memory. Copies of a store are
/// the same store: connectors that share it never refresh in parallel. So make one for each token, and share it.
public struct TokenStore: Sendable {
    /// Gives the token; nil while there is none, as before a login and after a logout.
    public let load: @Sendable () async throws -> AccessToken?

    /// Keeps a new token, over the old one.
    public let save: @Sendable (AccessToken) async throws -> Void

    /// Keeps a new token if the store still has the old one; false if it does not, because of a login or a logout.
    let replace: @Sendable (_ old: AccessToken, _ new: AccessToken) async throws -> Bool

    /// The refresh that all connectors with this store share.
    let renewal = RefreshCoordinator()

    /// Creates a store.
    ///
    /// Without `replace`, a refreshed token is saved after the store was loaded again and still had the old one. A login or
    /// logout between the two could be overwritten: `replace` closes that gap, by comparing and saving under one lock.
    ///
    /// - Parameters:
    ///   - load: gives the token; nil while there is none.
    ///   - save: keeps a token, whatever there was.
    ///   - replace: keeps the new token only if the stored one has the value of the old one, in one step, and says whether
    ///     it did; nil to load, compare and save.
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
