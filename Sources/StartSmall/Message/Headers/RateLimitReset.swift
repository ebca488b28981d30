import Foundation

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

    private static let units: [(name: String, seconds: Double)] = [
        ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400),
    ]

    /// Returns the time until a reset; nil if the text is no number and no duration.
    ///
    /// - Parameters:
    ///   - text: seconds, a time since 1970, or a duration such as `1h6m0.5s` and `20ms`.
    ///   - now: the current time.
    static func duration(_ text: String, now: Date) -> Duration? {
        guard text.utf8.count <= maximumLength else { return nil }
        if let number = number(text[...]) {
            if number >= leastEpochInMilliseconds { return number.epoch(dividedBy: 1_000).duration(since: now) }
            if number >= leastEpoch { return number.epoch(dividedBy: 1).duration(since: now) }
            return bounded(number)
        }
        return sum(text).map(bounded)
    }

    /// Returns seconds without their fraction, rounded up; nil if the text is no number.
    static func secondsRoundedUp(_ text: String) -> Duration? {
        guard text.utf8.count <= maximumLength else { return nil }
        return number(text[...]).map { bounded($0.rounded(.up)) }
    }

    /// Returns a number of requests without its fraction, at most the largest of 32 bits; nil if the text is no number.
    static func count(_ text: String) -> Int? {
        guard number(text[...]) != nil else { return nil }
        return count(Int64(text.prefix { $0 != "." }) ?? .max)
    }

    /// Returns a number of requests, at most the largest of 32 bits.
    static func count(_ number: Int64) -> Int { Int(min(number, Int64(Int32.max))) }

    /// Reads digits with an optional fraction.
    private static func number(_ text: Substring) -> Double? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }) else { return nil }
        return Double(text)
    }

    /// Reads the sum of numbers with units, the largest first.
    private static func sum(_ text: String) -> Double? {
        var (rest, sum) = (text[...], 0.0)
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            let unit = rest.dropFirst(digits.count).prefix { $0.isASCII && $0.isLetter }
            guard let number = number(digits), let seconds = units.first(where: { $0.name == unit })?.seconds else {
                return nil
            }
            sum += number * seconds
            rest = rest.dropFirst(digits.count + unit.count)
        }
        return sum
    }

    private static func bounded(_ seconds: Double) -> Duration { .seconds(min(seconds, Double(mostSeconds))) }
}

extension Double {
    fileprivate func epoch(dividedBy divisor: Double) -> Date { Date(timeIntervalSince1970: self / divisor) }
}

extension Date {
    /// Returns the time since another date, at least 0 and at most `RateLimitReset.mostSeconds` seconds.
    func duration(since other: Date) -> Duration {
        let seconds = timeIntervalSince(other)
        return seconds > 0 ? .seconds(min(seconds, Double(RateLimitReset.mostSeconds))) : .zero
    }
}
