public import StartSmall

/// A phrase of GitHub's design philosophy: `GET /zen`.
///
/// <https://docs.github.com/en/rest/meta/meta#get-the-zen-of-github>
public struct GitHubZen: Hashable, Sendable {
    /// The phrase.
    public let text: String

    /// Creates a phrase.
    public init(text: String) {
        self.text = text
    }

    /// Decodes a phrase from a response.
    public static func from(response: Response) -> Either<GitHubError, GitHubZen> {
        response.text(problem: GitHubProblem.self).map(GitHubZen.init)
    }

    /// The call for a phrase.
    public static let endpoint = Endpoint(.get("https://api.github.com/zen"), transform: from)
}
