public import StartSmall

/// Where GitHub gives a list in parts.
///
/// <https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api>
public enum GitHubPages {
    /// 100 items on a page, the most that GitHub gives, so that a list takes the fewest calls.
    public static let defaultPageSize = 100
}

extension Endpoint where Failure == GitHubError {
    /// The pages that begin with this one, each of which says in its `WebLink` header where the next one is.
    ///
    /// ```swift
    /// for await errorOrRepository in GitHubRepository.list(ofUser: "octocat").pages().items { … }
    /// ```
    public func pages(via connector: Connector = .standard) -> Pages<GitHubError, Value> {
        pages(by: .link(), via: connector)
    }
}
