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
        func count(_ name: String) -> Int? {
            response.headers["X-RateLimit-\(name)"].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
        }
        guard let limit = count("Limit"), let remaining = count("Remaining"), let reset = count("Reset") else {
            return nil
        }
        self.init(
            limit: limit,
            remaining: remaining,
            resetsAt: Date(timeIntervalSince1970: TimeInterval(reset)),
            resource: response.headers["X-RateLimit-Resource"]
        )
    }
}
