/// A repository.
///
/// <https://docs.github.com/en/rest/repos/repos>
public struct GitHubRepository: Codable, Hashable, Sendable {
    /// The number of the repository, which never changes.
    public let id: Int64

    /// The name, without that of the owner.
    public let name: String

    /// Whose it is: a user, or an organisation.
    public let owner: GitHubUser

    /// Whether only those who may can see it.
    public let isPrivate: Bool

    /// Whether it began as a copy of another one.
    public let isFork: Bool

    /// What it is for, in a sentence.
    public let summary: String?

    /// How many have marked it with a star; nil where GitHub does not say.
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
