import GitHubAPI
import StartSmall

/// A user's profile on GitHub; `GitHubUser` has fewer members, all that a list of repositories has of their owners.
struct Profile: Codable, Hashable, Sendable {
    let login: String
    let name: String?
    let bio: String?
    let repositories: Int
    let followers: Int

    private enum CodingKeys: String, CodingKey {
        case login, name, bio, followers
        case repositories = "public_repos"
    }

    /// `GET /users/{username}`.
    ///
    /// <https://docs.github.com/en/rest/users/users#get-a-user>
    static func endpoint(of login: String) -> Endpoint<GitHubError, Profile> {
        .json(
            Profile.self,
            .get("https://api.github.com/users/{login}", ["login": login]),
            problem: GitHubProblem.self
        )
    }
}
