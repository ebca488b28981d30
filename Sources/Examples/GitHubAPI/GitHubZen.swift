public import StartSmall
public import Dispatch

/// A phrase of GitHub's design philosophy: `GET /zen`.
///
/// The `fetch` functions call ``endpoint``, whose own `fetch` has the same forms. An endpoint of another API does not
/// need them.
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

    /// Fetches a phrase.
    public static func fetch(via connector: Connector = .standard) async -> Fetched<GitHubError, GitHubZen> {
        await endpoint.fetch(via: connector)
    }

    /// Fetches a phrase, and calls a block with the result.
    ///
    /// - Parameters:
    ///   - connector: the connector for the request.
    ///   - queue: the queue on which the block is called, if there is one.
    ///   - block: receives the result.
    /// - Returns: the task of the call, for cancelling it.
    @discardableResult
    public static func fetch(
        via connector: Connector = .standard,
        on queue: DispatchQueue? = nil,
        _ block: @escaping @Sendable (Fetched<GitHubError, GitHubZen>) -> Void
    ) -> Task<Void, Never> {
        endpoint.fetch(via: connector, on: queue, block)
    }
}
