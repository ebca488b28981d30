public import StartSmallCore
public import StartSmallHeaders

/// The decisions about a cache that HTTP leaves to an app.
public struct CacheOptions: Sendable {
    /// The fraction of the time since the last change for which a response without explicit lifetime is fresh; 0 for
    /// none, so that such responses are validated before each use (RFC 9111 4.2.2).
    public var heuristicFraction: Double

    /// The time for which a stale response replaces an error of the network or the server, if neither the response nor
    /// the request has a `stale-if-error` of its own (RFC 9111 4.2.4: permission "by configuration").
    public var staleIfError: Duration

    /// Returns the credentials of a request: a response to one identity is never given to another one.
    public var identity: @Sendable (Input) -> RequestIdentity

    /// The default fraction is 0.1, the "typical setting" of RFC 9111 4.2.2.
    public static let defaultHeuristicFraction = 0.1

    /// The default is none: nothing stale is used without the permission of the server or of the caller.
    public static let defaultStaleIfError = Duration.zero

    /// Creates options.
    public init(
        heuristicFraction: Double = defaultHeuristicFraction,
        staleIfError: Duration = defaultStaleIfError,
        identity: (@Sendable (Input) -> RequestIdentity)? = nil
    ) {
        (self.heuristicFraction, self.staleIfError) = (heuristicFraction, staleIfError)
        self.identity = identity ?? { RequestIdentity($0.headers) }
    }
}
