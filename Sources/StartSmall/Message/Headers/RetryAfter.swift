public import Foundation

/// How long a server asks its clients to wait, in whichever of its header fields it says so.
public enum RetryAfter {
    /// How long to wait before the next request, or nil if the response does not say.
    ///
    /// | field | says | counts |
    /// | --- | --- | --- |
    /// | `Retry-After` (RFC 9110 10.2.3) | seconds, or a date | always |
    /// | `RateLimit-Reset` (draft-ietf-httpapi-ratelimit-headers-06) | seconds | if nothing is left |
    /// | `X-RateLimit-Reset` (GitHub and others) | seconds since 1970, or seconds | if nothing is left |
    ///
    /// The first that says something is taken: the draft too gives `Retry-After` precedence. Many servers send the two
    /// others with each response; they tell how long to wait only where `RateLimit-Remaining` or `X-RateLimit-Remaining`
    /// is 0, or is missing from a 429 or 503. What is past is no time to wait, and a number too large to count is a very long
    /// one.
    public static func delay(of response: Response, now: Date) -> Duration? {
        let headers = response.headers
        return headers["Retry-After"].flatMap { seconds($0) ?? HTTPDate.date($0, now: now)?.duration(since: now) }
            ?? reset("RateLimit", of: response).flatMap(seconds)
            ?? reset("X-RateLimit", of: response).flatMap { secondsOrEpoch($0, now: now) }
    }

    /// The least number that is taken for seconds since 1970: 9 September 2001; as seconds to wait it were 31 years.
    public static let leastEpoch: Duration = .seconds(1_000_000_000)

    private static func reset(_ prefix: String, of response: Response) -> String? {
        switch response.headers["\(prefix)-Remaining"].flatMap(seconds) {
        case .zero?: response.headers["\(prefix)-Reset"]
        case nil where [.tooManyRequests, .serviceUnavailable].contains(response.statusCode):
            response.headers["\(prefix)-Reset"]
        default: nil
        }
    }

    private static func secondsOrEpoch(_ text: String, now: Date) -> Duration? {
        guard let seconds = seconds(text), seconds >= leastEpoch else { return seconds(text) }
        return Date(timeIntervalSince1970: Double(seconds.components.seconds)).duration(since: now)
    }

    /// `delay-seconds` of RFC 9110: digits alone, however many.
    private static func seconds(_ text: String) -> Duration? {
        HTTPToken.deltaSeconds(text, atMost: mostSeconds)
    }

    /// More than three thousand years, so that no sum with another duration is too large to count.
    fileprivate static let mostSeconds: Int64 = 100_000_000_000
}

extension Date {
    /// How long after another, at least no time and at most what can be counted.
    fileprivate func duration(since other: Date) -> Duration {
        let seconds = timeIntervalSince(other)
        return seconds > 0 ? .seconds(min(seconds, Double(RetryAfter.mostSeconds))) : .zero
    }
}
