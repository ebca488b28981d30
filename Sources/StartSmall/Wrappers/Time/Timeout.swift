extension Wrapper {
    /// Ends a call with ``ConnectionError/timedOut(_:)`` when the call takes longer than a limit.
    ///
    /// The limit includes everything inside: waiting, redirects, retries, and the last byte of the payload. The call
    /// ends on time even if the inner call does not: the inner call is cancelled and abandoned, and its late output and
    /// the payload parts that it still delivers are discarded. An open ``Response/body`` ends on time as well, whether
    /// it is being read or not. The inner call begins on the thread of the call: only code that blocks that thread
    /// instead of suspending, which no asynchronous function may do, delays the end. On Apple platforms before version
    /// 26, the inner call begins on another thread. A call may be silent for the whole limit: the idle timeout of the
    /// engine is longer, unless it was set (``ConnectionOptions/idleTimeout``).
    ///
    /// - Parameters:
    ///   - limit: the maximum duration of a call.
    ///   - clock: the clock that measures the duration.
    /// - Passes through: calls that return an output in time.
    /// - Order: outside of ``retry(_:budget:clock:random:now:)``, one limit for all attempts together; inside, a limit
    ///   for each attempt. Of nested limits, the smaller one applies, as ``CallContext/remainingTime`` shows.
    /// - Errors: ``ConnectionError/timedOut(_:)``, and ``ConnectionError/cancelled`` at once when the task is
    ///   cancelled.
    /// - State: one sleeping task for all calls of the connector, which ends when no call waits any more, or within a
    ///   second after that.
    public static func timeout(_ limit: Duration, clock: some Clock<Duration> = ContinuousClock()) -> Wrapper {
        Wrapper("timeout") { connector in
            let timeoutRunner = TimeoutRunner(clock: clock)
            return connector.wrapped(
                by: Wrapper { input, next in await timeoutRunner.run(input, next, for: limit, .duration(limit)) }
            )
        }
    }
}
