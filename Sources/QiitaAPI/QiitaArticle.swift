public import Foundation
public import StartSmall

/// An article, which the API calls an item.
///
/// <https://qiita.com/api/v2/docs#item>
public struct QiitaArticle: Codable, Hashable, Sendable {
    /// What the article is called by in the API, 20 hexadecimal digits.
    public let id: String

    /// The title.
    public let title: String

    /// The text, in Markdown.
    public let body: String

    /// Where people read it.
    public let url: URL

    /// Whether only those who know its address can read it.
    public let isPrivate: Bool

    /// What it is about.
    public let tags: [Tag]

    /// When it was posted.
    public let createdAt: Date

    /// When it was last changed.
    public let updatedAt: Date

    /// Creates an article, for tests.
    public init(
        id: String,
        title: String,
        body: String,
        url: URL,
        isPrivate: Bool = false,
        tags: [Tag],
        createdAt: Date,
        updatedAt: Date
    ) {
        self.id = id
        self.title = title
        self.body = body
        self.url = url
        self.isPrivate = isPrivate
        self.tags = tags
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// One of the things that an article is about.
    public struct Tag: Codable, Hashable, Sendable {
        /// The name, such as `Swift`.
        public let name: String

        /// The versions that the article is about, such as `6.2`; often none.
        public let versions: [String]

        /// Creates a tag.
        public init(_ name: String, versions: [String] = []) {
            self.name = name
            self.versions = versions
        }
    }

    private enum CodingKeys: String, CodingKey {
        case id, title, body, url, tags
        case isPrivate = "private"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    /// What a response means.
    public static func from(response: Response) -> Either<QiitaError, QiitaArticle> {
        response.json(decoder: decoder)
    }

    /// Dates are written as RFC 3339 has them.
    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}
