public import Foundation

/// When a call is made again: a pure function from an attempt that failed to how long to wait, or nil for never.
///
/// ```swift
/// let everySecond = Backoff { attempt in attempt.number < 10 ? .seconds(1) : nil }
/// ```
public struct Backoff: Sendable {
    private let delay: @Sendable (RetryContext) -> Duration?

    /// Creates a schedule.
    public init(_ delay: @escaping @Sendable (_ attempt: RetryContext) -> Duration?) {
        self.delay = delay
    }

    /// How long to wait before the next attempt; nil if this was the last.
    public func callAsFunction(_ attempt: RetryContext) -> Duration? {
        delay(attempt)
    }

    /// Never again.
    public static let never = Backoff { _ in nil }

    /// ``exponential(attempts:baseDelay:maxDelay:maxRetryAfter:maxElapsed:)`` with its defaults.
    public static let standard = exponential()

    /// Waits for a random time up to a bound that doubles with each attempt.
    ///
    /// The time is anything from nothing to the bound ("full jitter": Exponential Backoff And Jitter, AWS Architecture
    /// Blog, 2015), so that clients that failed together do not come again together. Where the server says how long to
    /// wait (``RetryAfter``), that long is waited, and the random time on top of it, for the same reason.
    ///
    /// - Parameters:
    ///   - attempts: how many in all, the first included.
    ///   - baseDelay: the bound after the first attempt.
    ///   - maxDelay: the largest bound.
    ///   - longestWish: the longest that a server can have us wait; if it asks for more, there is no further attempt.
    ///   - maxElapsed: how long after the start of the first attempt the last may begin; nil for as long as it takes.
    public static func exponential(
        attempts: Int = defaultAttempts,
        baseDelay: Duration = defaultBaseDelay,
        maxDelay: Duration = defaultMaxDelay,
        maxRetryAfter: Duration = defaultMaxRetryAfter,
        maxElapsed: Duration? = defaultMaxElapsed
    ) -> Backoff {
        Backoff { attempt in
            guard attempt.number < attempts else { return nil }
            let wish = attempt.output.answer.flatMap { RetryAfter.delay(of: $0, now: attempt.now) } ?? .zero
            guard wish <= maxRetryAfter else { return nil }
            let delay = wish + bound(after: attempt.number, baseDelay, maxDelay).part(attempt.randomBits)
            if let maxElapsed, attempt.elapsed + delay > maxElapsed { return nil }
            return delay
        }
    }

    /// Three, as the AWS SDKs, Alamofire and http4k have it.
    public static let defaultAttempts = 3

    /// Half a second, as Alamofire has it; a second try often mends what was only a hiccup.
    public static let defaultBaseDelay: Duration = .milliseconds(500)

    /// 20 seconds, as the AWS SDKs have it (AWS SDKs and Tools Reference Guide, Retry behavior).
    public static let defaultMaxDelay: Duration = .seconds(20)

    /// A minute: limits of a number of requests a minute are common, and nobody watches a screen for longer.
    public static let defaultMaxRetryAfter: Duration = .seconds(60)

    /// Two minutes, as Google's clients have it (google.api_core.retry).
    public static let defaultMaxElapsed: Duration = .seconds(120)

    private static func bound(after attempt: Int, _ first: Duration, _ most: Duration) -> Duration {
        let most = min(most, .maximumWait)
        var bound = max(.zero, min(first, most))
        for _ in 1..<max(1, min(attempt, mostDoublings)) where bound < most { bound = min(bound + bound, most) }
        return bound
    }

    /// From a nanosecond to more than a century.
    private static let mostDoublings = 63
}

/// What is known when an attempt has failed: all that a schedule decides by.
public struct RetryContext: Hashable, Sendable {
    /// 1 for the first.
    public var number: Int

    /// What came out of it.
    public var output: Output

    /// The time since the first attempt began.
    public var elapsed: Duration

    /// A random number.
    public var randomBits: UInt64

    /// The time of day, for what servers say in dates.
    public var now: Date

    /// Creates what is known of an attempt.
    public init(number: Int, output: Output, elapsed: Duration = .zero, randomBits: UInt64 = 0, now: Date = Date()) {
        self.number = number
        self.output = output
        self.elapsed = elapsed
        self.randomBits = randomBits
        self.now = now
    }
}

extension Duration {
    /// From nothing for 0 to just less than all for the largest number, in whole nanoseconds; exact, without floating point.
    fileprivate func part(_ randomBits: UInt64) -> Duration {
        let nanoseconds = UInt64(clamping: attoseconds / 1_000_000_000)
        return .nanoseconds(Int64(clamping: nanoseconds.multipliedFullWidth(by: randomBits).high))
    }
}
