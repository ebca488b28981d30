/// A retry that is about to be made, as reported to listeners.
public struct RetryAttempt: Equatable, Sendable {
    /// The number of the next attempt: 2 for the first retry.
    public var attempt: Int

    /// The delay before the attempt.
    public var delay: Duration

    /// The output of the attempt before.
    public var after: Output

    /// Creates a retry attempt.
    public init(attempt: Int, delay: Duration, after: Output) {
        self.attempt = attempt
        self.delay = delay
        self.after = after
    }
}

extension RetryAttempt: CustomStringConvertible {
    /// A text such as `attempt 2 in 0.3 seconds, after 503 Service Unavailable, 0 bytes`; credentials are redacted.
    public var description: String {
        let outcome = after.connectionError?.description ?? after.response?.description ?? ""
        return "attempt \(attempt) in \(delay), after \(outcome)"
    }
}
