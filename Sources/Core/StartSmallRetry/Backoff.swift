public import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation
import StartSmallHeaders

/// The delays between retries: a pure function from a failed attempt to the next delay, or to nil to stop.
///
/// ```swift
/// let everySecond = Backoff { attempt in attempt.number < 10 ? .seconds(1) : nil }
/// ```
public struct Backoff: Sendable {
    private let delay: @Sendable (RetryContext) -> Duration?

    /// Creates a backoff.
    ///
    /// - Parameter delay: returns the delay before the next attempt; nil if there is no next attempt.
    public init(_ delay: @escaping @Sendable (_ attempt: RetryContext) -> Duration?) {
        self.delay = delay
    }

    /// Returns the delay before the next attempt; nil if there is no next attempt.
    public func callAsFunction(_ attempt: RetryContext) -> Duration? {
        delay(attempt)
    }

    /// Returns the delay before the next attempt, bounded; nil if there is no next attempt, or no time left for it.
    package func delay(after attempt: RetryContext, timeLeft: Duration?) -> Duration? {
        if let most = attempt.maxAttempts, attempt.number >= most { return nil }
        guard let delay = delay(attempt) else { return nil }
        if let timeLeft, delay >= timeLeft { return nil }
        return min(max(delay, .zero), .maximumWait)
    }

    /// Returns a backoff of random delays up to a bound that doubles with each attempt.
    ///
    /// The delay is anything from zero to the bound ("full jitter": Exponential Backoff And Jitter, AWS Architecture
    /// Blog, 2015), so that clients that failed at the same time do not retry at the same time. If the server requests
    /// a delay (``RetryAfter``), the random delay is added to the requested one, for the same reason.
    ///
    /// - Parameters:
    ///   - attempts: the maximum number of attempts, including the first; 3 by default.
    ///   - baseDelay: the bound after the first attempt; half a second by default.
    ///   - maxDelay: the largest bound; 20 seconds by default.
    ///   - maxRetryAfter: the longest server-requested delay to honour, one minute by default; a longer one ends the
    ///     retries.
    ///   - maxElapsed: the latest start of the last attempt, measured from the start of the first attempt; two minutes
    ///     by default, nil for no limit.
    public static func exponential(
        attempts: Int = defaultAttempts,
        baseDelay: Duration = defaultBaseDelay,
        maxDelay: Duration = defaultMaxDelay,
        maxRetryAfter: Duration = defaultMaxRetryAfter,
        maxElapsed: Duration? = defaultMaxElapsed
    ) -> Backoff {
        Backoff { attempt in
            guard attempt.number < attempt.maxAttempts ?? attempts else { return nil }
            let requested = attempt.output.response.flatMap { RetryAfter.delay(of: $0, now: attempt.now) } ?? .zero
            guard requested <= maxRetryAfter else { return nil }
            let delay = requested + bound(after: attempt.number, baseDelay, maxDelay).part(attempt.randomBits)
            if let maxElapsed, attempt.elapsed + delay > maxElapsed { return nil }
            return delay
        }
    }

    /// The default number of attempts: 3, as in the AWS SDKs, Alamofire and http4k.
    @usableFromInline static let defaultAttempts = 3

    /// The default bound after the first attempt: half a second, as in Alamofire.
    ///
    /// A second attempt often succeeds after a brief failure.
    @usableFromInline static let defaultBaseDelay: Duration = .milliseconds(500)

    /// The default largest bound: 20 seconds, as in the AWS SDKs (AWS SDKs and Tools Reference Guide, Retry behavior).
    @usableFromInline static let defaultMaxDelay: Duration = .seconds(20)

    /// The default longest server-requested delay: one minute.
    ///
    /// Rate limits per minute are common, and no user watches a screen for longer.
    @usableFromInline static let defaultMaxRetryAfter: Duration = .seconds(60)

    /// The default time limit for retries: two minutes, as in Google's clients (google.api_core.retry).
    @usableFromInline static let defaultMaxElapsed: Duration = .seconds(120)

    private static func bound(after attempt: Int, _ first: Duration, _ most: Duration) -> Duration {
        let most = min(most, .maximumWait)
        var bound = max(.zero, min(first, most))
        for _ in 1..<max(1, min(attempt, mostDoublings)) where bound < most { bound = min(bound + bound, most) }
        return bound
    }

    /// The number of doublings from a nanosecond to more than a century.
    private static let mostDoublings = 63
}

/// The facts about a failed attempt by which a ``Backoff`` decides.
public struct RetryContext: Equatable, Sendable {
    /// The number of the attempt, from 1.
    public var number: Int

    /// The output of the attempt.
    public var output: Output

    /// The time since the first attempt began.
    public var elapsed: Duration

    /// Uniformly random bits, for jitter.
    public var randomBits: UInt64

    /// The current time, to evaluate dates that servers send.
    public var now: Date

    /// The maximum number of attempts that the caller has chosen (`CallOption.retries(_:)`); nil for that of the policy.
    public var maxAttempts: Int?

    /// Creates the context of a failed attempt.
    public init(
        number: Int,
        output: Output,
        elapsed: Duration = .zero,
        randomBits: UInt64 = 0,
        now: Date = Date(),
        maxAttempts: Int? = nil
    ) {
        self.number = number
        self.output = output
        self.elapsed = elapsed
        self.randomBits = randomBits
        self.now = now
        self.maxAttempts = maxAttempts
    }
}

extension Duration {
    /// Returns a fraction of the duration, in whole nanoseconds.
    ///
    /// The fraction is zero for 0, and just less than all for the largest number. The computation is exact, without
    /// floating point.
    fileprivate func part(_ randomBits: UInt64) -> Duration {
        let nanoseconds = UInt64(clamping: attoseconds / 1_000_000_000)
        return .nanoseconds(Int64(clamping: nanoseconds.multipliedFullWidth(by: randomBits).high))
    }
}
