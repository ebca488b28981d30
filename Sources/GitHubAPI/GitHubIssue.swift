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

    /// Whether the issue is still open.
    public let state: State

    /// A state of an issue.
    public enum State: String, Codable, Sendable {
        /// Work remains to be done.
        case open

        /// No work remains to be done.
        case closed
    }

    /// Creates an issue.
    ///
    /// - Parameters:
    ///   - number: the number of the issue in its repository, from 1.
    ///   - title: the title.
    ///   - body: the text, in Markdown.
    ///   - state: whether the issue is still open.
    public init(number: Int, title: String, body: String? = nil, state: State = .open) {
        self.number = number
        self.title = title
        self.body = body
        self.state = state
    }

    /// Decodes an issue from a response.
    public static func from(response: Response) -> Either<GitHubError, GitHubIssue> {
        response.json(problem: GitHubProblem.self)
    }
}
