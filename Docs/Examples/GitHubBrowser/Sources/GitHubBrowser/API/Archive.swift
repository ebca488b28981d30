import Foundation
import GitHubAPI
import StartSmall

/// All files of a repository's default branch, in one.
enum Archive {
    /// `GET /repos/{owner}/{repo}/tarball`: GitHub answers with where the archive is, and the redirect is followed.
    ///
    /// The file appears when it is whole. A download that broke off goes on when it is tried again.
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
