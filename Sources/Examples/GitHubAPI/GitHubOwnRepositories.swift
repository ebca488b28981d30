public import StartSmall

extension GitHubRepository {
    /// A filter of repositories by their visibility.
    public enum Visibility: String, URITemplate.ValueConvertible, CaseIterable, Sendable {
        /// All repositories.
        case all

        /// Repositories that are visible to everyone.
        case `public`

        /// Repositories that are visible to authorized users only.
        case `private`
    }

    /// Returns a call for the repositories to which the credentials give access: `GET /user/repos`, in pages.
    ///
    /// ```swift
    /// GitHubRepository.list(visibility: .private)
    ///     .authorized(by: .basic(user: login, password: token))
    ///     .pages().stream(via: .app)
    /// ```
    ///
    /// The password of basic authentication is a token here: GitHub has accepted no other password since 2020.
    ///
    /// <https://docs.github.com/en/rest/repos/repos#list-repositories-for-the-authenticated-user>
    ///
    /// - Parameters:
    ///   - visibility: the visibility of the repositories.
    ///   - pageSize: the number of repositories per page, at most 100.
    public static func list(
        visibility: Visibility = .all,
        pageSize: Int = GitHubPages.defaultPageSize
    ) -> Endpoint<GitHubError, [GitHubRepository]> {
        .json(
            [GitHubRepository].self,
            .get(
                "https://api.github.com/user/repos{?visibility,per_page}",
                ["visibility": visibility, "per_page": pageSize]
            ),
            problem: GitHubProblem.self
        )
    }
}
