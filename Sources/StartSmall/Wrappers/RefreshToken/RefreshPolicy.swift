import Foundation

/// The rules by which a token is sent and refreshed.
public struct RefreshPolicy: Sendable {
    /// The time before its expiry at which a token is refreshed.
    public var leeway: Duration

    /// The maximum number of refreshes within ``window``.
    public var limit: Int

    /// The sliding window in which refreshes are counted.
    public var window: Duration

    /// Whether a response, whose payload may be broken (``Output/response``), rejects the token.
    public var isRejection: @Sendable (Response) -> Bool

    /// Whether a call gets the token; if not, the call is sent once, unchanged, and the store is not asked.
    public var isForToken: @Sendable (Input) -> Bool

    /// The function that adds a token to an input, or returns the error for which the token can't be sent.
    public var attach: @Sendable (AccessToken, Input) -> Either<ConnectionError, Input>

    /// The default leeway: 10 seconds, as in http4k (`CredentialsProvider`, grace period).
    ///
    /// The leeway is longer than a request takes to arrive, and longer than the difference between clocks that are set
    /// by the network.
    @usableFromInline static let defaultLeeway = Duration.seconds(10)

    /// The default maximum number of refreshes: 5, as in Alamofire.
    ///
    /// A server that rejects every token it issues is not asked forever. Alamofire's value is
    /// `AuthenticationInterceptor.RefreshWindow`, `maximumAttempts`.
    @usableFromInline static let defaultLimit = 5

    /// The default window: 30 seconds, as in Alamofire (`AuthenticationInterceptor.RefreshWindow`, `interval`).
    @usableFromInline static let defaultWindow = Duration.seconds(30)

    /// Creates a policy.
    ///
    /// The default is bearer tokens that are rejected with 401, for all calls that do not already have an
    /// `Authorization`.
    ///
    /// - Parameters:
    ///   - leeway: the time before its expiry at which a token is refreshed; 10 seconds by default.
    ///   - limit: the maximum number of refreshes within `window`; 5 by default.
    ///   - window: the sliding window in which refreshes are counted; 30 seconds by default.
    ///   - isRejection: returns whether a response rejects the token.
    ///   - isForToken: returns whether a call gets the token.
    ///   - attach: returns the input with the token, or the error for which the token can't be sent; by default, the
    ///     token is sent as `Authorization: Bearer …` (RFC 6750 2.1).
    public init(
        leeway: Duration = defaultLeeway,
        limit: Int = defaultLimit,
        window: Duration = defaultWindow,
        isRejection: @escaping @Sendable (Response) -> Bool = { $0.statusCode == .unauthorized },
        isForToken: @escaping @Sendable (Input) -> Bool = { !$0.headers.contains(Authorization.headerName) },
        attach: @escaping @Sendable (AccessToken, Input) -> Either<ConnectionError, Input> = bearer
    ) {
        (self.leeway, self.limit, self.window) = (leeway, limit, window)
        (self.isRejection, self.isForToken, self.attach) = (isRejection, isForToken, attach)
    }

    /// Sets `Authorization: Bearer …` (RFC 6750 2.1).
    ///
    /// - Parameters:
    ///   - token: the token to send.
    ///   - input: the request.
    /// - Returns: the request with the token; left with the error of ``Either/bearer(_:)`` if the token can't be
    ///   sent.
    @Sendable
    @usableFromInline static func bearer(_ token: AccessToken, _ input: Input) -> Either<ConnectionError, Input> {
        .right(input).authorized(by: .bearer(token.value))
    }

    /// Returns whether a token could be expired when it arrives at the server.
    func expiresSoon(_ token: AccessToken, now: @autoclosure () -> Date) -> Bool {
        token.expires.map { $0.timeIntervalSince(now()) <= leeway / .seconds(1) } ?? false
    }
}
