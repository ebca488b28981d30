// Functions that deliver streams, polls and pages over `Connector.standard`: the overloads without `via:`.

public import StartSmall
public import StartSmallCore
import StartSmallFoundation

extension StreamEndpoint {
    /// Returns a stream of the values and failures of one call over ``Connector/standard``.
    public func stream() -> ResponseStream<Problem, Value> { stream(via: .standard) }

    /// Returns a stream of the values of one call over ``Connector/standard``; a failure is thrown.
    public func values() -> ThrowingResponseStream<Problem, Value> { values(via: .standard) }
}

extension ServerSentEvents {
    /// Returns a stream of the events and failures over ``Connector/standard``.
    public func stream() -> ServerSentEventStream<Problem> { stream(via: .standard) }
}

extension Polling {
    /// Creates a sequence of calls over ``Connector/standard``.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint to call.
    ///   - interval: the time from the end of a call to the start of the next.
    ///   - longestPause: the longest pause that a response can ask for; one hour by default.
    ///   - continues: whether another call follows after a result; by default, after a value and a network failure.
    ///   - clock: the clock of the pauses.
    ///   - now: the current date, for responses that ask for a pause until a date.
    public init(
        _ endpoint: Endpoint<Reason, Value>,
        every interval: Duration,
        upTo longestPause: Duration = DefaultLimits.pollingPause,
        while continues: @escaping @Sendable (Fetched<Reason, Value>) -> Bool = continues,
        clock: some Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(
            endpoint,
            every: interval,
            upTo: longestPause,
            while: continues,
            via: .standard,
            clock: clock,
            now: now
        )
    }
}

extension Endpoint {
    /// Returns the pages that begin with this endpoint, each fetched over ``Connector/standard`` when it is requested.
    ///
    /// - Parameters:
    ///   - strategy: finds the next page after each one.
    ///   - limit: the maximum number of pages; 1,000 by default.
    ///   - origins: other origins from which pages may be fetched.
    public func pages(
        by strategy: PaginationStrategy<Value>,
        limit: Int = DefaultLimits.pages,
        alsoAt origins: Set<Origin> = []
    ) -> Pages<Failure, Value> {
        pages(by: strategy, limit: limit, alsoAt: origins, via: .standard)
    }
}
