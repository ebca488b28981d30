import StartSmallCore
public import StartSmallSupport
import StartSmallFoundation

/// The authorization server, the client and the resources for which a token was issued.
///
/// ``Wrapper/oauth(_:at:_:in:to:_:first:clock:now:)`` sends no token from another source.
public struct TokenSource: Hashable, Codable, Sendable {
    private let endpoint: String
    private let client: String
    private let resources: [String]

    /// Whether the token was issued without a user, so that it can be replaced at any time.
    let isForClient: Bool

    /// The parameters that name resources (RFC 8707 2, RFC 8693 2.1).
    private static let names = ["resource", "audience"]

    init(of client: OAuthClient, at endpoint: URL, _ parameters: Queries, isForClient: Bool) {
        (self.client, self.endpoint, self.isForClient) = (client.id, endpoint.absoluteString, isForClient)
        resources = parameters.items.filter { Self.names.contains($0.name) }.map(\.description).sorted()
    }

    /// Returns whether a token is from here, or is the app's own.
    func gave(_ token: AccessToken) -> Bool { token.source.map { $0 == self } ?? true }
}

extension TokenSource: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The client and the server, on one line.
    public var description: String { "\(client.onOneLine) at \(Redaction.standard.shown(url: endpoint))" }
}

/// The way in which new tokens are requested, and the rules for stored ones.
struct StoredTokens: Sendable {
    /// Whether a token is requested while the store has none.
    let requestsFirst: Bool

    /// The function that requests a token in place of another one, or of none, through a connector.
    let refresh: @Sendable (AccessToken, Connector) async -> Either<RefreshFailure, AccessToken>

    /// The source of the tokens; nil if any token is sent.
    private let source: TokenSource?

    /// The last token that only a sign-in can replace.
    private let spent: Locked<(token: AccessToken, failure: RefreshFailure)?>

    /// Creates the rules.
    ///
    /// - Parameters:
    ///   - source: the source of the tokens; nil if any token is sent, and each may be refreshed.
    init(
        requestsFirst: Bool,
        from source: TokenSource? = nil,
        refresh: @escaping @Sendable (AccessToken, Connector) async -> Either<RefreshFailure, AccessToken>
    ) {
        let spent = Locked<(token: AccessToken, failure: RefreshFailure)?>(nil)
        (self.requestsFirst, self.source, self.spent) = (requestsFirst, source, spent)
        self.refresh = { token, connector in
            let refreshed = await refresh(token, connector)
            if source != nil, !requestsFirst, let failure = refreshed.left, failure.needsSignIn {
                spent.withLock { $0 = (token, failure) }
            }
            return refreshed
        }
    }

    /// Returns whether a token may be sent here.
    func has(_ token: AccessToken) -> Bool { source?.gave(token) ?? true }

    /// Returns whether a token is replaced before anything is sent.
    func mustReplace(_ token: AccessToken, expiresSoon: Bool) -> Bool {
        if requestsFirst { return token.isNone || expiresSoon || !has(token) }
        // Without a refresh token, the server decides.
        return expiresSoon && (source == nil || token.refreshToken != nil)
    }

    /// Returns the failure of a call with a token that is neither sent nor replaced; nil for any other token.
    func failure(of token: AccessToken, mustReplace: Bool) -> RefreshFailure? {
        if !has(token), !(requestsFirst && token.source?.isForClient == true) { return .identityChanged }
        guard mustReplace, let spent = spent.withLock(\.self), spent.token.isSameGrant(as: token) else { return nil }
        return spent.failure
    }
}
