import StartSmallCore
import StartSmallSupport
import StartSmallFoundation
public import StartSmallRetry

/// The decision whether ``ServerSentEvents`` call again, and when.
struct Reconnection: Sendable {
    let sleep: @Sendable (Duration) async -> Bool
    let time: @Sendable () -> Duration
    private let policy: RetryPolicy
    private let pause: @Sendable (_ retry: Duration?) -> Duration
    private let random: @Sendable () -> UInt64
    private let now: @Sendable () -> Date

    init(
        _ policy: RetryPolicy,
        after pause: Duration,
        upTo longestPause: Duration,
        clock: some Clock<Duration>,
        random: @escaping @Sendable () -> UInt64,
        now: @escaping @Sendable () -> Date
    ) {
        self.policy = policy
        self.random = random
        self.now = now
        let pause = pause < .zero ? DefaultLimits.reconnectionPause : pause
        let longestPause = longestPause < .zero ? DefaultLimits.pollingPause : longestPause
        self.pause = { retry in retry.map { Swift.min($0, longestPause) } ?? pause }
        sleep = { (try? await clock.sleep(for: $0)) != nil }
        time = clock.timeSinceNow()
    }

    /// Returns whether another call may follow the output of a request.
    func continues(after output: Output, of input: Either<ConnectionError, Input>) -> Bool {
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
