public import StartSmallCore

/// The decisions about a cache that HTTP leaves to an app.
public struct CacheOptions: Sendable {
    /// The fraction of the time since the last change for which a response without explicit lifetime is fresh; 0 for
    /// none, so that such responses are validated before each use (RFC 9111 4.2.2).
    public var heuristicFraction: Double

    /// The maximum of a heuristic lifetime.
    public var maxHeuristicLifetime: Duration

    /// The time for which a stale response replaces an error of the network or the server, if neither the response nor
    /// the request has a `stale-if-error` of its own (RFC 9111 4.2.4: permission "by configuration").
    public var staleIfError: Duration

    /// The maximum number of background validations that run at once.
    public var maxBackgroundValidations: Int

    /// Returns the credentials of a request: a response to one identity is never given to another one.
    public var identity: @Sendable (Input) -> RequestIdentity

    /// The default fraction is 0.1, the "typical setting" of RFC 9111 4.2.2.
    public static let defaultHeuristicFraction = 0.1

    /// The default maximum of a heuristic lifetime is 24 hours.
    ///
    /// RFC 7234 5.5.4 demanded a warning for a response that was older and only heuristically fresh.
    public static let defaultMaxHeuristicLifetime = Duration.seconds(86_400)

    /// The default is none: nothing stale is used without the permission of the server or of the caller.
    public static let defaultStaleIfError = Duration.zero

    /// The default maximum of background validations is 4, so that they leave most connections to calls that wait.
    ///
    /// Browsers open 6 connections for each host with HTTP/1.1.
    public static let defaultMaxBackgroundValidations = 4

    /// Creates options.
    public init(
        heuristicFraction: Double = defaultHeuristicFraction,
        maxHeuristicLifetime: Duration = defaultMaxHeuristicLifetime,
        staleIfError: Duration = defaultStaleIfError,
        maxBackgroundValidations: Int = defaultMaxBackgroundValidations,
        identity: (@Sendable (Input) -> RequestIdentity)? = nil
    ) {
        (self.heuristicFraction, self.maxHeuristicLifetime) = (heuristicFraction, maxHeuristicLifetime)
        (self.staleIfError, self.maxBackgroundValidations) = (staleIfError, maxBackgroundValidations)
        self.identity = identity ?? { RequestIdentity($0.headers) }
    }
}
