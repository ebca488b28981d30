import StartSmallSupport
public import StartSmallFoundation

/// A limit of requests, as a server reports it with a response: how many are left, and for how long.
///
/// | fields | source |
/// | --- | --- |
/// | `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset` | GitLab |
/// | `X-RateLimit-Limit`, `-Remaining`, `-Reset`, `-Reset-After` | GitHub, Discord and others |
/// | `X-Rate-Limit-Limit`, `-Remaining`, `-Reset` | X |
/// | `Rate-Limit`, `Rate-Remaining`, `Rate-Reset` | Qiita |
/// | `X-RateLimit-Remaining-Requests`, `X-RateLimit-Reset-Requests` | OpenAI |
///
/// A reset is a number of seconds (`30`, `1.5`), a time since 1970 in seconds or milliseconds, or a duration (`6m0s`).
public struct RateLimitStatus: Equatable, Sendable {
    /// The number of requests that the server accepts in one window; nil if it is unknown.
    public var limit: Int?

    /// The number of requests that the server still accepts until the reset.
    public var remaining: Int

    /// The time until the server accepts more requests again; nil if it is unknown.
    public var reset: Duration?

    /// Creates a status.
    ///
    /// - Parameters:
    ///   - limit: the number of requests that the server accepts in one window.
    ///   - remaining: the number of requests that the server still accepts until the reset.
    ///   - reset: the time until the server accepts more requests again.
    public init(limit: Int? = nil, remaining: Int, reset: Duration? = nil) {
        (self.limit, self.remaining, self.reset) = (limit, remaining, reset)
    }
}

extension Response {
    /// Returns the limit that the server reports; nil if it reports none.
    ///
    /// A 429 or 503 with a reset, but without the number of remaining requests, reports that none remains.
    ///
    /// - Parameter now: returns the current time, for fields that contain a time.
    /// - Returns: the limit of the first row of ``RateLimitStatus`` whose fields can be read.
    public func rateLimit(now: @autoclosure () -> Date) -> RateLimitStatus? {
        // Nearly all responses have no such field.
        guard headers.fields.contains(where: { RateLimitFields.isOne($0.name) }) else { return nil }
        let now = now()
        let isThrottled = statusCode == .tooManyRequests || statusCode == .serviceUnavailable
        return RateLimitFields.families.lazy.compactMap { prefix, suffix in
            RateLimitFields.status(isThrottled: isThrottled, now: now) { headers["\(prefix)\($0)\(suffix)"] }
        }.first
    }
}

/// The header fields with which servers report a limit of requests.
private enum RateLimitFields {
    /// The beginnings and ends of the names.
    static let families = [
        ("RateLimit-", ""), ("X-RateLimit-", ""), ("X-Rate-Limit-", ""), ("Rate-", ""), ("X-RateLimit-", "-Requests"),
    ]

    /// Returns whether a field may be one of these: `Rate…` or `X-Rate…`, ignoring case.
    static func isOne(_ name: String) -> Bool {
        let name = name.utf8.lazy.map(\.asciiLowercased)
        return name.starts(with: "rate".utf8) || name.starts(with: "x-rate".utf8)
    }

    /// Returns the limit in the fields of one family; nil if they are missing, or can't be read.
    static func status(isThrottled: Bool, now: Date, _ field: (String) -> String?) -> RateLimitStatus? {
        // The time from now first: it needs no equal clocks.
        let reset = ["Reset-After", "Reset"].compactMap { name in
            field(name).flatMap { RateLimitReset.duration($0, now: now) }
        }.first
        let remaining = field("Remaining").flatMap(RateLimitReset.count) ?? (isThrottled && reset != nil ? 0 : nil)
        guard let remaining else { return nil }
        return RateLimitStatus(limit: field("Limit").flatMap(RateLimitReset.count), remaining: remaining, reset: reset)
    }
}

/// The numbers in fields of rate limits, which each server writes in its own way.
enum RateLimitReset {
    /// The smallest number that counts as seconds since 1970: 9 September 2001; as a delay, it would be 31 years.
    private static let leastEpoch = 1_000_000_000.0

    /// The smallest number that counts as milliseconds since 1970; as seconds, it would be the year 5138.
    private static let leastEpochInMilliseconds = 100_000_000_000.0

    /// The maximum delay in seconds: more than three thousand years, so that no sum with another duration overflows.
    static let mostSeconds: Int64 = 100_000_000_000

    /// The number of bytes of a text that can be read.
    private static let maximumLength = 1_024

    private static let units: [Substring: Double] = ["ms": 0.001, "s": 1, "m": 60, "h": 3_600, "d": 86_400]

    /// Returns the time until a reset; nil if the text is no number and no duration.
    ///
    /// - Parameter text: seconds, a time since 1970, or a duration such as `1h6m0.5s` and `20ms`.
    static func duration(_ text: String, now: Date) -> Duration? {
        guard text.utf8.count <= maximumLength else { return nil }
        guard let number = number(text[...]) else { return sum(text).map(bounded) }
        if number < leastEpoch { return bounded(number) }
        let seconds = number < leastEpochInMilliseconds ? number : number / 1_000
        return Date(timeIntervalSince1970: seconds).duration(since: now)
    }

    /// Returns seconds without their fraction, rounded up; nil if the text is no number.
    static func secondsRoundedUp(_ text: String) -> Duration? {
        guard text.utf8.count <= maximumLength else { return nil }
        return number(text[...]).map { bounded($0.rounded(.up)) }
    }

    /// Returns a number of requests without its fraction, at most the largest of 32 bits; nil if the text is no number.
    static func count(_ text: String) -> Int? {
        guard text.utf8.count <= maximumLength else { return nil }
        return number(text[...]).map { Int(min($0, Double(Int32.max))) }
    }

    /// Reads digits with an optional fraction.
    private static func number(_ text: Substring) -> Double? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }) else { return nil }
        return Double(text)
    }

    /// Reads the sum of numbers with units.
    private static func sum(_ text: String) -> Double? {
        var (rest, sum) = (text[...], 0.0)
        repeat {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            let unit = rest.dropFirst(digits.count).prefix { $0.isASCII && $0.isLetter }
            guard let number = number(digits), let seconds = units[unit] else { return nil }
            sum += number * seconds
            rest = rest.dropFirst(digits.count + unit.count)
        } while !rest.isEmpty
        return sum
    }

    private static func bounded(_ seconds: Double) -> Duration { .seconds(min(seconds, Double(mostSeconds))) }
}

extension Date {
    /// Returns the time since another date, at least 0 and at most `RateLimitReset.mostSeconds` seconds.
    func duration(since other: Date) -> Duration {
        let seconds = timeIntervalSince(other)
        return seconds > 0 ? .seconds(min(seconds, Double(RateLimitReset.mostSeconds))) : .zero
    }
}
