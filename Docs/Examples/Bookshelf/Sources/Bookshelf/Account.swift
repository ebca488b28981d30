import StartSmall
import StartSmallAuth

/// A user's account: the server, the client by which the user signs in, and the store of the token.
///
/// The connector sends the token that a sign-in with the same account has saved.
public struct Account: Sendable {
    let server: URL
    let client: OAuthClient
    let tokens: TokenStore

    /// Creates an account.
    ///
    /// - Parameters:
    ///   - server: the URL of the API.
    ///   - client: the app, as Bookshelf has registered it.
    ///   - tokens: the store of the token.
    public init(at server: URL, client: OAuthClient = .bookshelf, tokens: TokenStore) {
        (self.server, self.client, self.tokens) = (server, client, tokens)
    }

    /// Gets a code, and the page on which the user types it, on a phone for example.
    public func beginSignIn() -> Endpoint<TransformError<OAuthError>, DeviceAuthorization> {
        client.deviceAuthorization(at: server.appending(path: "v1/device"), ["scope": "books"])
    }

    /// Waits until the user has typed the code, and saves the token, which all further calls have.
    ///
    /// - Throws: a ``DeviceSignInFailure``, or the error of the store. Cancel the task to end the wait.
    public func finishSignIn(
        with device: DeviceAuthorization,
        via connector: Connector,
        clock: some Clock<Duration> = ContinuousClock()
    ) async throws {
        let token = try await client.token(for: device, at: tokenEndpoint, via: connector, clock: clock).get()
        // Each sign-in is an identity, so that no call of one user is sent with the token of another one.
        try await tokens.save(token.accessToken(receivedAt: Date(), identity: UUID().uuidString))
    }

    var tokenEndpoint: URL { server.appending(path: "v1/token") }
}

extension OAuthClient {
    /// This SDK, for apps without a registration of their own: a public client, which has no secret (RFC 6749 2.1).
    public static let bookshelf = OAuthClient("bookshelf-swift")
}

extension CallError<BookshelfError> {
    /// Whether only a sign-in helps: nobody is signed in, or the server refuses the refresh token for good.
    public var needsSignIn: Bool {
        switch self {
        case .left(let error): error.refusal(RefreshFailure.self)?.needsSignIn ?? false
        case .right(.signedOut): true
        case .right: false
        }
    }
}
