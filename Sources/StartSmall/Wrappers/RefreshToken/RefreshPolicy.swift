import Foundation

/// How a token is sent, when it is refreshed, and how often.
public struct RefreshPolicy: Sendable {
    /// How long before it expires a token is refreshed.
    public var leeway: Duration

    /// The most refreshes within ``window``.
    public var limit: Int

    /// The time in which refreshes are counted.
    public var window: Duration

    /// Whether a response says that the token is not good any more.
    public var isRejection: @Sendable (Response) -> Bool

    /// Whether a call is to have the token; if not, it is sent as it is, once, and nobody is asked for a token.
    public var isForToken: @Sendable (Input) -> Bool

    /// The input with the token, or why it can't be sent.
    public var attach: @Sendable (AccessToken, Input) -> Either<ConnectionError, Input>

    /// 10 s: longer than a request takes to arrive, and than clocks that are set by the network differ; as http4k has it
    /// (`CredentialsProvider`, grace period).
    public static let defaultLeeway = Duration.seconds(10)

    /// 5, so that a server that rejects every token it gives is not asked for ever; as Alamofire has it
    /// (`AuthenticationInterceptor.RefreshWindow`, `maximumAttempts`).
    public static let defaultLimit = 5

    /// 30 s, as Alamofire has it (`AuthenticationInterceptor.RefreshWindow`, `interval`).
    public static let defaultWindow = Duration.seconds(30)

    /// Creates a policy; unless told otherwise, for bearer tokens that are rejected with 401, and for all calls without an
    /// `Authorization` of their own.
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

    /// Sets `Authorization: Bearer …` (RFC 6750 2.1); left as ``Authorization/bearer(_:)`` says.
    @Sendable
    public static func bearer(_ token: AccessToken, _ input: Input) -> Either<ConnectionError, Input> {
        .right(input).authorized(by: .bearer(token.value))
    }

    /// Whether a token expires so soon that it might be too late when it arrives.
    func expiresSoon(_ token: AccessToken, now: @autoclosure () -> Date) -> Bool {
        token.expires.map { $0.timeIntervalSince(now()) <= leeway / .seconds(1) } ?? false
    }
}
