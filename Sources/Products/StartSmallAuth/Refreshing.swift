public import StartSmallCore

/// The wait of a call for a new token, as `.refreshToken` reports it.
public struct Refreshing: ReportedEvent {
    /// The response that rejected the old token; nil if the token had only expired.
    public let after: Response?

    /// Whether the call started the refresh; other calls wait for the same one.
    public let isFirst: Bool

    /// Creates an event.
    public init(after: Response?, isFirst: Bool) { (self.after, self.isFirst) = (after, isFirst) }

    /// The name of the event.
    public var name: String { "refreshing" }
}

/// The continuation of a call with another token than before, as `.refreshToken` reports it.
public struct Refreshed: ReportedEvent {
    /// Creates an event.
    public init() {}

    /// The name of the event.
    public var name: String { "refreshed" }
}
