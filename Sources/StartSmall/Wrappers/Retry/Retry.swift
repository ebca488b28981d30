public import Foundation

extension Wrapper {
    /// Retries a call after a transient failure, if the request is safe to replay.
    ///
    /// Two pure functions decide whether and when to retry: ``RetryCondition`` and ``Backoff``. The last output is
    /// returned whole; the outputs of earlier attempts are in the events.
    ///
    /// With ``Delivery/stream``, a call is retried until the first bytes of the payload have arrived, and never after
    /// that: the head of a response is returned with these bytes, however long the server is silent before.
    ///
    /// - Parameters:
    ///   - policy: the condition and the delays of retries.
    ///   - budget: the budget of retries; pass the same one to several connectors that call the same service.
    ///   - clock: the clock that measures the delays.
    ///   - random: generates uniformly random bits, for jitter.
    ///   - now: returns the current time, to evaluate dates that servers send.
    /// - Passes through: outputs that the policy does not retry; outputs for a method that is not idempotent, without
    ///   an `Idempotency-Key`; outputs after which the attempts, the time or the budget are used up; outputs by which
    ///   the server requests too long a delay; and outputs for a payload that can be produced only once
    ///   (``Payload/isAvailable``). Each is returned at once, unchanged, except that an error for such a payload says
    ///   in its cause why there was no retry.
    /// - Order: inner wrappers run again for each attempt (a timestamp, a time limit for each attempt), outer ones
    ///   once. `.redirect` belongs inside, `.resumeDownloads` outside.
    /// - Events: ``Event/retrying(_:)`` before each delay.
    /// - Errors: ``ConnectionError/cancelled`` at once when the task is cancelled during a delay.
    /// - State: a budget, its own unless a shared one is passed.
    public static func retry(
        _ policy: RetryPolicy = .standard,
        budget: RetryBudget? = nil,
        clock: some Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) },
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> Wrapper {
        Wrapper("retry") { connector in
            let budget = budget ?? RetryBudget(clock: clock)
            let time = clock.timeSinceNow()
            let retrying = Wrapper { input, next in
                let start = time()
                var number = 1
                while true {
                    let output = await next(input).awaitingFirstChunk()
                    guard policy.condition(input, output) else {
                        return output.whenEnded { if $0.isSuccess { budget.deposit() } }
                    }
                    let attempt = RetryContext(
                        number: number,
                        output: output,
                        elapsed: time() - start,
                        randomBits: random(),
                        now: now()
                    )
                    guard let delay = policy.delay(after: attempt, of: input, timeLeft: next.context.remainingTime),
                        !next.context.isCancelled
                    else { return output }
                    if input.methodAndPayload.payload?.isAvailable == false { return output.explainingNoRetry }
                    guard budget.withdraw() else { return output }
                    number += 1
                    // The connection of the attempt is free during the delay, and no event keeps a body.
                    let failed = output.discard()
                    next.report(.retrying(RetryAttempt(attempt: number, delay: delay, after: failed)))
                    do { try await clock.sleep(for: delay) } catch { return .noResponse(.cancelled) }
                }
            }
            return connector.wrapped(by: retrying)
        }
    }
}

/// The condition and the delays of retries.
public struct RetryPolicy: Sendable {
    /// The calls that are retried.
    public var condition: RetryCondition

    /// The delay before each retry.
    public var backoff: Backoff

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - condition: the calls that are retried.
    ///   - backoff: the delay before each retry.
    public init(condition: RetryCondition = .standard, backoff: Backoff = .exponential()) {
        self.condition = condition
        self.backoff = backoff
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

    /// Returns a policy with a maximum number of attempts and growing random delays.
    ///
    /// - Parameters:
    ///   - attempts: the maximum number of attempts, including the first; 3 by default.
    ///   - baseDelay: the bound of the delay after the first attempt; half a second by default.
    ///   - maxDelay: the largest bound; 20 seconds by default.
    ///   - maxRetryAfter: the longest server-requested delay to honour, one minute by default; a longer one ends the
    ///     retries.
    ///   - maxElapsed: the latest start of the last attempt, measured from the start of the first attempt; two minutes
    ///     by default, nil for no limit.
    ///   - condition: the calls that are retried.
    /// - SeeAlso: ``Backoff/exponential(attempts:baseDelay:maxDelay:maxRetryAfter:maxElapsed:)``
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

    /// Returns the delay before the retry of a failed attempt; nil if there is no retry, or no time left for one.
    func delay(after attempt: RetryContext, of input: Input, timeLeft: Duration?) -> Duration? {
        guard let delay = backoff(attempt) else { return nil }
        if let timeLeft, delay >= timeLeft { return nil }
        return min(max(delay, .zero), .maximumWait)
    }
}

extension Output {
    /// The output with an error that says why a payload that can be produced only once is not sent again.
    fileprivate var explainingNoRetry: Output {
        guard case .noResponse(let error) = self else { return self }
        return .noResponse(error.changingCause { $0.text += "; not retried: the payload can be produced only once" })
    }

    /// Whether the service succeeded: 2xx (RFC 9110 15.3), or 304.
    ///
    /// 304 is equivalent to 200 for a client that already has the payload (15.4.5).
    fileprivate var isSuccess: Bool {
        guard case .hasResponse(let response) = self else { return false }
        return response.statusCode.isSuccess || response.statusCode == .notModified
    }
}
