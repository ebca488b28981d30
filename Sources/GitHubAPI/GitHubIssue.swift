public import StartSmall

/// An issue of a repository.
///
/// <https://docs.github.com/en/rest/issues/issues>
public struct GitHubIssue: Codable, Hashable, Sendable {
    /// The number of the issue in its repository, from 1.
    public let number: Int

    /// The title.
    public let title: String

    /// The text, in Markdown.
    public let body: String?

    /// Whether there is still something to do.
    public let state: State

    /// Whether there is still something to do about an issue.
    public enum State: String, Codable, Sendable {
        /// There is.
        case open

        /// There is not.
        case closed
    }

    /// Creates an issue.
    public init(number: Int, title: String, body: String? = nil, state: State = .open) {
        self.number = number
        self.title = title
        self.body = body
        self.state = state
    }

    /// What a response means.
    public static func from(response: Response) -> Either<GitHubError, GitHubIssue> {
        response.json()
    }
}
