public import Foundation

/// The events of a server over as many connections as it takes: what `EventSource` is to browsers (WHATWG HTML 9.2).
///
/// ```swift
/// for await errorOrEvent in ServerSentEvents(.get("https://api.example.com/prices"), via: .app) {
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
/// | any other status or failure, or a payload that is not `text/event-stream` | ends |
/// | a request that must not be sent twice, such as a POST (``RetryCondition/isSafeToReplay(_:)``) | ends |
///
/// Browsers end at any status but 200; here those that say "not now" may pass, as a failure of the network may. The call
/// is made when its first event is asked for, so that nothing goes on when its consumer has stopped; where its task is
/// cancelled, the sequence ends. Each iteration begins anew.
public struct ServerSentEvents<Problem: Decodable & Sendable>: AsyncSequence, Sendable {
    /// An event, or why there is none.
    public typealias Element = Fetched<TransformError<Problem>, ServerSentEvent>

    /// The sequence itself never fails: failures are elements.
    public typealias Failure = Never

    private let input: Either<ConnectionError, Input>
    private let connector: Connector
    private let policy: RetryPolicy
    private let parser: EventStreamParser
    private let pause: @Sendable (_ retry: Duration?) -> Duration
    private let sleep: @Sendable (Duration) async -> Bool
    private let time: @Sendable () -> Duration
    private let random: @Sendable () -> UInt64
    private let now: @Sendable () -> Date

    /// Creates the events of a request, with the problem that the API tells of where it refuses.
    ///
    /// - Parameters:
    ///   - input: what is sent; a `Last-Event-ID` of its own is where to begin.
    ///   - problem: the type of what the API says where it refuses, and `Never` if it is left out.
    ///   - pause: the time before another call, until the stream asks for another by `retry`. One below zero is a mistake,
    ///     and ``StandardLimits/reconnectionPause`` is taken instead.
    ///   - longestPause: the longest time that the stream can ask for; instead of one below zero,
    ///     ``StandardLimits/pollingPause``.
    ///   - policy: whether another call follows, and how long is waited for it beside that time. Calls are counted from 1
    ///     after each that brought anything, be it a comment.
    ///   - limit: the most bytes of an event; one that has more is a failure alone.
    ///   - connector: what is called over.
    ///   - clock: what measures the pauses.
    ///   - random: a random number of any size, for how long to wait.
    ///   - now: the time of day, for responses that ask for a pause until a date.
    public init(
        _ input: Either<ConnectionError, Input>,
        problem: Problem.Type = Never.self,
        after pause: Duration = StandardLimits.reconnectionPause,
        upTo longestPause: Duration = StandardLimits.pollingPause,
        reconnecting policy: RetryPolicy = .reconnecting,
        limit: Int = StandardLimits.eventBytes,
        via connector: Connector = .standard,
        clock: some Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.input = input
        self.connector = connector
        self.policy = policy
        self.random = random
        self.now = now
        parser = EventStreamParser(after: input.right?.headers["Last-Event-ID"], limit: limit)
        let pause = pause < .zero ? StandardLimits.reconnectionPause : pause
        let longestPause = longestPause < .zero ? StandardLimits.pollingPause : longestPause
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

    /// Begins with the first call.
    public func makeAsyncIterator() -> Iterator {
        Iterator(of: self)
    }

    /// The events of one call after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let events: ServerSentEvents
        private var parser: EventStreamParser
        private var connection: EventStreamConnection<Problem>?
        private var hasEnded = false

        /// How many calls have ended since one brought anything, itself included, and when the first of them did.
        private var endings = 0
        private var firstEnding = Duration.zero

        fileprivate init(of events: ServerSentEvents) {
            self.events = events
            parser = events.parser
        }

        /// The next event, or why there is none; nil after the last call, or if the task is cancelled.
        public mutating func next() async -> Element? {
            while !hasEnded, !Task.isCancelled {
                var open = connection ?? events.connection(parser)
                let element = await open.next()
                connection = open
                if let element { return element }
                connection = nil
                hasEnded = await !canGoOn(after: open.course)
            }
            return nil
        }

        /// Waits for the time of another call; false if there is to be none.
        private mutating func canGoOn(after course: EventStreamConnection<Problem>.Course) async -> Bool {
            parser = course.parser.anew
            guard !Task.isCancelled, let output = course.output, events.goOn(after: output) else { return false }
            if course.hasBrought || endings == 0 { (endings, firstEnding) = (0, events.time()) }
            endings += 1
            let pause = events.pause(after: output, endings, since: firstEnding, retry: parser.retry)
            guard let pause else { return false }
            return await events.sleep(pause)
        }
    }

    private func connection(_ parser: EventStreamParser) -> EventStreamConnection<Problem> {
        EventStreamConnection(input, via: connector, parser)
    }

    private func goOn(after output: Output) -> Bool {
        guard let input = input.right else { return false }
        guard output.isOfEvents else { return policy.condition(input, output) }
        // A stream that ended is one whose connection was lost: a policy may only add requests to those that go on.
        return RetryCondition.standard.or(policy.condition)(input, .noResponse(.connectionLost(.streamEnded)))
    }

    private func pause(after output: Output, _ number: Int, since start: Duration, retry: Duration?) -> Duration? {
        let attempt = FailedAttempt(
            number: number,
            // What a stream's head asked for was asked when it began.
            output: output.isOfEvents ? .hasResponse(Response(statusCode: .ok)) : output,
            elapsed: time() - start,
            chance: random(),
            now: now()
        )
        return policy.when(attempt).map { more in
            // Each alone first: the sum of the longest two that there are can't be counted.
            let whole = Swift.min(pause(retry), .longestWait) + Swift.min(Swift.max(more, .zero), .longestWait)
            return Swift.min(whole, .longestWait)
        }
    }
}

extension RetryPolicy {
    /// As often as it takes, for ``ServerSentEvents``: after what may pass, with random waits that grow.
    ///
    /// They grow from a second to half a minute, as LaunchDarkly's EventSource for Swift has it, and come on top of the time
    /// that the stream asks for, so that clients that lost a server together do not come again together. A server that asks
    /// for more than ``StandardLimits/pollingPause`` by ``RetryAfter`` is not asked again.
    public static let reconnecting = RetryPolicy(
        when: .exponential(
            attempts: .max,
            first: .seconds(1),
            most: .seconds(30),
            longestWish: StandardLimits.pollingPause,
            total: nil
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
