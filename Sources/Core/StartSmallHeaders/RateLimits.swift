public import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation

/// A limit, as a server reports it with a response: how many requests or tokens are left, and for how long.
public struct RateLimitStatus: Equatable, Sendable {
    /// The number that the server accepts in one window; nil if it is unknown.
    public var limit: Int?

    /// The number that the server still accepts until the reset.
    public var remaining: Int

    /// The time until the server accepts more again; nil if it is unknown.
    public var reset: Duration?

    /// Creates a status.
    public init(limit: Int? = nil, remaining: Int, reset: Duration? = nil) {
        (self.limit, self.remaining, self.reset) = (limit, remaining, reset)
    }
}

/// The limits that a server reports with a response: those of requests, and those of tokens of a language model.
///
/// | fields | of | source |
/// | --- | --- | --- |
/// | `RateLimit: "default";r=0;t=30` | requests | draft-ietf-httpapi-ratelimit-headers-08 and later |
/// | `RateLimit: limit=100, remaining=0, reset=30` | requests | draft-ietf-httpapi-ratelimit-headers-07 |
/// | `RateLimit-Limit`, `-Remaining`, `-Reset` | requests | the drafts before, GitLab |
/// | `X-RateLimit-Limit`, `-Remaining`, `-Reset`, `-Reset-After` | requests | GitHub, Discord and others |
/// | `X-Rate-Limit-Limit`, `-Remaining`, `-Reset` | requests | X |
/// | `Rate-Limit`, `Rate-Remaining`, `Rate-Reset` | requests | Qiita |
/// | `X-RateLimit-Remaining-Requests`, `-Tokens` | requests, tokens | OpenAI, Azure, Groq |
/// | `X-RateLimit-Remaining-Requests-Day`, `-Tokens-Minute` | requests, tokens | Cerebras, Mistral |
/// | `X-RateLimit-Remaining-Tokens-Prompt`, `-Tokens-Generated` | input, output | Fireworks |
/// | `X-RateLimit-Remaining-Input-Tokens`, `-Output-Tokens` | input, output | gateways |
/// | `X-TokenLimit-Limit`, `-Remaining`, `-Reset` | tokens | Together |
/// | `Anthropic-RateLimit-Requests-Remaining`, `-Tokens-` | requests, tokens | Anthropic |
/// | `Anthropic-RateLimit-Input-Tokens-Remaining`, `-Output-Tokens-` | input, output | Anthropic |
///
/// A reset is a number of seconds (`30`, `1.5`), a time since 1970 in seconds, milliseconds, microseconds or
/// nanoseconds, a duration (`6m0s`), or a date of HTTP or of RFC 3339. ``RetryAfter`` says by which clock times count.
/// Of several policies in one field, and of a minute, an hour and a day, the one with the fewest remaining counts, and
/// then the one with the longest time. A field that is sent twice counts as the first one.
public struct RateLimits: Equatable, Sendable {
    /// The limit of requests; nil if the server reports none.
    public var requests: RateLimitStatus?

    /// The limit of all tokens, of the input and of the output; nil if the server reports none.
    public var tokens: RateLimitStatus?

    /// The limit of tokens of the input; nil if the server reports none.
    public var inputTokens: RateLimitStatus?

    /// The limit of tokens of the output; nil if the server reports none.
    public var outputTokens: RateLimitStatus?

    /// Creates limits.
    public init(
        requests: RateLimitStatus? = nil,
        tokens: RateLimitStatus? = nil,
        inputTokens: RateLimitStatus? = nil,
        outputTokens: RateLimitStatus? = nil
    ) {
        (self.requests, self.tokens) = (requests, tokens)
        (self.inputTokens, self.outputTokens) = (inputTokens, outputTokens)
    }

    /// The time for which the server accepts nothing: the longest reset of a limit of which nothing remains; else nil.
    public var delay: Duration? {
        [requests, tokens, inputTokens, outputTokens].compactMap { $0?.remaining == 0 ? $0?.reset : nil }.max()
    }
}

extension Response {
    /// Returns the limits that the server reports; nil if it reports none.
    ///
    /// A 429 or 503 with a reset, but without the number that remains, reports that none remains.
    ///
    /// - Parameter now: returns the current time, for fields that contain a time.
    /// - Returns: for each unit, the limit of the first row of ``RateLimits`` whose fields can be read.
    public func rateLimits(now: @autoclosure () -> Date) -> RateLimits? {
        // Nearly all responses have no such field.
        guard headers.fields.contains(where: { RateLimitFields.isOne($0.name) }) else { return nil }
        let isThrottled = statusCode == .tooManyRequests || statusCode == .serviceUnavailable
        let fields = RateLimitFields(headers, isThrottled: isThrottled, ResponseClock(of: self, now: now()))
        let limits = RateLimits(
            requests: fields.policy(headers) ?? fields.status(in: RateLimitFields.requests),
            tokens: fields.status(in: RateLimitFields.tokens),
            inputTokens: fields.status(in: RateLimitFields.inputTokens),
            outputTokens: fields.status(in: RateLimitFields.outputTokens)
        )
        return limits == RateLimits() ? nil : limits
    }
}

/// The header fields of one response with which servers report limits.
private struct RateLimitFields {
    /// The names of the fields of one limit, in lower case.
    struct Names {
        let (limit, remaining, reset, resetAfter): (String, String, String, String)

        init(_ prefix: String, _ suffix: String = "") {
            (limit, remaining) = ("\(prefix)limit\(suffix)", "\(prefix)remaining\(suffix)")
            (reset, resetAfter) = ("\(prefix)reset\(suffix)", "\(prefix)reset-after\(suffix)")
        }

        /// Returns the names for each window of a unit.
        static func windows(of unit: String) -> [Names] {
            ["", "-minute", "-hour", "-day"].map { Names("x-ratelimit-", "-\(unit)\($0)") }
        }
    }

    /// The names by unit, in the order of the table of ``RateLimits``; those of one row are windows of one limit.
    static let requests = [
        [Names("ratelimit-")], [Names("x-ratelimit-")], [Names("x-rate-limit-")], [Names("rate-")],
        Names.windows(of: "requests"), [Names("anthropic-ratelimit-requests-")],
    ]
    static let tokens = [
        Names.windows(of: "tokens"), [Names("x-tokenlimit-")], [Names("anthropic-ratelimit-tokens-")],
    ]
    static let inputTokens = [
        [Names("x-ratelimit-", "-tokens-prompt")], [Names("x-ratelimit-", "-input-tokens")],
        [Names("anthropic-ratelimit-input-tokens-")],
    ]
    static let outputTokens = [
        [Names("x-ratelimit-", "-tokens-generated")], [Names("x-ratelimit-", "-output-tokens")],
        [Names("anthropic-ratelimit-output-tokens-")],
    ]

    private static let beginnings = ["rate", "x-rate", "x-tokenlimit", "anthropic-rate"]

    /// A length that no name of these fields has: 64 bytes.
    private static let tooLong = 64

    /// The values by name in lower case.
    private var values: [String: String] = [:]
    private let isThrottled: Bool
    private let clock: ResponseClock

    init(_ headers: HTTPHeaders, isThrottled: Bool, _ clock: ResponseClock) {
        (self.isThrottled, self.clock) = (isThrottled, clock)
        for field in headers.fields where field.name.utf8.count < Self.tooLong && Self.isOne(field.name) {
            let name = field.name.lowercased()
            if values[name] == nil { values[name] = field.value }
        }
    }

    /// Returns whether a field may be one of these, ignoring case.
    static func isOne(_ name: String) -> Bool {
        let name = name.utf8.lazy.map(\.asciiLowercased)
        return beginnings.contains { name.starts(with: $0.utf8) }
    }

    /// Returns the limit of the first row that can be read.
    func status(in rows: [[Names]]) -> RateLimitStatus? {
        for row in rows {
            let windows = row.compactMap { names in
                // The time from now first: it needs no equal clocks.
                let resets = [values[names.resetAfter], values[names.reset]]
                return status(values[names.limit], values[names.remaining], resets)
            }
            if let least = Self.least(windows) { return least }
        }
        return nil
    }

    /// The parameters of a policy, by the names of the fields that have the same meaning.
    private static let parameters = [
        "r": "Remaining", "t": "Reset", "limit": "Limit", "remaining": "Remaining", "reset": "Reset",
    ]

    /// Returns the policy in `RateLimit` of which the least remains.
    ///
    /// A policy is each member of a list (RFC 9651 3.1), and a dictionary as a whole (3.2).
    func policy(_ headers: HTTPHeaders) -> RateLimitStatus? {
        var (policies, whole): ([[String: String]], [String: String]) = ([], [:])
        for value in headers.values(of: "RateLimit") {
            var field = HeaderScanner(value)
            repeat {
                var policy: [String: String] = [:]
                repeat {
                    field.skipBlanks()
                    let name = field.token()
                    if let meaning = Self.parameters[name], field.take("=") {
                        let value = field.token()
                        if name.utf8.count == 1 { policy[meaning] = value } else { whole[meaning] = value }
                    }
                    field.skip(to: ";", or: ",")
                } while field.take(";")
                policies.append(policy)
            } while field.take(",")
        }
        return Self.least((policies + [whole]).compactMap { status($0["Limit"], $0["Remaining"], [$0["Reset"]]) })
    }

    private static func least(_ all: [RateLimitStatus]) -> RateLimitStatus? {
        all.min { ($0.remaining, $1.reset ?? .zero) < ($1.remaining, $0.reset ?? .zero) }
    }

    /// Returns the limit in some texts; nil if they are missing, or can't be read.
    private func status(_ limit: String?, _ remaining: String?, _ resets: [String?]) -> RateLimitStatus? {
        let count = remaining.flatMap(RateLimitReset.count)
        guard count != nil || isThrottled else { return nil }
        let reset = resets.lazy.compactMap { $0.flatMap { RateLimitReset.duration($0, clock) } }.first
        guard let remaining = count ?? (reset == nil ? nil : 0) else { return nil }
        return RateLimitStatus(limit: limit.flatMap(RateLimitReset.count), remaining: remaining, reset: reset)
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

    /// Returns a number of requests or tokens without its fraction, at most the largest of 32 bits; nil if the text is no number.
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
