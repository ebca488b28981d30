/// A repository.
///
/// <https://docs.github.com/en/rest/repos/repos>
public struct GitHubRepository: Codable, Hashable, Sendable {
    /// The number of the repository, which never changes.
    public let id: Int64

    /// The name, without that of the owner.
    public let name: String

    /// The owner: a user, or an organisation.
    public let owner: GitHubUser

    /// Whether the repository is visible to authorized users only.
    public let isPrivate: Bool

    /// Whether the repository started as a copy of another one.
    public let isFork: Bool

    /// The description of the repository, in a sentence.
    public let summary: String?

    /// The number of users who starred the repository; nil if GitHub does not send it.
    public let stars: Int?

    /// Creates a repository.
    public init(
        id: Int64,
        name: String,
        owner: GitHubUser,
        isPrivate: Bool = false,
        isFork: Bool = false,
        summary: String? = nil,
        stars: Int? = nil
    ) {
        self.id = id
        self.name = name
        self.owner = owner
        self.isPrivate = isPrivate
        self.isFork = isFork
        self.summary = summary
        self.stars = stars
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, owner
        case isPrivate = "private"
        case isFork = "fork"
        case summary = "description"
        case stars = "stargazers_count"
    }
}
