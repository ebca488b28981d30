import GitHubAPI
import StartSmall
import StartSmallStreams

/// `github-browser repositories LOGIN`: shows a user's repositories page by page.
enum RepositoriesScreen {
    /// The number of repositories that fit on a terminal of 24 lines, with the question below them.
    static let defaultPageSize = 20

    /// Shows a page, and asks before it shows the next page, which is fetched while the user reads.
    static func show(
        _ login: String,
        _ terminal: Terminal,
        pageSize: Int = defaultPageSize,
        via connector: Connector
    ) async throws(Complaint) {
        var shown = 0
        let pages = GitHubRepository.list(ofUser: login, pageSize: pageSize).pages()
        for await errorOrPage in pages.stream(via: connector) {
            let page = try errorOrPage.mapLeft(Complaint.init).get()
            guard shown == 0 || terminal.wantsMore() else { return }
            for repository in page { terminal.show(line(repository)) }
            shown += page.count
        }
        if shown == 0 { terminal.show("\(login) has no public repositories.") }
    }

    /// Returns a line such as `Hello-World  ★ 80  My first repository`.
    static func line(_ repository: GitHubRepository) -> String {
        let stars = repository.stars.map { "★ \($0)" }
        return [repository.name, stars, repository.isFork ? "fork" : nil, repository.summary]
            .compactMap(\.self).joined(separator: "  ")
    }
}
