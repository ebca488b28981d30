public import Foundation

/// The events of a server over as many connections as it takes: what `EventSource` is to browsers (WHATWG HTML 9.2).
///
/// ```swift
/// let prices = ServerSentEvents(.get("https://api.example.com/prices"))
/// for await errorOrEvent in prices.stream(via: .app) {
///     print(errorOrEvent.right?.data ?? "…")
/// }
/// ```
///
/// Where a stream ends or breaks, it is called again after the time that its `retry` asked for, and asked to go on behind
/// the last event by `Last-Event-ID`. Each failure is an element; the last one is what no other call would mend.
///
/// | After | it |
/// | --- | --- |
/// | a stream that ended | connects again |
/// | a failure that may pass (``RetryCondition/isTransient(_:)``), such as a lost connection, or 503 | connects again |
/// | 204, by which a server says that it is enough | ends, without an element |
/// | an event for which `until` is true | ends, without that element; its call succeeds |
/// | an event that is a problem (``failing(with:)``) | ends with that failure; its call fails |
/// | any other status or failure, or a payload that is not `text/event-stream` | ends |
/// | a request that must not be sent twice, such as a POST (``RetryCondition/isSafeToReplay(_:)``) | ends |
///
/// Browsers end at any status but 200; here those that say "not now" may pass, as a failure of the network may. It is a
/// value, of which ``stream(via:)`` makes the sequence of events.
public struct ServerSentEvents<Problem: Decodable & Sendable>: Sendable {
    /// The request, or why it could not be built.
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

    /// Creates the events of a request, with the problem that the API tells of where it refuses.
    ///
    /// - Parameters:
    ///   - input: what is sent; a `Last-Event-ID` of its own is where to begin.
    ///   - problem: the type of what the API says where it refuses, and `Never` if it is left out.
    ///   - pause: the time before another call, until the stream asks for another by `retry`. One below zero is a mistake,
    ///     and ``DefaultLimits/reconnectionPause`` is taken instead.
    ///   - longestPause: the longest time that the stream can ask for; instead of one below zero,
    ///     ``DefaultLimits/pollingPause``.
    ///   - policy: whether another call follows, and how long is waited for it beside that time. Calls are counted from 1
    ///     after each that brought anything, be it a comment.
    ///   - limit: the most bytes of an event; one that has more is a failure alone.
    ///   - ends: whether an event ends all; it is not delivered, and no other call follows.
    ///   - clock: what measures the pauses.
    ///   - random: a random number of any size, for how long to wait.
    ///   - now: the time of day, for responses that ask for a pause until a date.
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

    /// Fails at the first event that is a problem, as ``StreamEndpoint/failing(with:)`` does; no other call follows.
    ///
    /// - Parameter problem: the problem that an event is; nil if it is none. What it throws ends the events, too, with
    ///   ``TransformError/malformedData(_:debugInfo:)``.
    public func failing(with problem: @escaping @Sendable (ServerSentEvent) throws -> Problem?) -> ServerSentEvents {
        var failing = self
        failing.problem = { [earlier = self.problem] event in try earlier(event) ?? problem(event) }
        return failing
    }

    /// The events and the failures among them, as elements.
    public func stream(via connector: Connector) -> ServerSentEventStream<Problem> {
        ServerSentEventStream(self, via: connector)
    }

    /// A call that goes on where the parser is.
    func connection(via connector: Connector, _ parser: EventStreamParser) -> EventStreamConnection<Problem> {
        EventStreamConnection(self, via: connector, parser)
    }

    /// Whether another call follows on what came of one.
    func goesOn(after output: Output) -> Bool {
        guard let input = input.right else { return false }
        guard output.isOfEvents else { return policy.condition(input, output) }
        // A stream that ended is one whose connection was lost: a policy may only add requests to those that go on.
        return RetryCondition.standard.or(policy.condition)(input, .noResponse(.connectionLost(.streamEnded)))
    }

    /// The time before another call; nil if there is to be none.
    func pause(after output: Output, _ number: Int, since start: Duration, retry: Duration?) -> Duration? {
        let attempt = RetryContext(
            number: number,
            // What a stream's head asked for was asked when it began.
            output: output.isOfEvents ? .hasResponse(Response(statusCode: .ok)) : output,
            elapsed: time() - start,
            randomBits: random(),
            now: now()
        )
        return policy.backoff(attempt).map { more in
            // Each alone first: the sum of the longest two that there are can't be counted.
            let whole = Swift.min(pause(retry), .maximumWait) + Swift.min(Swift.max(more, .zero), .maximumWait)
            return Swift.min(whole, .maximumWait)
        }
    }
}

extension RetryPolicy {
    /// As often as it takes, for ``ServerSentEvents``: after what may pass, with random waits that grow.
    ///
    /// They grow from a second to half a minute, as LaunchDarkly's EventSource for Swift has it, and come on top of the time
    /// that the stream asks for, so that clients that lost a server together do not come again together. A server that asks
    /// for more than ``DefaultLimits/pollingPause`` by ``RetryAfter`` is not asked again.
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
    /// Whether events came of the call, however many: a stream that ended, and not 204.
    fileprivate var isOfEvents: Bool {
        guard case .hasResponse(let response) = self, response.statusCode != .noContent else { return false }
        return response.statusCode.isSuccess && response.objectionToEvents == nil
    }
}
