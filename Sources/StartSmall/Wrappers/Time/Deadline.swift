extension Wrapper {
    /// Wrapper that ends each call with ``ConnectionError/timedOut(_:)`` at a point in time.
    ///
    /// Where ``timeout(_:clock:)`` gives each call as much time, this gives many calls one end: all that a screen needs,
    /// or all pages of a list. A call that begins after that is not made.
    ///
    /// - Unchanged when: there is an output in time.
    /// - Order: outside of what shall share the time: waiting, trying again, refreshing. Everything inside can ask for it
    ///   by ``Next/remainingTime``.
    /// - Fails with: ``ConnectionError/timedOut(_:)``, and ``ConnectionError/cancelled`` at once when the task is cancelled.
    /// - State: as ``timeout(_:clock:)``.
    public static func deadline<C: Clock<Duration>>(_ end: C.Instant, clock: C = ContinuousClock()) -> Wrapper {
        Wrapper(wrapping: { connector in
            let race = TimeoutRunner(clock: clock)
            return connector.wrapped(
                by: Wrapper { input, next in await race.run(input, next, for: clock.now.duration(to: end)) }
            )
        })
    }
}
