/// A call that is about to be made again, as listeners hear of it.
public struct RetryAttempt: Hashable, Sendable {
    /// The number of the attempt that comes next: 2 for the first that is made again.
    public var attempt: Int

    /// How long is waited before it.
    public var delay: Duration

    /// What came out of the attempt before.
    public var after: Output

    /// Creates what listeners hear.
    public init(attempt: Int, delay: Duration, after: Output) {
        self.attempt = attempt
        self.delay = delay
        self.after = after
    }
}

extension RetryAttempt: CustomStringConvertible {
    /// Such as `attempt 2 in 0.3 seconds, after 503 Service Unavailable, 0 bytes`; credentials redacted.
    public var description: String {
        let said =
            switch after {
            case .hasResponse(let response): "\(response)"
            case .noResponse(let error): "\(error)"
            }
        return "attempt \(attempt) in \(delay), after \(said)"
    }
}
