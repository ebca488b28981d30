import StartSmallCore
import StartSmallFoundation

/// The age and the freshness lifetime of a stored response at a time (RFC 9111 4.2).
struct Freshness: Hashable, Sendable {
    /// The freshness lifetime and the current age in seconds; the age is never negative (4.2.1, 4.2.3).
    let lifetime: Double
    let age: Double

    var isFresh: Bool { lifetime > age }

    /// The remaining seconds of freshness; negative for a stale response.
    var remaining: Double { lifetime - age }

    /// The seconds since the response became stale; not positive for a fresh response.
    var staleness: Double { age - lifetime }

    /// Calculates age and lifetime; with a query in the URL, or a malformed directive, no lifetime is estimated.
    init(of stored: StoredResponse, at now: Date, hasQuery: Bool, _ options: CacheOptions) {
        age = Self.age(of: stored, at: now)
        let isEstimated = !hasQuery && !stored.facts.directives.isMalformed
        lifetime = stored.facts.explicitLifetime ?? (isEstimated ? Self.heuristicLifetime(of: stored, options) : 0)
    }

    /// Returns the current age (4.2.3), by the more conservative of its two calculations.
    ///
    /// A time span that a clock's jump makes negative counts with its size; see ``CacheSeconds/apart(_:_:)``.
    private static func age(of stored: StoredResponse, at now: Date) -> Double {
        let apparent = max(0, CacheSeconds.between(stored.date, stored.receivedAt))
        let corrected = stored.facts.age + CacheSeconds.apart(stored.requestedAt, stored.receivedAt)
        return min(max(apparent, corrected) + CacheSeconds.apart(stored.receivedAt, now), CacheSeconds.maximum)
    }

    /// The maximum of a heuristic lifetime: 24 hours.
    ///
    /// RFC 7234 5.5.4 demanded a warning for a response that was older and only heuristically fresh.
    private static let maximumHeuristicLifetime = 86_400.0

    /// Returns the heuristic lifetime (4.2.2): a fraction of the time since the last change; 0 if none is allowed.
    ///
    /// The status must be heuristically cacheable, or the response marked with `public`.
    private static func heuristicLifetime(of stored: StoredResponse, _ options: CacheOptions) -> Double {
        guard stored.response.statusCode.isHeuristicallyCacheable || stored.facts.directives.isPublic,
            let changed = stored.facts.lastModified
        else { return 0 }
        let lifetime = CacheSeconds.between(changed, stored.date) * options.heuristicFraction
        return lifetime.isNaN ? 0 : min(max(0, lifetime), maximumHeuristicLifetime)
    }
}

extension HTTPStatus {
    private static let heuristic: Set = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// Whether a lifetime may be estimated without more information (RFC 9110 15.1).
    ///
    /// 206 is one of these codes, too, but partial responses are never stored here.
    var isHeuristicallyCacheable: Bool { Self.heuristic.contains(code) }
}

/// Arithmetic with times in seconds that neither overflows nor traps, for any date and any clock.
enum CacheSeconds {
    /// 2³¹ seconds, about 68 years: the meaning of a number that is too large to represent (RFC 9111 1.2.2).
    static let maximum = 2_147_483_648.0

    /// Returns the seconds from one date to another, limited to ±``maximum``; ``maximum`` for a date that is no number.
    static func between(_ start: Date, _ end: Date) -> Double {
        let seconds = end.timeIntervalSinceReferenceDate - start.timeIntervalSinceReferenceDate
        return seconds.isNaN ? maximum : min(max(seconds, -maximum), maximum)
    }

    /// Returns the seconds between two dates, regardless of their order.
    ///
    /// If a clock was set back in between, the true time is unknown: the size of the jump is the best estimate that is
    /// never negative, and grows with the jump, so that a wrong clock makes responses stale and never keeps them fresh.
    static func apart(_ one: Date, _ other: Date) -> Double { abs(between(one, other)) }

    static func of(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// Returns whole seconds for a field, rounded down, and limited to what 32 bits hold.
    static func whole(_ seconds: Double) -> Int {
        seconds.isNaN ? 0 : Int(min(max(seconds.rounded(.down), -maximum), maximum - 1))
    }
}
