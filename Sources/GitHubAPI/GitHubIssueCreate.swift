public import StartSmall

extension GitHubIssue {
    /// An issue that is to be created.
    public struct Draft: Encodable, Hashable, Sendable {
        /// The title.
        public var title: String

        /// The text, in Markdown.
        public var body: String?

        /// The names of its labels; GitHub leaves them out without a word where the user may not set them.
        public var labels: [String]

        /// Creates a draft.
        public init(title: String, body: String? = nil, labels: [String] = []) {
            self.title = title
            self.body = body
            self.labels = labels
        }
    }

    /// Creates an issue: `POST /repos/{owner}/{repo}/issues`, answered with 201 and the issue.
    ///
    /// <https://docs.github.com/en/rest/issues/issues#create-an-issue>
    ///
    /// - Parameters:
    ///   - draft: the issue.
    ///   - repository: the name of the repository.
    ///   - owner: whose repository it is.
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
