public import StartSmall

extension Wrapper {
    /// The default number of waiting calls: 1,000, so that waiting calls never fill the memory.
    @usableFromInline static let defaultAdaptiveWaiting = 1_000

    /// Limits the number of calls that run at once to what the service can bear; further calls wait in order.
    ///
    /// ```swift
    /// let app = Connector.standard.wrapped(by: .retry(), .limitConcurrency(.adaptive()))
    /// ```
    ///
    /// | end of a call | limit |
    /// | --- | --- |
    /// | success in time, while more than half of the limit is used | increases by 1 for as many calls as the limit |
    /// | failure, or slower than ``AdaptiveConcurrency/adaptive(in:from:slowerThan:)`` allows | decreases by a tenth |
    /// | cancelled, or never sent | stays |
    ///
    /// The duration counts for payloads in memory only: that of a stream depends on its reader.
    ///
    /// The calls that ran at the time of a decrease cause no further one. A cancelled call that waits gives up its
    /// place; a running call keeps its permit until the inner connector has returned, or until the end of a stream's
    /// body, so the limit is never exceeded.
    ///
    /// - Parameters:
    ///   - limit: the bounds of the limit, and the signs of overload.
    ///   - waiting: the maximum number of waiting calls of one key; 1,000 by default.
    ///   - key: the calls that share the limit; those to one origin by default.
    ///   - isFailure: whether the output of a call is a sign of overload; by default a transient failure, such as 429
    ///     and 503, as `RetryCondition.isTransient` decides.
    ///   - clock: the clock that measures the calls.
    /// - Passes through: calls that start while fewer calls run than the limit allows.
    /// - Order: that of `.limitConcurrency` with a number: inside of `.retry` and `.refreshToken`;
    ///   outside of `.circuitBreaker`.
    /// - Events: `Event.waiting(behind:)` if the call has to wait.
    /// - Errors: `ConnectionError.tooManyCalls(limit:waiting:)` if the maximum number of calls already waits.
    /// - State: the limits, and the running and waiting calls, created once per wrap.
    public static func limitConcurrency(
        _ limit: AdaptiveConcurrency,
        waiting: Int = defaultAdaptiveWaiting,
        sharedBy key: CallKey = .origin,
        countingAsFailure isFailure: @escaping @Sendable (_ input: Input, _ output: Output) -> Bool = {
            RetryCondition.isTransient($1)
        },
        clock: some Clock<Duration> = ContinuousClock()
    ) -> Wrapper {
        Wrapper("limitConcurrency") { connector in
            let control = AdmissionControl(AdaptiveGate(limit), maxWaiting: waiting, clock: clock)
            let limiting = Wrapper { input, next in
                if next.context.isDryRun { return await next(input) }
                let key = key(input)
                var permit = control.admitAtOnce(key)
                if permit == nil {
                    switch await control.admission(to: key, maxWait: .maximum, next) {
                    case .admitted(let admitted): permit = admitted
                    case .cancelled: return .noResponse(.cancelled)
                    case .refused: return .noResponse(.tooManyCalls(limit: limit.bounds.upperBound, waiting: waiting))
                    }
                }
                let start = permit?.start
                return await next(input).whenEnded { ended in
                    let (now, remainingTime) = (control.time(), next.context.remainingTime)
                    let outcome = CallOutcome(ended, remainingTime: remainingTime) { isFailure(input, ended) }
                    var call = EndedCall(outcome: outcome)
                    // The time of a stream or a download is that of its payload, and of its reader.
                    if input.staysInMemory { call.duration = start.map { now - $0 } ?? .zero }
                    control.end(call, of: key, at: now)
                }
            }
            return connector.wrapped(by: limiting)
        }
    }
}
