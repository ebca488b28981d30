public import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation

extension Wrapper {
    /// Retries a call after a transient failure, if the request is safe to replay.
    ///
    /// Two pure functions decide whether and when to retry: ``RetryCondition`` and ``Backoff``. A server can decide
    /// whether, by `X-Should-Retry` (``ServerHints``). The last output is returned whole; the outputs of earlier attempts
    /// are in the events.
    ///
    /// ```swift
    /// let app = Connector.standard.wrapped(by: .retry(.exponential(attempts: 3)), .timeout(.seconds(10)))
    /// ```
    ///
    /// With ``Delivery/stream``, the head of a response is returned with the first bytes of the payload, however long
    /// the server is silent before them; after that, there is no retry.
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
    /// - Events: ``Retrying`` before each delay.
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
                let maxAttempts = input.options[Retries.self].map { $0 + 1 }
                let isAttempt = maxAttempts != 1 || input.options[AttemptTimeLimit.self] != nil
                let next = isAttempt ? next.with { $0.isAttempt = true } : next
                let start = time()
                var number = 1
                while true {
                    let output = await next(input).awaitingFirstChunk()
                    guard policy.retries(input, after: output) else {
                        return output.whenEnded { if $0.isSuccess { budget.deposit() } }
                    }
                    let attempt = RetryContext(
                        number: number,
                        output: output,
                        elapsed: time() - start,
                        randomBits: random(),
                        now: now(),
                        maxAttempts: maxAttempts
                    )
                    guard let delay = policy.backoff.delay(after: attempt, timeLeft: next.context.remainingTime),
                        !next.context.isCancelled
                    else { return output }
                    if input.methodAndPayload.payload?.isAvailable == false { return output.explainingNoRetry }
                    guard budget.withdraw() else { return output }
                    number += 1
                    // The connection of the attempt is free during the delay, and no event keeps a body.
                    let failed = output.discard()
                    next.report(Retrying(attempt: number, delay: delay, after: failed))
                    do { try await clock.sleep(for: delay) } catch { return .noResponse(.cancelled) }
                }
            }
            return connector.wrapped(by: retrying)
        }
    }
}

extension Wrapper {
    /// Retries a call after a transient failure, with growing random delays.
    ///
    /// - Parameter attempts: the maximum number of attempts, including the first.
    /// - SeeAlso: ``retry(_:budget:clock:random:now:)``
    public static func retry(attempts: Int) -> Wrapper { retry(.exponential(attempts: attempts)) }
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
