public import StartSmall

/// A search for repositories: `GET /search/repositories`, answered in pages of ``Found``.
///
/// ```swift
/// let search = GitHubRepositorySearch("http client", language: "Swift", minimumStars: 100, sort: .stars)
/// for await errorOrPage in search.endpoint.pages(via: .app) { … }
/// ```
///
/// GitHub finds 1,000 repositories at most, whatever their total count.
///
/// <https://docs.github.com/en/rest/search/search#search-repositories>
public struct GitHubRepositorySearch: Hashable, Sendable {
    /// The words to find, and whatever else GitHub's language of searches has.
    public var text: String

    /// The language that most of a repository is in, such as `Swift`.
    public var language: String?

    /// The user or organisation whose repositories are searched.
    public var owner: String?

    /// The least number of stars.
    public var minimumStars: Int?

    /// What comes first; nil for what matches best.
    public var sort: Sort?

    /// Whether the greatest comes first, if there is a `sort`.
    public var isDescending: Bool

    /// How many of them on a page, at most 100.
    public var pageSize: Int

    /// What the repositories are put in order by.
    public enum Sort: String, Encodable, Sendable {
        /// How many have marked it with a star.
        case stars

        /// How many copies of it there are.
        case forks

        /// When it was last changed.
        case updated
    }

    /// Creates a search.
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

    /// A page of what was found.
    public struct Found: Codable, Hashable, Sendable {
        /// How many repositories match.
        public let totalCount: Int

        /// Whether GitHub ran out of time, and may have found less than there is.
        public let isIncomplete: Bool

        /// The repositories of this page.
        public let items: [GitHubRepository]

        /// Creates a page, for tests.
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
    /// Its input is left with `ConnectionError.malformedURL` if a qualifier has a quotation mark in it, for which
    /// GitHub's language of searches has no form.
    public var endpoint: Endpoint<GitHubError, Found> {
        .json(
            Found.self,
            .get("https://api.github.com/search/repositories").queries(self),
            problem: GitHubProblem.self
        )
    }
}

extension GitHubRepositorySearch: Encodable {
    /// Writes the query as GitHub reads it.
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

    /// The words, and behind them what the repositories have to be.
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
