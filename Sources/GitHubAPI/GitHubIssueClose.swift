public import StartSmall

extension GitHubIssue {
    /// A reason for closing an issue.
    public enum Closing: String, Encodable, CaseIterable, Sendable {
        /// The work is done.
        case completed

        /// The work will not be done.
        case notPlanned = "not_planned"
    }

    /// Returns a call that closes an issue: `PATCH /repos/{owner}/{repo}/issues/{issue_number}`.
    ///
    /// The response has the status 200 and the issue.
    ///
    /// <https://docs.github.com/en/rest/issues/issues#update-an-issue>
    ///
    /// - Parameters:
    ///   - number: the number of the issue in its repository.
    ///   - repository: the name of the repository.
    ///   - owner: the login of the repository's owner.
    ///   - reason: the reason for closing the issue.
    public static func close(
        _ number: Int,
        in repository: String,
        of owner: String,
        as reason: Closing = .completed
    ) -> Endpoint<GitHubError, GitHubIssue> {
        Endpoint(
            .patch(
                "https://api.github.com/repos/{owner}/{repo}/issues/{number}",
                ["owner": owner, "repo": repository, "number": number],
                payload: .json(["state": State.closed.rawValue, "state_reason": reason.rawValue])
            ),
            transform: from
        )
    }
}
