public import StartSmallCore
public import StartSmall
import StartSmallFoundation
public import StartSmallRetry

/// The values of an event stream over as many connections as necessary, like `EventSource` in browsers (WHATWG HTML 9.2).
///
/// ```swift
/// let prices = Endpoint.events(.get("https://api.example.com/prices")).reconnecting()
/// for await errorOrEvent in prices.stream(via: .app) {
///     print(errorOrEvent.right?.data ?? "…")
/// }
/// ```
///
/// When a stream ends or is interrupted, it is requested again after the delay that its `retry` field requested. The
/// new request asks the server by `Last-Event-ID` to continue after the last event. Each failure is an element; the
/// last one is a failure that no further call would fix.
///
/// | After | the sequence |
/// | --- | --- |
/// | a stream that ended | connects again |
/// | a transient failure (``RetryCondition/isTransient(_:)``), such as a lost connection, or 503 | connects again |
/// | 204, by which a server ends the events | ends, without an element |
/// | an event for which `until` is true | ends, without that element; its call succeeds |
/// | an event that is a problem (``StreamEndpoint/failing(with:)``) | ends with that failure; its call fails |
/// | any other status or failure, or a payload that is not `text/event-stream` | ends |
/// | a request that must not be sent twice, such as a POST (``RetryCondition/isSafeToReplay(_:)``) | ends |
/// | any call of an endpoint that is not of `Endpoint.events` | ends: it could only begin anew |
///
/// Browsers end at any status but 200; here, transient error statuses are retried like network failures. This type is a
/// value, from which ``stream(via:)`` creates the sequence of events.
public struct ServerSentEvents<Failure: Error, Value: Sendable>: Sendable {
    /// The endpoint of each call.
    public var endpoint: StreamEndpoint<Failure, Value>

    let reconnection: Reconnection

    /// Returns a copy with another input of each call: `prices.with { $0.headers["Accept-Language"] = "ja" }`.
    public func with(_ change: (inout Input) -> Void) -> ServerSentEvents {
        ServerSentEvents(endpoint: endpoint.with(change), reconnection: reconnection)
    }

    /// Returns a copy with options for each call, whose time limits count until the end of a stream.
    ///
    /// A time limit reconnects. A stream without one: `.with(.timeLimit(nil), .attemptTimeLimit(nil))`.
    public func with(_ options: CallOption...) -> ServerSentEvents {
        var changed = self
        changed.endpoint.input = endpoint.input.with(options)
        return changed
    }

    /// Returns the values and the failures among them, as elements.
    public func stream(via connector: Connector = .standard) -> ServerSentEventStream<Failure, Value> {
        ServerSentEventStream(self, via: connector)
    }
}

extension StreamEndpoint {
    /// Returns the values of this endpoint of events over as many connections as necessary.
    ///
    /// This function is the last one, after those that change the endpoint of each call:
    ///
    /// ```swift
    /// let changes = Endpoint.events(.get("https://api.example.com/changes"), problem: APIProblem.self)
    ///     .typed(by: types)
    ///     .with(.timeLimit(nil), .attemptTimeLimit(nil))
    ///     .reconnecting()
    /// ```
    ///
    /// A `Last-Event-ID` of the request is the position to begin after. A time limit of a call reconnects. Only
    /// `Endpoint.events` has positions: an endpoint of chunks or lines is called once, since it could only begin anew.
    ///
    /// - Parameters:
    ///   - policy: whether another call follows, and its delay in addition to that of the stream. Calls are counted
    ///     from 1 after each call that delivered any bytes, if only a comment.
    ///   - pause: the delay before another call, until the stream requests another delay by `retry`. The default is 3
    ///     seconds, as in Chromium; the standard says "a few" (WHATWG HTML 9.2.2). A negative delay is a mistake, and
    ///     the default is used instead.
    ///   - longestPause: the longest delay that the stream can request; one hour by default, and instead of a negative
    ///     one.
    ///   - clock: the clock that measures the delays.
    ///   - random: generates uniformly random bits, for jitter.
    ///   - now: returns the current time, for responses that request a delay until a date.
    public func reconnecting(
        _ policy: RetryPolicy = .reconnecting,
        after pause: Duration = DefaultLimits.reconnectionPause,
        upTo longestPause: Duration = DefaultLimits.pollingPause,
        clock: some Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) },
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> ServerSentEvents<Failure, Value> {
        ServerSentEvents(
            endpoint: self,
            reconnection: Reconnection(policy, after: pause, upTo: longestPause, clock: clock, random: random, now: now)
        )
    }
}
