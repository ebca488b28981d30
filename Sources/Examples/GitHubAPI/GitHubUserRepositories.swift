public import StartSmall

extension GitHubRepository {
    /// Returns a call for the public repositories that a user owns: `GET /users/{username}/repos`, in pages.
    ///
    /// <https://docs.github.com/en/rest/repos/repos#list-repositories-for-a-user>
    ///
    /// - Parameters:
    ///   - login: the login name of the user.
    ///   - pageSize: the number of repositories per page, at most 100.
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
