public import StartSmallCore

/// A retry after a delay that begins now, as `.retry` reports it.
public struct Retrying: ReportedEvent {
    /// The number of the next attempt: 2 for the first retry.
    public let attempt: Int

    /// The delay before the attempt.
    public let delay: Duration

    /// The output of the attempt before, without its body.
    public let after: Output

    /// Creates a retry.
    public init(attempt: Int, delay: Duration, after: Output) {
        (self.attempt, self.delay, self.after) = (attempt, delay, after)
    }

    /// The name of the event.
    public var name: String { "retrying" }
}

extension Retrying: CustomStringConvertible {
    /// A text such as `attempt 2 in 0.3 seconds, after 503 Service Unavailable, 0 bytes`.
    public var description: String {
        "attempt \(attempt) in \(delay), after \(after.connectionError?.description ?? after.response?.description ?? "")"
    }
}
