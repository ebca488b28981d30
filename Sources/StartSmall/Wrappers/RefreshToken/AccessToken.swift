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

    /// Creates a token.
    public init(_ value: String, refreshToken: String? = nil, expires: Date? = nil) {
        self.value = value
        self.refreshToken = refreshToken
        self.expires = expires
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

/// Where an app keeps its token: two functions of its own.
///
/// What was saved is what is loaded next. Each call loads, so a slow place wants a copy in memory.
public struct TokenStore: Sendable {
    /// Gives the token; nil while there is none, as before a login.
    public let load: @Sendable () async throws -> AccessToken?

    /// Keeps a new token, over the old one.
    public let save: @Sendable (AccessToken) async throws -> Void

    /// Creates a store.
    public init(
        load: @escaping @Sendable () async throws -> AccessToken?,
        save: @escaping @Sendable (AccessToken) async throws -> Void
    ) {
        self.load = load
        self.save = save
    }
}
