public import StartSmall
public import Dispatch

/// A user: `GET /users/{login}`.
///
/// The `fetch` functions call ``endpoint(byLogin:)``, whose own `fetch` has the same forms. An endpoint of another API
/// does not need them.
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

    /// Fetches the user with a login name.
    ///
    /// - Parameters:
    ///   - login: the login name.
    ///   - connector: the connector for the request.
    public static func fetch(
        byLogin login: String,
        via connector: Connector = .standard
    ) async -> Fetched<GitHubError, GitHubUser> {
        await endpoint(byLogin: login).fetch(via: connector)
    }

    /// Fetches the user with a login name, and calls a block with the result.
    ///
    /// - Parameters:
    ///   - login: the login name.
    ///   - connector: the connector for the request.
    ///   - queue: the queue on which the block is called, if there is one.
    ///   - block: receives the result.
    /// - Returns: the task of the call, for cancelling it.
    @discardableResult
    public static func fetch(
        byLogin login: String,
        via connector: Connector = .standard,
        on queue: DispatchQueue? = nil,
        _ block: @escaping @Sendable (Fetched<GitHubError, GitHubUser>) -> Void
    ) -> Task<Void, Never> {
        endpoint(byLogin: login).fetch(via: connector, on: queue, block)
    }
}
