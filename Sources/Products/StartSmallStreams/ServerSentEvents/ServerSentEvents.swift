public import StartSmallCore
public import StartSmall
import StartSmallFoundation
public import StartSmallRetry

/// The events of a server over as many connections as necessary, like `EventSource` in browsers (WHATWG HTML 9.2).
///
/// ```swift
/// let prices = ServerSentEvents(.get("https://api.example.com/prices"))
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
/// | an event that is a problem (``failing(with:)``) | ends with that failure; its call fails |
/// | any other status or failure, or a payload that is not `text/event-stream` | ends |
/// | a request that must not be sent twice, such as a POST (``RetryCondition/isSafeToReplay(_:)``) | ends |
///
/// Browsers end at any status but 200; here, transient error statuses are retried like network failures. This type is a
/// value, from which ``stream(via:)`` creates the sequence of events.
public struct ServerSentEvents<Failure: Error, Value: Sendable>: Sendable {
    /// A function that parses a chunk of the payload of one call.
    typealias Reader = @Sendable (Data?) -> [EventStreamParser.Parsed]

    /// The request, or the error for which it could not be built.
    public var input: Either<ConnectionError, Input>

    /// The function that creates the endpoint of one call, whose events a function reads.
    let endpoint: @Sendable (Either<ConnectionError, Input>, @escaping Reader) -> StreamEndpoint<Failure, Value>

    /// The maximum size of an event, in bytes.
    let limit: Int
    let reconnection: Reconnection

    /// Returns the values and the failures among them, as elements.
    public func stream(via connector: Connector = .standard) -> ServerSentEventStream<Failure, Value> {
        ServerSentEventStream(self, via: connector)
    }
}

extension ServerSentEvents {
    /// Creates the events of a request, with the type of the problem that the API reports when it refuses the request.
    ///
    /// - Parameters:
    ///   - input: the request; a `Last-Event-ID` of the request is the position to begin after.
    ///   - problem: the type of the API's error payload.
    ///   - pause: the delay before another call, until the stream requests another delay by `retry`. The default is 3
    ///     seconds, as in Chromium; the standard says "a few" (WHATWG HTML 9.2.2). A negative delay is a mistake, and
    ///     the default is used instead.
    ///   - longestPause: the longest delay that the stream can request; one hour by default, and instead of a negative
    ///     one.
    ///   - policy: whether another call follows, and its delay in addition to that of the stream. Calls are counted
    ///     from 1 after each call that delivered any bytes, if only a comment.
    ///   - limit: the maximum length of an event in bytes, 32 MiB by default; a longer one is a single failed element.
    ///   - ends: returns whether an event ends the sequence; it is not delivered, and no other call follows.
    ///   - clock: the clock that measures the delays.
    ///   - random: generates uniformly random bits, for jitter.
    ///   - now: returns the current time, for responses that request a delay until a date.
    public init<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        problem: Problem.Type,
        after pause: Duration = DefaultLimits.reconnectionPause,
        upTo longestPause: Duration = DefaultLimits.pollingPause,
        reconnecting policy: RetryPolicy = .reconnecting,
        limit: Int = DefaultLimits.eventBytes,
        until ends: @escaping @Sendable (ServerSentEvent) -> Bool = { _ in false },
        clock: some Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) },
        now: @escaping @Sendable () -> Date = { Date() }
    ) where Failure == TransformError<Problem>, Value == ServerSentEvent {
        self.init(
            input: input,
            endpoint: { input, read in
                StreamEndpoint(input, refusing: { $0.eventStreamRejection }, until: ends) { read }
            },
            limit: limit,
            reconnection: Reconnection(policy, after: pause, upTo: longestPause, clock: clock, random: random, now: now)
        )
    }

    /// Creates the events of a request to an API that reports no problems of a type.
    ///
    /// - SeeAlso: ``ServerSentEvents/init(_:problem:after:upTo:reconnecting:limit:until:clock:random:now:)``
    public init(
        _ input: Either<ConnectionError, Input>,
        after pause: Duration = DefaultLimits.reconnectionPause,
        upTo longestPause: Duration = DefaultLimits.pollingPause,
        reconnecting policy: RetryPolicy = .reconnecting,
        limit: Int = DefaultLimits.eventBytes,
        until ends: @escaping @Sendable (ServerSentEvent) -> Bool = { _ in false },
        clock: some Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) },
        now: @escaping @Sendable () -> Date = { Date() }
    ) where Failure == TransformError<Never>, Value == ServerSentEvent {
        self.init(
            input,
            problem: Never.self,
            after: pause,
            upTo: longestPause,
            reconnecting: policy,
            limit: limit,
            until: ends,
            clock: clock,
            random: random,
            now: now
        )
    }
}

/// Changes of the endpoint of each call, as ``StreamEndpoint`` has them.
extension ServerSentEvents {
    /// Returns a copy with another input: `prices.with { $0.headers["Accept-Language"] = "ja" }`.
    public func with(_ change: (inout Input) -> Void) -> ServerSentEvents {
        var changed = self
        changed.input = input.map { $0.with(change) }
        return changed
    }

    /// Returns a copy with options for each of its calls, whose time limits count until the end of a stream.
    ///
    /// A time limit reconnects. A stream without one: `.with(.timeLimit(nil), .attemptTimeLimit(nil))`.
    public func with(_ options: CallOption...) -> ServerSentEvents {
        var changed = self
        changed.input = input.with(options)
        return changed
    }

    /// Returns a copy with converted values, as ``StreamEndpoint/map(_:)`` does.
    public func map<NewValue: Sendable>(
        _ change: @escaping @Sendable (Value) throws -> NewValue
    ) -> ServerSentEvents<Failure, NewValue> {
        changing { $0.map(change) }
    }

    /// Returns a copy with its failures mapped by a function, as ``StreamEndpoint/mapFailure(_:)`` does.
    public func mapFailure<NewFailure: Error>(
        _ change: @escaping @Sendable (Failure) -> NewFailure
    ) -> ServerSentEvents<NewFailure, Value> {
        changing { $0.mapFailure(change) }
    }

    /// Returns a copy that fails at the first value that is a problem, as ``StreamEndpoint/failing(with:)`` does.
    ///
    /// No other call follows.
    ///
    /// - Parameter problem: returns the problem that a value is, or nil if the value is no problem. An error that it
    ///   throws also ends the sequence, with ``TransformError/malformedData(_:debugInfo:)``.
    public func failing<Problem>(
        with problem: @escaping @Sendable (Value) throws -> Problem?
    ) -> ServerSentEvents where Failure == TransformError<Problem> {
        changing { $0.failing(with: problem) }
    }

    private func changing<NewFailure, NewValue>(
        _ change: @escaping @Sendable (StreamEndpoint<Failure, Value>) -> StreamEndpoint<NewFailure, NewValue>
    ) -> ServerSentEvents<NewFailure, NewValue> {
        ServerSentEvents<NewFailure, NewValue>(
            input: input,
            endpoint: { [endpoint] input, read in change(endpoint(input, read)) },
            limit: limit,
            reconnection: reconnection
        )
    }
}

extension ServerSentEvents where Value == ServerSentEvent {
    /// Returns a copy whose values are those of the events, by their types, as ``StreamEndpoint/typed(by:)`` does.
    public func typed<NewValue>(by types: EventTypes<NewValue>) -> ServerSentEvents<Failure, NewValue> {
        changing { $0.typed(by: types) }
    }
}
