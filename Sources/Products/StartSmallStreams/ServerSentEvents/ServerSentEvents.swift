public import StartSmallCore
public import StartSmall
import StartSmallSupport
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
public struct ServerSentEvents<Problem: Decodable & Sendable>: Sendable {
    /// The request, or the error for which it could not be built.
    public var input: Either<ConnectionError, Input>

    let parser: EventStreamParser
    let ends: @Sendable (ServerSentEvent) -> Bool
    private(set) var problem: @Sendable (ServerSentEvent) throws -> Problem? = { _ in nil }
    let sleep: @Sendable (Duration) async -> Bool
    let time: @Sendable () -> Duration
    private let policy: RetryPolicy
    private let pause: @Sendable (_ retry: Duration?) -> Duration
    private let random: @Sendable () -> UInt64
    private let now: @Sendable () -> Date

    /// Creates the events of a request, with the type of the problem that the API reports when it refuses the request.
    ///
    /// - Parameters:
    ///   - input: the request; a `Last-Event-ID` of the request is the position to begin after.
    ///   - problem: the type of the API's error payload, and `Never` if it is omitted.
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
    public init(
        _ input: Either<ConnectionError, Input>,
        problem: Problem.Type = Never.self,
        after pause: Duration = DefaultLimits.reconnectionPause,
        upTo longestPause: Duration = DefaultLimits.pollingPause,
        reconnecting policy: RetryPolicy = .reconnecting,
        limit: Int = DefaultLimits.eventBytes,
        until ends: @escaping @Sendable (ServerSentEvent) -> Bool = { _ in false },
        clock: some Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.input = input
        self.ends = ends
        self.policy = policy
        self.random = random
        self.now = now
        parser = EventStreamParser(after: input.right?.headers["Last-Event-ID"], limit: limit)
        let pause = pause < .zero ? DefaultLimits.reconnectionPause : pause
        let longestPause = longestPause < .zero ? DefaultLimits.pollingPause : longestPause
        self.pause = { retry in retry.map { Swift.min($0, longestPause) } ?? pause }
        sleep = { pause in
            do {
                try await clock.sleep(for: pause)
                return true
            } catch {
                return false
            }
        }
        time = clock.timeSinceNow()
    }

    /// Returns a copy that fails at the first event that is a problem, as ``StreamEndpoint/failing(with:)`` does.
    ///
    /// No other call follows.
    ///
    /// - Parameter problem: returns the problem that an event is, or nil if the event is no problem. An error that it
    ///   throws also ends the sequence, with ``TransformError/malformedData(_:debugInfo:)``.
    public func failing(with problem: @escaping @Sendable (ServerSentEvent) throws -> Problem?) -> ServerSentEvents {
        var failing = self
        failing.problem = { [earlier = self.problem] event in try earlier(event) ?? problem(event) }
        return failing
    }

    /// Returns the events and the failures among them, as elements.
    public func stream(via connector: Connector = .standard) -> ServerSentEventStream<Problem> {
        ServerSentEventStream(self, via: connector)
    }

    func connection(via connector: Connector, _ parser: EventStreamParser) -> EventStreamConnection<Problem> {
        EventStreamConnection(self, via: connector, parser)
    }

    func continues(after output: Output) -> Bool {
        guard let input = input.right else { return false }
        guard output.isOfEvents else { return policy.condition(input, output) }
        // A stream that ended counts as one whose connection was lost: a policy may only allow more requests to
        // continue.
        return RetryCondition.standard.or(policy.condition)(input, .noResponse(.connectionLost(.streamEnded)))
    }

    /// Returns the delay before another call; nil if no call follows.
    func pause(after output: Output, _ number: Int, since start: Duration, retry: Duration?) -> Duration? {
        let attempt = RetryContext(
            number: number,
            // The delay that a stream's head requested was requested when the stream began.
            output: output.isOfEvents ? .hasResponse(Response(statusCode: .ok)) : output,
            elapsed: time() - start,
            randomBits: random(),
            now: now()
        )
        return policy.backoff(attempt).map { more in
            // Each delay is limited first: the sum of the two longest possible delays would overflow.
            let whole = Swift.min(pause(retry), .maximumWait) + Swift.min(Swift.max(more, .zero), .maximumWait)
            return Swift.min(whole, .maximumWait)
        }
    }
}

extension RetryPolicy {
    /// Retries transient failures without a limit of attempts, with growing random delays, for ``ServerSentEvents``.
    ///
    /// The delays grow from one second to half a minute, as in LaunchDarkly's EventSource for Swift, and are added to
    /// the delay that the stream requests, so that clients that lost a server at the same time do not reconnect at the
    /// same time. A server that requests more than one hour by ``RetryAfter`` is not called again.
    public static let reconnecting = RetryPolicy(
        backoff: .exponential(
            attempts: .max,
            baseDelay: .seconds(1),
            maxDelay: .seconds(30),
            maxRetryAfter: DefaultLimits.pollingPause,
            maxElapsed: nil
        )
    )
}

extension Output {
    /// Whether the call returned a stream of events, even an empty one: a stream that ended, and not 204.
    var isOfEvents: Bool {
        guard case .hasResponse(let response) = self, response.statusCode != .noContent else { return false }
        return response.statusCode.isSuccess && response.eventStreamRejection == nil
    }

    /// The output without a body that is still to be read.
    var withoutBody: Output {
        guard case .hasResponse(let response) = self, response.body != nil else { return self }
        return .hasResponse(response.head)
    }
}
