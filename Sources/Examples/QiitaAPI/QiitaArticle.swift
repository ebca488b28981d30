public import StartSmall

/// An article, called an item in the API.
///
/// <https://qiita.com/api/v2/docs#item>
public struct QiitaArticle: Codable, Hashable, Sendable {
    /// The ID of the article in the API, 20 hexadecimal digits.
    public let id: String

    /// The title.
    public let title: String

    /// The text, in Markdown.
    public let body: String

    /// The URL of the article's web page.
    public let url: URL

    /// Whether the article is visible only to people who know its URL.
    public let isPrivate: Bool

    /// The topics of the article.
    public let tags: [Tag]

    /// The time at which the article was posted.
    public let createdAt: Date

    /// The time of the last change.
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

    /// A topic of an article.
    public struct Tag: Codable, Hashable, Sendable {
        /// The name, such as `Swift`.
        public let name: String

        /// The versions of the topic that the article applies to, such as `6.2`; often none.
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

    /// Decodes an article from a response.
    public static func from(response: Response) -> Either<QiitaError, QiitaArticle> {
        response.json(decoder: decoder, problem: QiitaProblem.self)
    }

    /// The decoder of articles, with dates in the format of RFC 3339.
    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}
