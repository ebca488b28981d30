public import Foundation
public import StartSmall

/// How many calls are left, as GitHub says in the headers of each response, of errors too.
///
/// ```swift
/// let limit = GitHubRateLimit(of: response)
/// ```
///
/// <https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api>
public struct GitHubRateLimit: Hashable, Sendable {
    /// How many calls are allowed in the present hour, or minute for a search.
    public let limit: Int

    /// How many of them are left.
    public let remaining: Int

    /// When there are as many again as allowed.
    public let resetsAt: Date

    /// What the limit is for, such as `core` or `search`; each counts for itself.
    public let resource: String?

    /// Creates a limit.
    public init(limit: Int, remaining: Int, resetsAt: Date, resource: String? = nil) {
        self.limit = limit
        self.remaining = remaining
        self.resetsAt = resetsAt
        self.resource = resource
    }

    /// Reads a limit; nil if the response does not say one, or says something else than counts.
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
