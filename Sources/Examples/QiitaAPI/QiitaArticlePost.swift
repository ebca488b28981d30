public import StartSmall

extension QiitaArticle {
    /// A new article that has not been posted yet.
    public struct Draft: Encodable, Hashable, Sendable {
        /// The title.
        public var title: String

        /// The text, in Markdown.
        public var body: String

        /// The topics of the article; Qiita requires one to five.
        public var tags: [Tag]

        /// Whether the article is visible only to people who know its URL.
        public var isPrivate: Bool

        /// Creates a draft.
        public init(title: String, body: String, tags: [Tag], isPrivate: Bool = false) {
            self.title = title
            self.body = body
            self.tags = tags
            self.isPrivate = isPrivate
        }

        private enum CodingKeys: String, CodingKey {
            case title, body, tags
            case isPrivate = "private"
        }
    }

    /// Returns a call that posts an article: `POST /api/v2/items`.
    ///
    /// The response has the status 201 and the article.
    ///
    /// The call needs a token with the scope `write_qiita`.
    ///
    /// <https://qiita.com/api/v2/docs#post-apiv2items>
    public static func post(_ draft: Draft) -> Endpoint<QiitaError, QiitaArticle> {
        Endpoint(.post("https://qiita.com/api/v2/items", payload: .json(draft)), transform: from)
    }
}
