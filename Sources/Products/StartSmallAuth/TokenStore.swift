import StartSmallCore
public import StartSmallSupport
public import StartSmallFoundation

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
    /// A call, with all of its attempts, belongs to the identity of its first token.
    /// ``Wrapper/refreshToken(in:to:_:clock:now:first:by:)`` never sends a call with another identity: the call ends with
    /// ``RefreshFailure/identityChanged``. Two tokens without an identity count as the same.
    public var identity: String?

    /// The server and the client of the token, if it is of an ``OAuthClient``, and its resources, if they are known; nil
    /// for any other token.
    public internal(set) var source: TokenSource?

    /// Creates a token.
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

    /// Returns whether both tokens are the same grant of the server to the same identity.
    ///
    /// The expiry is not compared: a store may compute it at each load.
    public func isSameGrant(as other: AccessToken) -> Bool {
        value == other.value && refreshToken == other.refreshToken && identity == other.identity
    }

    /// Returns whether a stored token is the one to replace, or both are none.
    static func isSame(_ stored: AccessToken?, _ old: AccessToken?) -> Bool {
        (stored ?? .none).isSameGrant(as: old ?? .none)
    }

    /// Returns this token with the identity of the token that it replaces; nil if it has another identity.
    ///
    /// A token without an identity may get one, for example when a new version of an app introduces identities.
    func replacing(_ old: AccessToken) -> AccessToken? {
        guard let identity = old.identity else { return self }
        var new = self
        new.identity = new.identity ?? identity
        return new.identity == identity ? new : nil
    }
}

extension AccessToken: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The expiry of the token; no part of the token itself.
    public var description: String {
        Redaction.placeholder + (expires.map { ", expires \($0.ISO8601Format())" } ?? "")
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

    /// The function that saves a new token, and overwrites the old one; nil, at a logout, removes it.
    public let save: @Sendable (AccessToken?) async throws -> Void

    /// The function that saves a new token if the store still has the old one, or still none, and returns whether it did.
    ///
    /// The store has another token, or none, after a login or a logout.
    let replace: @Sendable (_ old: AccessToken?, _ new: AccessToken) async throws -> Bool

    /// The function that runs a refresh while no other process refreshes; nil if there is no other process.
    let exclusively: (@Sendable (_ refresh: @Sendable () async -> Void) async throws -> Void)?
    let refresh: SharedRefresh

    /// Creates a store.
    ///
    /// Without `replace`, the store is loaded again after a refresh, and the new token is saved only if the store still
    /// has the old one. A login or logout between the two steps could be overwritten: `replace` closes that gap by
    /// comparing and saving under one lock.
    ///
    /// - Parameters:
    ///   - load: returns the token; nil while there is none.
    ///   - save: saves a token, and overwrites any other; for nil, which only the app passes, the store is empty.
    ///   - replace: saves the new token only if the stored one is the old one (``AccessToken/isSameGrant(as:)``), or if
    ///     there is none for nil, in one step, and returns whether it did; nil to load, compare and save.
    ///   - exclusively: runs a refresh once, while no other process with this token refreshes: a refresh token that two
    ///     processes use ends the session at servers that detect it (RFC 9700 4.14.2). The token is loaded again before
    ///     the refresh, and that of another process is used without one. Nil if there is no other process.
    public init(
        load: @escaping @Sendable () async throws -> AccessToken?,
        save: @escaping @Sendable (AccessToken?) async throws -> Void,
        replace: (@Sendable (_ old: AccessToken?, _ new: AccessToken) async throws -> Bool)? = nil,
        exclusively: (@Sendable (_ refresh: @Sendable () async -> Void) async throws -> Void)? = nil
    ) {
        let refresh = SharedRefresh()
        (self.refresh, self.load, self.exclusively) = (refresh, load, exclusively)
        self.save = { token in
            try await save(token)
            refresh.forget()
        }
        self.replace =
            replace ?? { old, new in
                guard AccessToken.isSame(try await load(), old) else { return false }
                try await save(new)
                return true
            }
    }
}

extension TokenStore {
    /// Creates a store in memory, for tests, tools, and services that request a token at each start.
    ///
    /// - Parameter token: the first token; nil for none.
    public static func memory(_ token: AccessToken? = nil) -> TokenStore {
        let stored = Locked(token)
        return TokenStore(
            load: { stored.withLock { $0 } },
            save: { token in stored.withLock { $0 = token } },
            replace: { old, new in
                stored.withLock { token in
                    guard AccessToken.isSame(token, old) else { return false }
                    token = new
                    return true
                }
            }
        )
    }
}
