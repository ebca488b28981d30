extension Wrapper {
    /// Ends a call with ``ConnectionError/timedOut(_:)`` when the head of a response takes too long.
    ///
    /// ```swift
    /// let model = Connector.standard.wrapped(by: .timeout(untilHead: .seconds(120)))
    /// ```
    ///
    /// The limit applies to each request that is sent inside, from its start to the head of its response, including
    /// connecting and sending the payload. The payload of the response may take any time after that. Until the head,
    /// the limit replaces the engine's limit between two bytes (``ConnectionOptions/idleTimeout``), whether it is
    /// larger or smaller, so that a slow server needs no option of the engine. After the head, the engine's limit
    /// applies again.
    ///
    /// - Parameters:
    ///   - limit: the maximum duration until the head of a response.
    ///   - clock: the clock that measures the duration.
    /// - Passes through: responses whose head arrives in time.
    /// - Order: any. Each redirect and each attempt of ``retry(_:budget:clock:random:now:)`` has its own limit, whether
    ///   this wrapper is inside or outside of that one. Delays between them do not count. Of two limits, the smaller
    ///   one applies; ``timeout(_:clock:)`` limits the whole call in addition.
    /// - Errors: ``ConnectionError/timedOut(_:)`` with code 5 of the domain `StartSmall`, and
    ///   ``ConnectionError/cancelled`` at once when the task is cancelled.
    /// - State: as ``timeout(_:clock:)``; after the head, no task waits any more.
    public static func timeout(untilHead limit: Duration, clock: some Clock<Duration> = ContinuousClock()) -> Wrapper {
        Wrapper("timeout(untilHead:)") { connector in
            let timeoutRunner = TimeoutRunner(clock: clock)
            return connector.streaming { input, next in
                await timeoutRunner.run(input, next, untilHead: limit)
            }
        }
    }
}
