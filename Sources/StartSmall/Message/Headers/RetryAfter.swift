public import Foundation

/// The delay that a server requests from its clients, in any of several header fields.
public enum RetryAfter {
    /// Returns the delay before the next request; nil if the response requests none.
    ///
    /// | field | value | condition |
    /// | --- | --- | --- |
    /// | `Retry-After` (RFC 9110 10.2.3) | seconds, or a date | always |
    /// | `RateLimit-Reset` (draft-ietf-httpapi-ratelimit-headers-06) | seconds | if nothing is left |
    /// | `X-RateLimit-Reset` (GitHub and others) | seconds since 1970, or seconds | if nothing is left |
    ///
    /// The first field with a usable value determines the delay; the draft, too, gives `Retry-After` precedence. Many
    /// servers send the other two fields with each response; they request a delay only if `RateLimit-Remaining` or
    /// `X-RateLimit-Remaining` is 0, or is missing from a 429 or 503. A time in the past is no delay, and a number too
    /// large to represent is a very long one. The smallest number that counts as seconds since 1970 is 1,000,000,000.
    ///
    /// - Parameters:
    ///   - response: the response of the server.
    ///   - now: the current time, for fields that contain a time.
    public static func delay(of response: Response, now: Date) -> Duration? {
        let headers = response.headers
        return headers["Retry-After"].flatMap { seconds($0) ?? HTTPDate.date($0, now: now)?.duration(since: now) }
            ?? reset("RateLimit", of: response).flatMap(seconds)
            ?? reset("X-RateLimit", of: response).flatMap { secondsOrEpoch($0, now: now) }
    }

    /// The smallest number that counts as seconds since 1970: 9 September 2001; as a delay, it would be 31 years.
    private static let leastEpoch: Duration = .seconds(1_000_000_000)

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

    /// Reads `delay-seconds` of RFC 9110: digits only, any number of them.
    private static func seconds(_ text: String) -> Duration? {
        HTTPToken.deltaSeconds(text, atMost: mostSeconds)
    }

    /// The maximum delay in seconds: more than three thousand years, so that no sum with another duration overflows.
    fileprivate static let mostSeconds: Int64 = 100_000_000_000
}

extension Date {
    /// Returns the time since another date, at least 0 and at most `RetryAfter.mostSeconds` seconds.
    fileprivate func duration(since other: Date) -> Duration {
        let seconds = timeIntervalSince(other)
        return seconds > 0 ? .seconds(min(seconds, Double(RetryAfter.mostSeconds))) : .zero
    }
}
