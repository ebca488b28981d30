public import Foundation

extension Wrapper {
    /// Wrapper that calls again after a failure that may pass, if doing it twice does no harm.
    ///
    /// *Whether* and *when* are two pure functions, ``RetryCondition`` and ``Backoff``. The last output is returned
    /// whole; what came out of the attempts before is in the events.
    ///
    /// - Unchanged when: the output is no such failure; the method is not idempotent and there is no `Idempotency-Key`; the
    ///   attempts, the time or the budget are used up; or the server asks to wait for too long. The output is then
    ///   returned at once, as it is.
    /// - Order: what is inside is made anew for each attempt (a timestamp, a limit of time for each), what is outside is
    ///   there once. `.redirect` and `.resumeDownloads` stand inside.
    /// - Reports: ``Event/retrying(_:)`` before each wait.
    /// - Fails with: ``ConnectionError/cancelled`` at once when the task is cancelled while it waits.
    /// - State: a budget, its own unless one is given to be shared.
    ///
    /// A receiver gets the head of the response again, and then all of it, or the rest where `.resumeDownloads` stands
    /// inside. A stream (``StreamEndpoint``) of which values were given is not begun anew.
    ///
    /// - Parameters:
    ///   - policy: whether and when.
    ///   - budget: how many calls may be made again; the same for several connectors that call the same service.
    ///   - clock: what the waiting is measured by.
    ///   - random: a random number of any size, for how long to wait.
    ///   - now: the time of day, which says how far away a date is that the server names.
    public static func retry(
        _ policy: RetryPolicy = .standard,
        budget: RetryBudget? = nil,
        clock: some Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) },
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> Wrapper {
        Wrapper(wrapping: { connector in
            let budget = budget ?? RetryBudget(clock: clock)
            let time = clock.timeSinceNow()
            let retrying = Wrapper { input, next in
                let start = time()
                var number = 1
                while true {
                    let output = await next(input)
                    guard policy.condition(input, output) else {
                        if output.isSuccess { budget.deposit() }
                        return output
                    }
                    let attempt = RetryContext(
                        number: number,
                        output: output,
                        elapsed: time() - start,
                        randomBits: random(),
                        now: now()
                    )
                    guard let delay = policy.delay(after: attempt, of: input, timeLeft: next.remainingTime),
                        !next.report.isCancelled, budget.withdraw()
                    else { return output }
                    number += 1
                    next.report(.retrying(RetryAttempt(attempt: number, delay: delay, after: output)))
                    do { try await clock.sleep(for: delay) } catch { return .noResponse(.cancelled) }
                }
            }
            return connector.wrapped(by: retrying)
        })
    }
}

/// Whether and when a call is made again.
public struct RetryPolicy: Sendable {
    /// The calls that are made again.
    public var condition: RetryCondition

    /// The delay before each retry.
    public var backoff: Backoff

    /// Creates a policy.
    public init(condition: RetryCondition = .standard, backoff: Backoff = .standard) {
        self.condition = condition
        self.backoff = backoff
    }

    /// Three attempts in all, of what does no harm twice, with random waits that grow.
    public static let standard = RetryPolicy()

    /// Three attempts in all, with random waits that grow, also of a throttled request of any method: see
    /// ``RetryCondition/standardOrThrottled``.
    public static let standardOrThrottled = RetryPolicy(condition: .standardOrThrottled)

    /// Never retries.
    public static let never = RetryPolicy(backoff: .never)

    /// Once more, after a random wait of at most half a second.
    public static let once = exponential(attempts: 2)

    /// So many attempts in all, with random waits that grow.
    ///
    /// What the parameters mean stands in ``Backoff/exponential(attempts:baseDelay:maxDelay:maxRetryAfter:maxElapsed:)``.
    public static func exponential(
        attempts: Int = Backoff.defaultAttempts,
        baseDelay: Duration = Backoff.defaultBaseDelay,
        maxDelay: Duration = Backoff.defaultMaxDelay,
        maxRetryAfter: Duration = Backoff.defaultMaxRetryAfter,
        maxElapsed: Duration? = Backoff.defaultMaxElapsed,
        condition: RetryCondition = .standard
    ) -> RetryPolicy {
        RetryPolicy(
            condition: condition,
            backoff: .exponential(
                attempts: attempts,
                baseDelay: baseDelay,
                maxDelay: maxDelay,
                maxRetryAfter: maxRetryAfter,
                maxElapsed: maxElapsed
            )
        )
    }

    /// The time to wait before the next attempt, after one that is to be retried; nil if there is none, or no time for it.
    func delay(after attempt: RetryContext, of input: Input, timeLeft: Duration?) -> Duration? {
        guard input.destination.consumer?.mayBeginAnew() ?? true, let delay = backoff(attempt) else { return nil }
        if let timeLeft, delay >= timeLeft { return nil }
        return min(max(delay, .zero), .maximumWait)
    }
}

extension Output {
    /// Whether the service did what it was asked for: 2xx (RFC 9110 15.3), and 304, which is as much as 200 for one who has
    /// the payload already (15.4.5).
    fileprivate var isSuccess: Bool {
        guard case .hasResponse(let response) = self else { return false }
        return response.statusCode.isSuccess || response.statusCode == .notModified
    }
}
