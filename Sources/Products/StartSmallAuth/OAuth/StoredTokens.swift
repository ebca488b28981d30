import StartSmallCore
import StartSmallHeaders
public import StartSmallSupport
import StartSmallFoundation

/// The authorization server, the client and the resources for which a token was issued.
///
/// ``Wrapper/oauth(_:at:_:in:to:_:first:clock:now:)`` sends no token from another source.
public struct TokenSource: Hashable, Codable, Sendable {
    /// The URL of the token endpoint, with its origin in one form; empty for a source that can't be read.
    private var endpoint: String
    private var client: String

    /// The resources that the request named; nil if they are unknown.
    private var resources: [String]?

    /// All else that a service asked for, and the origin that gets the token; nil for any other token.
    private var details: [String]?

    /// Whether the token was issued without a user, so that it can be replaced at any time; nil if that is unknown.
    private(set) var isForClient: Bool?

    /// The parameters that name resources (RFC 8707 2, RFC 8693 2.1).
    private static let namesOfResources = ["resource", "audience"]

    /// Creates the source of a token that an app requests itself.
    ///
    /// Without parameters that name a resource, one may have been in the URL of the sign-in.
    init(of client: OAuthClient, at endpoint: URL, _ parameters: Queries, isForClient: Bool?) {
        (self.client, self.endpoint, self.isForClient) = (client.id, Self.text(of: endpoint), isForClient)
        let named = Self.texts(of: parameters) { Self.namesOfResources.contains($0) }
        resources = named.isEmpty ? nil : named
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
        self.init(of: client, at: endpoint, parameters, isForClient: isForClient)
        resources = resources ?? []
        guard isForClient else { return }
        details = Self.texts(of: parameters) { !Self.namesOfResources.contains($0) }
        if case .origin(let url) = scope, let origin = Origin(url) { details?.append("to=\(Self.text(of: origin))") }
    }

    /// Decodes a stored source; one that can't be decoded equals none.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // Also of such a one, that of a service is replaced.
        isForClient = try? container.decodeIfPresent(Bool.self, forKey: .isForClient)
        do {
            resources = try container.decodeIfPresent([String].self, forKey: .resources)
            details = try container.decodeIfPresent([String].self, forKey: .details)
            client = try container.decode(String.self, forKey: .client)
            endpoint = try container.decode(String.self, forKey: .endpoint)
        } catch {
            (client, endpoint) = ("", "")
        }
    }

    private static func texts(of parameters: Queries, where isIncluded: (String) -> Bool) -> [String] {
        parameters.items.filter { isIncluded($0.name) }.map { "\($0.name)=\($0.value ?? "")" }.sorted()
    }

    private static func text(of url: URL) -> String {
        guard let origin = Origin(url) else { return url.absoluteString }
        return text(of: origin) + url.path(percentEncoded: true)
            + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
    }

    private static func text(of origin: Origin) -> String { "\(origin.scheme)://\(origin.host):\(origin.port)" }

    /// Returns whether the source of a wrapper gave a token, as far as its source is known; for the rest, the app
    /// vouches.
    func gave(_ token: AccessToken) -> Bool {
        // A service takes no token of a user, as one with an identity is.
        if isForClient == true, !(token.source?.isForClient ?? (token.identity == nil)) { return false }
        guard let source = token.source else { return true }
        return isSameClient(as: source) && (source.details ?? details) == details
            && (source.resources ?? resources) == resources
    }

    private func isSameClient(as other: TokenSource) -> Bool { (client, endpoint) == (other.client, other.endpoint) }

    /// Returns the source of a refreshed token, which keeps whose the old one was, and what is unknown here.
    func refreshed(from old: TokenSource?) -> TokenSource {
        guard let old, isSameClient(as: old) else { return self }
        var new = self
        new.resources = resources ?? old.resources
        new.details = details ?? old.details
        new.isForClient = old.isForClient ?? isForClient
        return new
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
