public import StartSmall
public import StartSmallStreams

/// The page sizes of GitHub's lists.
///
/// <https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api>
public enum GitHubPages {
    /// 100 items per page, GitHub's maximum, so that a list takes the fewest calls.
    public static let defaultPageSize = 100
}

extension Endpoint where Failure == GitHubError {
    /// Returns this page and the following ones, by the `Link` header field of each page.
    ///
    /// ```swift
    /// for await errorOrRepository in GitHubRepository.list(ofUser: "octocat").pages().items(via: .app) { … }
    /// ```
    public func pages() -> Pages<GitHubError, Value> { pages(by: .link()) }
}
