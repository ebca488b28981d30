public import Dispatch
public import StartSmall

/// A user: `GET /users/{login}`.
///
/// <https://docs.github.com/en/rest/users/users#get-a-user>
public struct GitHubUser: Codable, Hashable, Sendable {
    /// The number of the user, which never changes.
    public let id: Int64

    /// The name under which the user logs in, which can change.
    public let login: String

    /// Creates a user.
    public init(id: Int64, login: String) {
        self.id = id
        self.login = login
    }

    /// What a response means.
    public static func from(response: Response) -> Either<GitHubError, GitHubUser> {
        response.json()
    }

    /// What to send.
    public static func endpoint(byLogin login: String) -> Endpoint<GitHubError, GitHubUser> {
        Endpoint(.get("https://api.github.com/users/{login}", ["login": login]), transform: from)
    }

    /// Fetches the user of a login.
    public static func fetch(
        byLogin login: String,
        via connector: Connector = .standard
    ) async -> Fetched<GitHubError, GitHubUser> {
        await endpoint(byLogin: login).fetch(via: connector)
    }

    /// Fetches the user of a login, and calls `block` with what comes of it, on the queue if there is one.
    ///
    /// - Returns: the task of the call, to cancel it.
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
