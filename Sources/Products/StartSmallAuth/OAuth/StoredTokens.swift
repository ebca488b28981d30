import StartSmallCore
import StartSmallHeaders
public import StartSmallSupport
import StartSmallFoundation

/// The authorization server, the client and the resources for which a token was issued.
///
/// ``Wrapper/oauth(_:at:_:in:to:_:first:clock:now:)`` sends no token from another source.
public struct TokenSource: Hashable, Codable, Sendable {
    /// The URL of the token endpoint, with its origin in one form; empty for a source that can't be read.
    private let endpoint: String
    private let client: String

    /// The parameters that tell tokens apart; nil if they are unknown.
    private let parameters: [String]?

    /// Whether the token was issued without a user, so that it can be replaced at any time; nil if that is unknown.
    let isForClient: Bool?

    /// The parameters that name resources (RFC 8707 2, RFC 8693 2.1).
    private static let resources = ["resource", "audience"]

    /// Creates the source of a token that an app requests itself.
    init(of client: OAuthClient, at endpoint: URL, isForClient: Bool?) {
        (self.client, self.endpoint, self.isForClient) = (client.id, Self.text(of: endpoint), isForClient)
        parameters = nil
    }

    /// Creates the source of the tokens of a wrapper.
    ///
    /// The tokens of a user are told apart by their resources. Those of a client are also told apart by all else that was
    /// asked for, such as a scope, and by the origin that gets them: another one costs a request, and nobody a sign-in.
    init(
        of client: OAuthClient,
        at endpoint: URL,
        _ parameters: Queries,
        to scope: CredentialScope,
        isForClient: Bool
    ) {
        (self.client, self.endpoint, self.isForClient) = (client.id, Self.text(of: endpoint), isForClient)
        var items = parameters.items.filter { isForClient || Self.resources.contains($0.name) }
        if isForClient, case .origin(let url) = scope, let origin = Origin(url) {
            items.append(URLQueryItem(name: "to", value: Self.text(of: origin)))
        }
        self.parameters = items.map { "\($0.name)=\($0.value ?? "")" }.sorted()
    }

    /// Decodes a stored source; one of another version of the type equals none.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        isForClient = try? container.decode(Bool.self, forKey: .isForClient)
        client = (try? container.decode(String.self, forKey: .client)) ?? ""
        parameters = try? container.decode([String].self, forKey: .parameters)
        endpoint = (try? container.decode(String.self, forKey: .endpoint)) ?? ""
    }

    private static func text(of url: URL) -> String {
        guard let origin = Origin(url) else { return url.absoluteString }
        return text(of: origin) + url.path(percentEncoded: true)
            + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
    }

    private static func text(of origin: Origin) -> String { "\(origin.scheme)://\(origin.host):\(origin.port)" }

    /// Returns whether a token is from here, as far as its source is known; for the rest, the app vouches.
    func gave(_ token: AccessToken) -> Bool {
        let isForThem = token.source?.isForClient.map { $0 == isForClient }
        // A token with an identity is a user's.
        guard isForThem ?? (isForClient != true || token.identity == nil) else { return false }
        guard let source = token.source else { return true }
        return (source.endpoint, source.client) == (endpoint, client) && (source.parameters ?? parameters) == parameters
    }
}

extension TokenSource: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The client and the server, on one line.
    public var description: String { "\(client.onOneLine) at \(Redaction.standard.shown(url: endpoint))" }
}

/// The way in which new tokens are requested, and the rules for stored ones.
struct StoredTokens: Sendable {
    /// Whether a token is requested while the store has none.
    let requestsFirst: Bool

    /// The source of the tokens; nil if any token is sent, and each may be refreshed.
    var source: TokenSource?

    /// The function that requests a token in place of another one, or of none, through a connector.
    let refresh: @Sendable (AccessToken, Connector) async -> Either<RefreshFailure, AccessToken>

    /// Returns whether a token may be sent here.
    func has(_ token: AccessToken) -> Bool { source?.gave(token) ?? true }

    /// Returns whether a token is replaced before anything is sent.
    func mustReplace(_ token: AccessToken, expiresSoon: Bool) -> Bool {
        if requestsFirst { return expiresSoon || token.value.isEmpty || !has(token) }
        // Without a refresh token, the server decides.
        if token.refreshToken == nil { return expiresSoon && source == nil }
        return expiresSoon || token.value.isEmpty
    }

    /// Returns the failure of a call with a token that is neither sent nor replaced; nil for any other token.
    ///
    /// - Parameter spent: the last token that only a sign-in can replace, and why.
    func failure(
        of token: AccessToken,
        mustReplace: Bool,
        spent: @autoclosure () -> SpentToken?
    ) -> RefreshFailure? {
        if !has(token), !(requestsFirst && token.source?.isForClient == true) { return .otherSource }
        guard mustReplace, let spent = spent(), spent.source == source, spent.token.isSameGrant(as: token) else {
            return nil
        }
        return spent.failure
    }

    /// Returns a token that only a sign-in can replace, after its refresh; nil for any other token.
    func spent(_ token: AccessToken, after failure: RefreshFailure) -> SpentToken? {
        guard let source, !requestsFirst, failure.needsSignIn else { return nil }
        return SpentToken(token: token, source: source, failure: failure)
    }
}

/// A token that only a sign-in can replace, and the failure of its last refresh.
struct SpentToken: Hashable, Sendable {
    let token: AccessToken
    let source: TokenSource
    let failure: RefreshFailure
}
