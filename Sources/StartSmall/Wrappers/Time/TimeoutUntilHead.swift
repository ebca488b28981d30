extension Wrapper {
    /// Ends a call with ``ConnectionError/timedOut(_:)`` when the head of a response takes too long.
    ///
    /// ```swift
    /// let model = Connector.standard.wrapped(by: .timeout(untilHead: .seconds(120)))
    /// ```
    ///
    /// The limit is for each request that is sent inside, from its start to the head of its response, connecting and
    /// sending a payload included; the payload of the response may take any time after that. It replaces the engine's
    /// limit between two bytes (``ConnectionOptions/idleTimeout``) until the head, be it larger or smaller, so that a
    /// server that thinks for long needs no option of the engine. From the head on, the engine's limit counts again.
    ///
    /// - Unchanged when: the head is there in time.
    /// - Order: any. Each redirect and each attempt of ``retry(_:budget:clock:random:now:)`` has a limit of its own,
    ///   inside of that as well as outside. What waits between them does not count. Of two limits, the smaller counts;
    ///   ``timeout(_:clock:)`` limits the whole besides.
    /// - Fails with: ``ConnectionError/timedOut(_:)`` with the code 5 of the domain `StartSmall`, and
    ///   ``ConnectionError/cancelled`` at once when the task is cancelled.
    /// - State: as ``timeout(_:clock:)``; with the head, nothing waits any more.
    public static func timeout(untilHead limit: Duration, clock: some Clock<Duration> = ContinuousClock()) -> Wrapper {
        Wrapper(wrapping: { connector in
            let race = TimeoutRunner(clock: clock)
            let headLimit = HeadLimit(limit: limit) { input, next in await race.run(input, next, untilHead: limit) }
            return connector.wrapped(
                by: Wrapper { input, next in
                    await Next(step: next.step, report: next.report.limitedUntilHead(headLimit))(input)
                }
            )
        })
    }
}
