public import StartSmall

extension GitHubRepository {
    /// Which of the repositories are asked for.
    public enum Visibility: String, URITemplate.ValueConvertible, CaseIterable, Sendable {
        /// All of them.
        case all

        /// Those that everyone can see.
        case `public`

        /// Those that only some can see.
        case `private`
    }

    /// The repositories to which the owner of the credentials has access: `GET /user/repos`, in pages.
    ///
    /// ```swift
    /// GitHubRepository.list(visibility: .private)
    ///     .authorized(by: .basic(user: login, password: token))
    ///     .pages(via: .app)
    /// ```
    ///
    /// The password of basic authentication is a token here: GitHub has taken no other since 2020.
    ///
    /// <https://docs.github.com/en/rest/repos/repos#list-repositories-for-the-authenticated-user>
    ///
    /// - Parameters:
    ///   - visibility: which of them.
    ///   - pageSize: how many of them on a page, at most 100.
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
