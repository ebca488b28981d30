public import StartSmallCore
public import StartSmallRetry

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
    /// - Events: ``Waiting`` if the call has to wait.
    /// - Errors: ``TooManyCalls`` if the maximum number of calls already waits.
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
        limitConcurrency(
            by: AdaptiveGate(limit),
            TooManyCalls(limit: limit.bounds.upperBound, waiting: waiting),
            maxWaiting: waiting,
            sharedBy: key,
            clock: clock
        ) { input, context in
            { output, duration in
                EndedCall(
                    outcome: CallOutcome(output, in: context) { isFailure(input, output) },
                    // The time of a stream or a download is that of its payload, and of its reader.
                    duration: input.staysInMemory ? duration : .zero
                )
            }
        }
    }
}

/// A limit of concurrent calls that follows what the service can bear: additive increase, multiplicative decrease.
///
/// ```swift
/// .limitConcurrency(.adaptive(in: 1...50))
/// ```
public struct AdaptiveConcurrency: Hashable, Sendable {
    let bounds: ClosedRange<Int>

    let initial: Int
    let slowCall: Duration

    /// From 1, so that one call always tests the service, to 200, as in Netflix's concurrency-limits.
    @usableFromInline static let defaultBounds = 1...200

    /// 20 calls, as in Netflix's concurrency-limits and Palantir's dialogue.
    @usableFromInline static let defaultInitial = 20

    /// 5 seconds, the timeout of Netflix's `AIMDLimit`.
    @usableFromInline static let defaultSlowCall: Duration = .seconds(5)

    /// The largest limit: a number of calls that `Double` counts exactly on all platforms.
    private static let largestLimit = Int(Int32.max)

    /// The factor of a decrease: 0.9, as in Netflix's `AIMDLimit` and Palantir's dialogue.
    static let decrease = 0.9

    /// Returns a limit.
    ///
    /// - Parameters:
    ///   - bounds: the smallest and the largest limit; the smallest is at least 1. 1 to 200 by default.
    ///   - initial: the first limit; 20 by default, or the nearest bound.
    ///   - slowCall: the duration above which a call is a sign of overload; 5 seconds by default.
    public static func adaptive(
        in bounds: ClosedRange<Int> = defaultBounds,
        from initial: Int = defaultInitial,
        slowerThan slowCall: Duration = defaultSlowCall
    ) -> AdaptiveConcurrency {
        let bounds = bounds.clamped(to: 1...largestLimit)
        let initial = min(max(initial, bounds.lowerBound), bounds.upperBound)
        return AdaptiveConcurrency(bounds: bounds, initial: initial, slowCall: slowCall)
    }
}

struct AdaptiveGate: AdmissionGate {
    /// The time without calls after which a limit is forgotten: the load of a service is another one by then.
    private static let retention: Duration = .seconds(600)

    private let policy: AdaptiveConcurrency

    /// The limit, whose whole part counts.
    private(set) var limit: Double
    private(set) var running = 0

    /// The time of the last decrease: a call that began before says nothing about the new limit.
    private var lastDecrease: Duration?
    private var lastEnd: Duration = .zero

    init(_ policy: AdaptiveConcurrency) {
        self.policy = policy
        limit = Double(policy.initial)
    }

    mutating func admit(_ tokens: Int, at now: Duration) -> Bool {
        guard running < Int(limit) else { return false }
        running += 1
        return true
    }

    func start(of tokens: Int, behind others: CallsAhead, at now: Duration) -> Duration? { nil }

    mutating func end(_ call: EndedCall, at now: Duration) {
        // A limit that is not used shows nothing about a larger one.
        let isUsed = 2 * running > Int(limit)
        running -= 1
        lastEnd = now
        switch call.outcome {
        case .unknown: break
        case .success where call.duration <= policy.slowCall:
            if isUsed { limit = min(limit + 1 / limit, Double(policy.bounds.upperBound)) }
        case .success, .failure:
            if let lastDecrease, now - call.duration < lastDecrease { break }
            limit = max(limit * AdaptiveConcurrency.decrease, Double(policy.bounds.lowerBound))
            lastDecrease = now
        }
    }

    func isUnused(at now: Duration) -> Bool {
        running == 0 && (limit == Double(policy.initial) || now - lastEnd >= Self.retention)
    }
}
