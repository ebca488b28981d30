import StartSmallSupport
public import StartSmallFoundation

/// The delay that a server requests from its clients, in any of several header fields.
public enum RetryAfter {
    /// Returns the delay before the next request; nil if the response requests none.
    ///
    /// `Retry-After` (RFC 9110 10.2.3), in seconds or as a date, determines the delay. A fraction of a second, which
    /// the RFC does not allow, is rounded up, so that no request comes too early. Without it, the delay is the time
    /// until the reset of a limit (``RateLimitStatus``) of which nothing remains. Many servers send such limits with
    /// each response, and request a delay only then. A time in the past is no delay, and a number too large to
    /// represent is a very long one.
    ///
    /// - Parameters:
    ///   - response: the response of the server.
    ///   - now: the current time, for fields that contain a time.
    public static func delay(of response: Response, now: Date) -> Duration? {
        response.headers["Retry-After"].flatMap { text in
            HTTPToken.deltaSeconds(text, atMost: RateLimitReset.mostSeconds) ?? RateLimitReset.secondsRoundedUp(text)
                ?? HTTPDate.date(text, now: now)?.duration(since: now)
        } ?? response.rateLimit(now: now).flatMap { $0.remaining == 0 ? $0.reset : nil }
    }
}
