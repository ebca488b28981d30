public import StartSmall

extension GitHubRepository {
    /// The public repositories that a user owns: `GET /users/{username}/repos`, in pages.
    ///
    /// <https://docs.github.com/en/rest/repos/repos#list-repositories-for-a-user>
    ///
    /// - Parameters:
    ///   - login: the name under which the user logs in.
    ///   - pageSize: how many of them on a page, at most 100.
    public static func list(
        ofUser login: String,
        pageSize: Int = GitHubPages.defaultPageSize
    ) -> Endpoint<GitHubError, [GitHubRepository]> {
        .json(
            [GitHubRepository].self,
            .get("https://api.github.com/users/{login}/repos{?per_page}", ["login": login, "per_page": pageSize]),
            problem: GitHubProblem.self
        )
    }
}
