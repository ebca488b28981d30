import Foundation
import GitHubAPI
import StartSmall

/// An archive of all files of a repository's default branch.
enum Archive {
    /// `GET /repos/{owner}/{repo}/tarball`: GitHub responds with the archive's location, and the redirect is followed.
    ///
    /// The file appears when it is complete.
    ///
    /// <https://docs.github.com/en/rest/repos/contents#download-a-repository-archive-tar>
    static func endpoint(of repository: RepositoryName, to file: URL) -> Endpoint<GitHubError, URL> {
        .download(
            .get(
                "https://api.github.com/repos/{owner}/{name}/tarball",
                ["owner": repository.owner, "name": repository.name]
            ),
            to: file,
            problem: GitHubProblem.self
        )
    }
}
