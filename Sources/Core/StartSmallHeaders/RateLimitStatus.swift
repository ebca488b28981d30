public import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation

/// A limit of requests, as a server reports it with a response: how many are left, and for how long.
///
/// | fields | source |
/// | --- | --- |
/// | `RateLimit: "default";r=0;t=30` | draft-ietf-httpapi-ratelimit-headers-08 and later |
/// | `RateLimit: limit=100, remaining=0, reset=30` | draft-ietf-httpapi-ratelimit-headers-07 |
/// | `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset` | the drafts before, GitLab |
/// | `X-RateLimit-Limit`, `-Remaining`, `-Reset`, `-Reset-After` | GitHub, Discord and others |
/// | `X-Rate-Limit-Limit`, `-Remaining`, `-Reset` | X |
/// | `Rate-Limit`, `Rate-Remaining`, `Rate-Reset` | Qiita |
/// | `X-RateLimit-Remaining-Requests`, `X-RateLimit-Reset-Requests` | OpenAI |
/// | `Anthropic-RateLimit-Requests-Limit`, `-Remaining`, `-Reset` | Anthropic |
///
/// A reset is a number of seconds (`30`, `1.5`), a time since 1970 in seconds, milliseconds, microseconds or
/// nanoseconds, a duration (`6m0s`), or a date of HTTP or of RFC 3339. ``RetryAfter`` says by which clock times count.
/// Of several policies in one field, the one with the fewest remaining requests counts, and then with the longest time.
public struct RateLimitStatus: Equatable, Sendable {
    /// The number of requests that the server accepts in one window; nil if it is unknown.
    public var limit: Int?

    /// The number of requests that the server still accepts until the reset.
    public var remaining: Int

    /// The time until the server accepts more requests again; nil if it is unknown.
    public var reset: Duration?

    /// Creates a status.
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
        let clock = ResponseClock(of: self, now: now())
        let isThrottled = statusCode == .tooManyRequests || statusCode == .serviceUnavailable
        let policies = RateLimitFields.policies(headers).compactMap { policy in
            RateLimitFields.status(isThrottled: isThrottled, clock) { policy[$0] }
        }
        let least = policies.min { ($0.remaining, $1.reset ?? .zero) < ($1.remaining, $0.reset ?? .zero) }
        return least
            ?? RateLimitFields.families.lazy.compactMap { prefix, suffix in
                RateLimitFields.status(isThrottled: isThrottled, clock) { headers["\(prefix)\($0)\(suffix)"] }
            }.first
    }
}

/// The header fields with which servers report a limit of requests.
private enum RateLimitFields {
    /// The beginnings and ends of the names.
    static let families = [
        ("RateLimit-", ""), ("X-RateLimit-", ""), ("X-Rate-Limit-", ""), ("Rate-", ""), ("X-RateLimit-", "-Requests"),
        ("Anthropic-RateLimit-Requests-", ""),
    ]

    private static let beginnings = ["rate", "x-rate", "anthropic-rate"]

    /// Returns whether a field may be one of these, ignoring case.
    static func isOne(_ name: String) -> Bool {
        let name = name.utf8.lazy.map(\.asciiLowercased)
        return beginnings.contains { name.starts(with: $0.utf8) }
    }

    /// The parameters of a policy, by the names of the fields that have the same meaning.
    private static let parameters = [
        "r": "Remaining", "t": "Reset", "limit": "Limit", "remaining": "Remaining", "reset": "Reset",
    ]

    /// Returns the policies in `RateLimit`: each member of a list (RFC 9651 3.1), and a dictionary as a whole (3.2).
    static func policies(_ headers: HTTPHeaders) -> [[String: String]] {
        var (policies, whole): ([[String: String]], [String: String]) = ([], [:])
        for value in headers.values(of: "RateLimit") {
            var field = HeaderScanner(value)
            repeat {
                var policy: [String: String] = [:]
                repeat {
                    field.skipBlanks()
                    let name = field.token()
                    if let meaning = parameters[name], field.take("=") {
                        let value = field.token()
                        if name.utf8.count == 1 { policy[meaning] = value } else { whole[meaning] = value }
                    }
                    field.skip(to: ";", or: ",")
                } while field.take(";")
                policies.append(policy)
            } while field.take(",")
        }
        return policies + [whole]
    }

    /// Returns the limit in the fields of one family; nil if they are missing, or can't be read.
    static func status(
        isThrottled: Bool,
        _ clock: ResponseClock,
        _ field: (String) -> String?
    ) -> RateLimitStatus? {
        // The time from now first: it needs no equal clocks.
        let reset = ["Reset-After", "Reset"].compactMap { name in
            field(name).flatMap { RateLimitReset.duration($0, clock) }
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

    /// The smallest number that counts as a time since 1970 in a smaller unit; as seconds, it would be the year 5138.
    ///
    /// As milliseconds and microseconds, it is too small, too: 1973.
    private static let leastEpochInSmallerUnits = 100_000_000_000.0

    /// The maximum delay in seconds: more than three thousand years, so that no sum with another duration overflows.
    static let mostSeconds: Int64 = 100_000_000_000

    /// The number of bytes of a text that can be read.
    private static let maximumLength = 1_024

    private static let units: [Substring: Double] = ["ms": 0.001, "s": 1, "m": 60, "h": 3_600, "d": 86_400]

    /// Returns the time until a reset; nil if the text is no number and no duration.
    static func duration(_ text: String, _ clock: ResponseClock) -> Duration? {
        guard text.utf8.count <= maximumLength else { return nil }
        guard var number = number(text[...]) else { return sum(text).map(bounded) ?? clock.duration(untilDate: text) }
        if number < leastEpoch { return bounded(number) }
        // Milliseconds, microseconds and nanoseconds.
        for _ in 0..<3 where number >= leastEpochInSmallerUnits { number /= 1_000 }
        return clock.duration(until: Date(timeIntervalSince1970: number))
    }

    /// Returns milliseconds, which may have a fraction; nil if the text is no number.
    static func milliseconds(_ text: String) -> Duration? {
        text.utf8.count <= maximumLength ? number(text[...]).map { bounded($0 / 1_000) } : nil
    }

    /// Returns seconds without their fraction, rounded up; nil if the text is no number.
    static func secondsRoundedUp(_ text: String) -> Duration? {
        guard text.utf8.count <= maximumLength else { return nil }
        return number(text[...]).map { bounded($0.rounded(.up)) }
    }

    /// Returns a number of requests without its fraction, at most the largest of 32 bits; nil if the text is no number.
    ///
    /// A list of windows may follow, as in `100, 100;w=60` (draft-ietf-httpapi-ratelimit-headers-03 to 06).
    static func count(_ text: String) -> Int? {
        guard text.utf8.count <= maximumLength else { return nil }
        return number(text.prefix { $0 != "," && $0 != ";" }).map { Int(min($0, Double(Int32.max))) }
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
