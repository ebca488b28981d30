public import Foundation

/// A limit of requests, as a server reports it with a response: how many are left, and for how long.
///
/// | fields | source |
/// | --- | --- |
/// | `RateLimit: "default";r=50;t=30`, `RateLimit-Policy: "default";q=100;w=60` | draft version 10 |
/// | `RateLimit: limit=100, remaining=50, reset=30` | draft version 07 |
/// | `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset` | draft version 06, GitLab |
/// | `X-RateLimit-Limit`, `-Remaining`, `-Reset`, `-Reset-After` | GitHub, Discord and others |
/// | `X-Rate-Limit-Limit`, `-Remaining`, `-Reset` | X |
/// | `Rate-Limit`, `Rate-Remaining`, `Rate-Reset` | Qiita |
/// | `X-RateLimit-Remaining-Requests`, `X-RateLimit-Reset-Requests` | OpenAI |
///
/// The draft is draft-ietf-httpapi-ratelimit-headers. A reset is a number of seconds (`30`, `1.5`), a time since 1970
/// in seconds or milliseconds, or a duration (`6m0s`).
public struct RateLimitStatus: Hashable, Sendable {
    /// The name of the server's policy; nil if the server sends none.
    public var policy: String?

    /// The number of requests that the server accepts in one window; nil if it is unknown.
    public var limit: Int?

    /// The number of requests that the server still accepts until the reset.
    public var remaining: Int

    /// The time until the server accepts more requests again; nil if it is unknown.
    public var reset: Duration?

    /// Creates a status.
    ///
    /// - Parameters:
    ///   - policy: the name of the server's policy.
    ///   - limit: the number of requests that the server accepts in one window.
    ///   - remaining: the number of requests that the server still accepts until the reset.
    ///   - reset: the time until the server accepts more requests again.
    public init(policy: String? = nil, limit: Int? = nil, remaining: Int, reset: Duration? = nil) {
        (self.policy, self.limit, self.remaining, self.reset) = (policy, limit, remaining, reset)
    }
}

extension Response {
    /// Returns the limits that the server reports; empty if it reports none.
    ///
    /// A 429 or 503 with a reset, but without the number of remaining requests, reports that none remains.
    ///
    /// - Parameter now: returns the current time, for fields that contain a time.
    /// - Returns: the limits of the first row of ``RateLimitStatus`` whose fields can be read.
    public func rateLimits(now: @autoclosure () -> Date) -> [RateLimitStatus] {
        // Nearly all responses have no such field.
        guard headers.fields.contains(where: { RateLimitFields.isOne($0.name) }) else { return [] }
        let now = now()
        // The lines of a list are one list (RFC 9651 4.2).
        let limits = headers.values(of: "RateLimit").joined(separator: ", ")
        if !limits.isEmpty {
            let policies = headers.values(of: "RateLimit-Policy").joined(separator: ", ")
            let structured = RateLimitFields.read(limits, policies: policies)
            if !structured.isEmpty { return structured }
        }
        let isThrottled = statusCode == .tooManyRequests || statusCode == .serviceUnavailable
        for fields in RateLimitFields.families {
            if let status = fields.status(in: headers, isThrottled: isThrottled, now: now) { return [status] }
        }
        return []
    }
}
