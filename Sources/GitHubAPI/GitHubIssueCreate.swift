public import StartSmall

extension GitHubIssue {
    /// A new issue that has not been created yet.
    public struct Draft: Encodable, Hashable, Sendable {
        /// The title.
        public var title: String

        /// The text, in Markdown.
        public var body: String?

        /// The names of its labels; GitHub silently drops labels that the user may not set.
        public var labels: [String]

        /// Creates a draft.
        ///
        /// - Parameters:
        ///   - title: the title.
        ///   - body: the text, in Markdown.
        ///   - labels: the names of its labels.
        public init(title: String, body: String? = nil, labels: [String] = []) {
            self.title = title
            self.body = body
            self.labels = labels
        }
    }

    /// Returns a call that creates an issue: `POST /repos/{owner}/{repo}/issues`.
    ///
    /// The response has the status 201 and the issue.
    ///
    /// <https://docs.github.com/en/rest/issues/issues#create-an-issue>
    ///
    /// - Parameters:
    ///   - draft: the issue.
    ///   - repository: the name of the repository.
    ///   - owner: the login of the repository's owner.
    public static func create(
        _ draft: Draft,
        in repository: String,
        of owner: String
    ) -> Endpoint<GitHubError, GitHubIssue> {
        Endpoint(
            .post(
                "https://api.github.com/repos/{owner}/{repo}/issues",
                ["owner": owner, "repo": repository],
                payload: .json(draft)
            ),
            transform: from
        )
    }
}
