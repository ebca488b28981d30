import StartSmallCore
import StartSmallFoundation
import StartSmallHeaders

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

    /// Returns the heuristic lifetime (4.2.2): a fraction of the time since the last change; 0 if none is allowed.
    ///
    /// The status must be heuristically cacheable, or the response marked with `public`.
    private static func heuristicLifetime(of stored: StoredResponse, _ options: CacheOptions) -> Double {
        guard StatusCacheability.isHeuristic(stored.response.statusCode) || stored.facts.directives.isPublic,
            let changed = stored.facts.lastModified
        else { return 0 }
        let lifetime = CacheSeconds.between(changed, stored.date) * options.heuristicFraction
        return lifetime.isNaN ? 0 : min(max(0, lifetime), CacheSeconds.of(options.maxHeuristicLifetime))
    }
}

enum CacheDate {
    /// Reads the value of a field, ignoring case (RFC 9111 4.2); nil if it is missing or not a date.
    ///
    /// A date of another time zone than `GMT` is invalid here, although it is read elsewhere (RFC 9111 4.2). The
    /// current time is for years of two digits.
    static func date(_ text: String?, now: Date) -> Date? {
        guard let text = text.map({ Substring($0).trimmingBlanks() }),
            // As bytes: Swift compares texts by their normal form, in quadratic time for combining characters.
            !["UTC", "+0000"].contains(where: { text.utf8.suffix($0.utf8.count).elementsEqual($0.utf8) })
        else { return nil }
        return HTTPDate.date(text, now: now) ?? HTTPDate.date(inStandardCase(text), now: now)
    }

    /// Returns a text with names of days and months capitalized, and `GMT` in capitals.
    private static func inStandardCase(_ text: String) -> String {
        // A longer text is not a date.
        let words = text.utf8.prefix(64).split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        return words.map { word in
            let word = String(Substring(word)).lowercased()
            return word == "gmt"
                ? "GMT"
                : word.split(separator: "-", omittingEmptySubsequences: false)
                    .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
        }.joined(separator: " ")
    }
}

enum StatusCacheability {
    /// Whether a lifetime may be estimated without more information (RFC 9110 15.1).
    ///
    /// 206 is one of these codes, too, but partial responses are never stored here.
    static func isHeuristic(_ status: HTTPStatus) -> Bool { heuristic.contains(status.code) }

    /// Whether the cache obeys all requirements of a status, as `must-understand` demands (RFC 9111 5.2.2.3).
    static func isUnderstood(_ status: HTTPStatus) -> Bool { understood.contains(status.code) }

    private static let heuristic: Set = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// The codes of RFC 9110 15.3 to 15.6 that a GET can get, without 206 and 304, which are for parts and validation.
    private static let understood = heuristic.union([
        302, 303, 307, 400, 401, 402, 403, 406, 409, 421, 422, 500, 502, 503, 504,
    ])
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
