public import StartSmall

/// A search for repositories: `GET /search/repositories`, answered with pages of ``Found``.
///
/// ```swift
/// let search = GitHubRepositorySearch("http client", language: "Swift", minimumStars: 100, sort: .stars)
/// for await errorOrPage in search.endpoint.pages(via: .app) { … }
/// ```
///
/// GitHub returns 1,000 repositories at most, regardless of their total count.
///
/// <https://docs.github.com/en/rest/search/search#search-repositories>
public struct GitHubRepositorySearch: Hashable, Sendable {
    /// The words to find, with anything else that GitHub's search syntax supports.
    public var text: String

    /// The main programming language of a repository, such as `Swift`.
    public var language: String?

    /// The user or organisation whose repositories are searched.
    public var owner: String?

    /// The minimum number of stars.
    public var minimumStars: Int?

    /// The sort order; nil for the best match first.
    public var sort: Sort?

    /// Whether the order is descending, if there is a `sort`.
    public var isDescending: Bool

    /// The number of repositories per page, at most 100.
    public var pageSize: Int

    /// A sort order of repositories.
    public enum Sort: String, Encodable, Sendable {
        /// The number of stars.
        case stars

        /// The number of forks.
        case forks

        /// The time of the last change.
        case updated
    }

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - text: the words to find.
    ///   - language: the main programming language of a repository, such as `Swift`.
    ///   - owner: the user or organisation whose repositories are searched.
    ///   - minimumStars: the minimum number of stars.
    ///   - sort: the sort order; nil for the best match first.
    ///   - isDescending: whether the order is descending.
    ///   - pageSize: the number of repositories per page, at most 100.
    public init(
        _ text: String,
        language: String? = nil,
        owner: String? = nil,
        minimumStars: Int? = nil,
        sort: Sort? = nil,
        isDescending: Bool = true,
        pageSize: Int = GitHubPages.defaultPageSize
    ) {
        self.text = text
        self.language = language
        self.owner = owner
        self.minimumStars = minimumStars
        self.sort = sort
        self.isDescending = isDescending
        self.pageSize = pageSize
    }

    /// A page of search results.
    public struct Found: Codable, Hashable, Sendable {
        /// The number of matching repositories.
        public let totalCount: Int

        /// Whether GitHub's search timed out, so that results may be missing.
        public let isIncomplete: Bool

        /// The repositories of this page.
        public let items: [GitHubRepository]

        /// Creates a page, for tests.
        ///
        /// - Parameters:
        ///   - totalCount: the number of matching repositories.
        ///   - isIncomplete: whether GitHub's search timed out.
        ///   - items: the repositories of this page.
        public init(totalCount: Int, isIncomplete: Bool = false, items: [GitHubRepository]) {
            self.totalCount = totalCount
            self.isIncomplete = isIncomplete
            self.items = items
        }

        private enum CodingKeys: String, CodingKey {
            case items
            case totalCount = "total_count"
            case isIncomplete = "incomplete_results"
        }
    }

    /// The call for the first page.
    ///
    /// Its input is left with `ConnectionError.malformedURL` if a qualifier contains a quotation mark, which GitHub's
    /// search syntax can't express.
    public var endpoint: Endpoint<GitHubError, Found> {
        .json(
            Found.self,
            .get("https://api.github.com/search/repositories").queries(self),
            problem: GitHubProblem.self
        )
    }
}

extension GitHubRepositorySearch: Encodable {
    /// Encodes the query in GitHub's form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(try query(at: container.codingPath), forKey: .query)
        try container.encodeIfPresent(sort, forKey: .sort)
        if sort != nil { try container.encode(isDescending ? "desc" : "asc", forKey: .order) }
        try container.encode(pageSize, forKey: .pageSize)
    }

    private enum CodingKeys: String, CodingKey {
        case query = "q"
        case sort, order
        case pageSize = "per_page"
    }

    /// Returns the words, followed by the qualifiers.
    private func query(at path: [any CodingKey]) throws(EncodingError) -> String {
        var terms = text.isEmpty ? [] : [text]
        for (name, value) in [("language", language), ("user", owner)] {
            guard let value else { continue }
            if value.utf8.contains(UInt8(ascii: "\"")) {
                let reason = "a quotation mark in the \(name)"
                throw .invalidValue(value, .init(codingPath: path + [CodingKeys.query], debugDescription: reason))
            }
            terms.append("\(name):\"\(value)\"")
        }
        if let minimumStars { terms.append("stars:>=\(minimumStars)") }
        return terms.joined(separator: " ")
    }
}
