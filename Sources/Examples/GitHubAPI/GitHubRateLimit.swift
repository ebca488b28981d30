public import StartSmall

/// A rate limit, as GitHub sends it in the header fields of each response, including errors.
///
/// ```swift
/// let limit = GitHubRateLimit(of: response)
/// ```
///
/// <https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api>
public struct GitHubRateLimit: Hashable, Sendable {
    /// The number of allowed calls in the current hour.
    public let limit: Int

    /// The number of remaining calls.
    public let remaining: Int

    /// The time at which the count starts again.
    public let resetsAt: Date

    /// The group of calls that the limit applies to, such as `core`; each group has its own limit.
    public let resource: String?

    /// Creates a limit.
    public init(limit: Int, remaining: Int, resetsAt: Date, resource: String? = nil) {
        self.limit = limit
        self.remaining = remaining
        self.resetsAt = resetsAt
        self.resource = resource
    }

    /// Creates a limit from a response's header fields; nil if they are missing or are not counts.
    public init?(of response: Response) {
        func count<Number: FixedWidthInteger>(_ name: String) -> Number? {
            response.headers["X-RateLimit-\(name)"].flatMap { Number($0) }.flatMap { $0 < 0 ? nil : $0 }
        }
        // Seconds since 1970 do not fit into the 32 bits that `Int` has on watchOS after 2038.
        let reset: Int64? = count("Reset")
        guard let limit: Int = count("Limit"), let remaining: Int = count("Remaining"), let reset else { return nil }
        self.init(
            limit: limit,
            remaining: remaining,
            resetsAt: Date(timeIntervalSince1970: TimeInterval(reset)),
            resource: response.headers["X-RateLimit-Resource"]
        )
    }
}
