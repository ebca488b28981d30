public import StartSmallCore

/// The condition and the delays of retries.
public struct RetryPolicy: Sendable {
    /// The calls that are retried.
    public var condition: RetryCondition

    /// The delay before each retry.
    public var backoff: Backoff

    /// The requests for which `X-Should-Retry` of a response decides, in place of the condition, in `.retry` alone.
    public var serverHints: ServerHints

    /// Creates a policy.
    public init(
        condition: RetryCondition = .standard,
        backoff: Backoff = .exponential(),
        serverHints: ServerHints = .safeToReplay
    ) {
        self.condition = condition
        self.backoff = backoff
        self.serverHints = serverHints
    }

    /// Returns whether to send a request again after this output: ``ServerHints`` decide, or else the condition.
    ///
    /// - Parameters:
    ///   - input: the request that was sent.
    ///   - output: the output of the attempt.
    public func retries(_ input: Input, after output: Output) -> Bool {
        serverHints.decision(on: input, after: output) ?? condition(input, output)
    }

    /// Three attempts in all, of requests that are safe to replay, with growing random delays.
    public static let standard = RetryPolicy()

    /// Three attempts in all, with growing random delays, also of a throttled request of any method.
    ///
    /// See ``RetryCondition/standard`` and ``RetryCondition/throttled``.
    public static let standardOrThrottled = RetryPolicy(condition: .standard.or(.throttled))

    /// Never retries.
    public static let never = RetryPolicy(backoff: Backoff { _ in nil })

    /// One retry, after a random delay of at most half a second.
    public static let once = exponential(attempts: 2)

    /// Returns a policy with a maximum number of attempts and growing random delays, for the calls of a `condition`,
    /// and those for which `serverHints` decide.
    ///
    /// - SeeAlso: ``Backoff/exponential(attempts:baseDelay:maxDelay:maxRetryAfter:maxElapsed:)``
    public static func exponential(
        attempts: Int = Backoff.defaultAttempts,
        baseDelay: Duration = Backoff.defaultBaseDelay,
        maxDelay: Duration = Backoff.defaultMaxDelay,
        maxRetryAfter: Duration = Backoff.defaultMaxRetryAfter,
        maxElapsed: Duration? = Backoff.defaultMaxElapsed,
        condition: RetryCondition = .standard,
        serverHints: ServerHints = .safeToReplay
    ) -> RetryPolicy {
        RetryPolicy(
            condition: condition,
            backoff: .exponential(
                attempts: attempts,
                baseDelay: baseDelay,
                maxDelay: maxDelay,
                maxRetryAfter: maxRetryAfter,
                maxElapsed: maxElapsed
            ),
            serverHints: serverHints
        )
    }
}
