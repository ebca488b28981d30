import Foundation
import StartSmall

/// The age and the freshness lifetime of a stored response at a time (RFC 9111 4.2).
struct Freshness: Hashable, Sendable {
    /// The freshness lifetime in seconds (4.2.1).
    let lifetime: Double

    /// The current age in seconds; never negative (4.2.3).
    let age: Double

    /// Whether the age has not yet reached the lifetime (4.2).
    var isFresh: Bool { lifetime > age }

    /// The remaining seconds of freshness; negative for a stale response.
    var remaining: Double { lifetime - age }

    /// The seconds since the response became stale; not positive for a fresh response.
    var staleness: Double { age - lifetime }

    /// Calculates age and lifetime.
    ///
    /// - Parameters:
    ///   - stored: the stored response.
    ///   - now: the current time.
    ///   - hasQuery: whether the URL has a query, for which no lifetime is estimated.
    ///   - options: the limits of estimated lifetimes.
    init(of stored: StoredResponse, at now: Date, hasQuery: Bool, _ options: CacheOptions) {
        age = Self.age(of: stored, at: now)
        lifetime =
            stored.facts.explicitLifetime?.seconds ?? (hasQuery ? 0 : Self.heuristicLifetime(of: stored, options))
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

/// The freshness lifetime that a server states (RFC 9111 4.2.1).
struct ExplicitLifetime: Hashable, Sendable {
    /// The lifetime in seconds; 0 for one that is invalid or over.
    let seconds: Double

    /// Reads the lifetime from `max-age`, or else from `Expires` (5.3); nil if a response has neither.
    ///
    /// - Parameters:
    ///   - directives: the directives of the response.
    ///   - expires: the value of `Expires`.
    ///   - date: the value of `Date`; nil if it is not a date.
    ///   - receivedAt: the time at which the response arrived, for one without a `Date` (RFC 9110 6.6.1).
    init?(_ directives: ResponseDirectives, expires: String?, date: Date?, receivedAt: Date) {
        if let maxAge = directives.maxAge {
            seconds = maxAge
            return
        }
        guard let expires else { return nil }
        // An invalid date, such as 0, is a time in the past (5.3).
        let end = CacheDate.date(expires, now: receivedAt)
        seconds = end.map { max(0, CacheSeconds.between(date ?? receivedAt, $0)) } ?? 0
    }
}

/// The dates of header fields.
enum CacheDate {
    /// Reads the value of a field, ignoring case (RFC 9111 4.2); nil if it is missing or not a date.
    ///
    /// A date of another time zone than `GMT` is invalid here, although it is read elsewhere (RFC 9111 4.2).
    ///
    /// - Parameters:
    ///   - text: the value of the field.
    ///   - now: the current time, for years of two digits.
    static func date(_ text: String?, now: Date) -> Date? {
        guard let text = text.map({ Substring($0).trimmingBlanks() }),
            !["UTC", "+0000"].contains(where: text.hasSuffix)
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

/// The caching rules of status codes.
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
