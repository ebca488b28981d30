public import StartSmall

/// The budget of second requests, so that an outage is not doubled.
public struct HedgeBudget: Sendable {
    /// The number of second requests that a hundred successful calls allow: 10.
    ///
    /// A delay at the 95th percentile needs 5 (Dean and Barroso, The Tail at Scale, 2013); the rest is for a moment in
    /// which the service slows down.
    @usableFromInline static let defaultPercent = 10

    /// The number of second requests that each second allows in addition: 1, so that an app with few calls gets any.
    @usableFromInline static let defaultFreePerSecond = 1

    let withdraw: @Sendable () -> Bool

    /// The function that records a successful call.
    let deposit: @Sendable () -> Void

    /// Returns a budget of second requests alone.
    ///
    /// Copies are one budget: pass the same one to several connectors that call the same service.
    ///
    /// - Parameters:
    ///   - percent: the number of second requests that a hundred successful calls allow; 10 by default.
    ///   - freePerSecond: the number that each second allows in addition; 1 by default.
    ///   - clock: the clock that measures the seconds.
    public static func share(
        percent: Int = defaultPercent,
        freePerSecond: Int = defaultFreePerSecond,
        clock: some Clock<Duration> = ContinuousClock()
    ) -> HedgeBudget {
        let budget = RetryBudget(freePerSecond: freePerSecond, percent: percent, clock: clock)
        return HedgeBudget(withdraw: { budget.withdraw() }, deposit: { budget.deposit() })
    }

    /// Returns the budget that `.retry` uses, for retries and second requests together.
    ///
    /// Only `.retry` records the successful calls, so that each counts once.
    ///
    /// - Parameter budget: the budget that is also passed to `.retry`.
    public static func shared(with budget: RetryBudget) -> HedgeBudget {
        HedgeBudget(withdraw: { budget.withdraw() }, deposit: {})
    }
}
