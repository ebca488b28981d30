public import StartSmall

extension GitHubIssue {
    /// Why an issue is closed.
    public enum Closing: String, Encodable, CaseIterable, Sendable {
        /// What was to do is done.
        case completed

        /// Nothing will be done.
        case notPlanned = "not_planned"
    }

    /// Closes an issue: `PATCH /repos/{owner}/{repo}/issues/{issue_number}`, answered with 200 and the issue.
    ///
    /// <https://docs.github.com/en/rest/issues/issues#update-an-issue>
    ///
    /// - Parameters:
    ///   - number: the number of the issue in its repository.
    ///   - repository: the name of the repository.
    ///   - owner: whose repository it is.
    ///   - reason: why.
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
