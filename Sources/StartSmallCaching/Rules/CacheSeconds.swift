import Foundation

/// Arithmetic with times in seconds that neither overflows nor traps, for any date and any clock.
enum CacheSeconds {
    /// 2³¹ seconds, about 68 years: the meaning of a number that is too large to represent (RFC 9111 1.2.2).
    static let maximum = 2_147_483_648.0

    /// Returns the seconds from one date to another: negative if the other is earlier, limited to ±``maximum``.
    ///
    /// A date that is not a number counts as infinitely far away.
    static func between(_ start: Date, _ end: Date) -> Double {
        let seconds = end.timeIntervalSinceReferenceDate - start.timeIntervalSinceReferenceDate
        return seconds.isNaN ? maximum : min(max(seconds, -maximum), maximum)
    }

    /// Returns the seconds between two dates, regardless of their order.
    ///
    /// If a clock was set back in between, the true time is unknown: the size of the jump is the best estimate that is
    /// never negative, and grows with the jump, so that a wrong clock makes responses stale and never keeps them fresh.
    static func apart(_ one: Date, _ other: Date) -> Double {
        abs(between(one, other))
    }

    /// Returns a duration in seconds.
    static func of(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// Returns whole seconds for a field, rounded down, and limited to what 32 bits hold.
    static func whole(_ seconds: Double) -> Int {
        seconds.isNaN ? 0 : Int(min(max(seconds.rounded(.down), -maximum), maximum - 1))
    }
}
