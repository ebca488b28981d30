extension Wrapper {
    /// Wrapper that ends the call with ``ConnectionError/timedOut(_:)`` when it takes longer than allowed.
    ///
    /// The whole of what is inside counts: waiting, redirects, further tries, and the last byte of the payload. It ends
    /// on time even if what is inside does not: that is cancelled and let go, and no part of a payload that it still
    /// brings goes anywhere. It begins on the thread of the call: only what blocks that thread instead of waiting, which no
    /// asynchronous function may do, is waited for. On Apple platforms before version 26, it begins on another thread.
    ///
    /// - Unchanged when: there is an output in time.
    /// - Order: outside of ``retry(_:budget:clock:random:now:)`` it limits all tries together, inside each of them. A limit
    ///   within another is the smaller of the two, as ``Next/remainingTime`` says.
    /// - Fails with: ``ConnectionError/timedOut(_:)``, and ``ConnectionError/cancelled`` at once when the task is cancelled.
    /// - State: one sleeping task for all calls of the connector, which ends when none of them waits any more, or within
    ///   a second after that.
    public static func timeout(_ limit: Duration, clock: some Clock<Duration> = ContinuousClock()) -> Wrapper {
        Wrapper(wrapping: { connector in
            let race = TimeoutRunner(clock: clock)
            return connector.wrapped(by: Wrapper { input, next in await race.run(input, next, for: limit) })
        })
    }
}
