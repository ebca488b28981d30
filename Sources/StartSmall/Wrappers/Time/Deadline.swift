extension Wrapper {
    /// Ends each call with ``ConnectionError/timedOut(_:)`` at a point in time.
    ///
    /// ``timeout(_:clock:)`` gives each call the same amount of time; a deadline gives many calls a common end: all
    /// calls of a screen, or all pages of a list. A call that begins after the deadline is not made. An open
    /// ``Response/body`` ends at the deadline as well, whether it is being read or not.
    ///
    /// - Parameters:
    ///   - end: the point in time at which calls end.
    ///   - clock: the clock of that point in time.
    /// - Passes through: calls that return an output in time.
    /// - Order: outside of wrappers that share the time: waiting, retrying, refreshing. Every inner wrapper can read
    ///   the time left from ``CallContext/remainingTime``.
    /// - Errors: ``ConnectionError/timedOut(_:)``, and ``ConnectionError/cancelled`` at once when the task is
    ///   cancelled.
    /// - State: as ``timeout(_:clock:)``.
    public static func deadline<C: Clock<Duration>>(_ end: C.Instant, clock: C = ContinuousClock()) -> Wrapper {
        Wrapper("deadline") { connector in
            let timeoutRunner = TimeoutRunner(clock: clock)
            return connector.wrapped(
                by: Wrapper { input, next in
                    await timeoutRunner.run(input, next, for: clock.now.duration(to: end), .deadline)
                }
            )
        }
    }
}
