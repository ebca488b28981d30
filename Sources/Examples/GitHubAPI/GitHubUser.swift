public import StartSmall

/// A user: `GET /users/{login}`.
///
/// <https://docs.github.com/en/rest/users/users#get-a-user>
public struct GitHubUser: Codable, Hashable, Sendable {
    /// The number of the user, which never changes.
    public let id: Int64

    /// The login name, which can change.
    public let login: String

    /// Creates a user.
    public init(id: Int64, login: String) {
        self.id = id
        self.login = login
    }

    /// Decodes a user from a response.
    public static func from(response: Response) -> Either<GitHubError, GitHubUser> {
        response.json(problem: GitHubProblem.self)
    }

    /// Returns a call for the user with a login name.
    public static func endpoint(byLogin login: String) -> Endpoint<GitHubError, GitHubUser> {
        Endpoint(.get("https://api.github.com/users/{login}", ["login": login]), transform: from)
    }
}
