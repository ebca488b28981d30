public import StartSmall

extension QiitaArticle {
    /// An article that is to be posted.
    public struct Draft: Encodable, Hashable, Sendable {
        /// The title.
        public var title: String

        /// The text, in Markdown.
        public var body: String

        /// What it is about; Qiita wants one at least, and five at most.
        public var tags: [Tag]

        /// Whether only those who know its address shall read it.
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

    /// Posts an article: `POST /api/v2/items`, answered with 201 and the article.
    ///
    /// Needs a token of the scope `write_qiita`.
    ///
    /// <https://qiita.com/api/v2/docs#post-apiv2items>
    public static func post(_ draft: Draft) -> Endpoint<QiitaError, QiitaArticle> {
        Endpoint(.post("https://qiita.com/api/v2/items", payload: .json(draft)), transform: from)
    }
}
