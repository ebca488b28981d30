import Testing

/// Tests of the articles of the guides.
struct ArticlesTests {
    /// The articles in English: the pages of the catalogs except their landing pages and translations.
    static let articles = ["Sources/StartSmall/StartSmall.docc", "Sources/StartSmallTesting/StartSmallTesting.docc"]
        .flatMap { files(in: $0, ending: ".md") }
        .filter { !$0.hasSuffix("JA.md") }
        .map(Markdown.read)
        .filter { $0.lines.first?.hasPrefix("# ``") != true }

    @Test("an article ends with its next steps", arguments: articles)
    func next(article: Markdown) {
        #expect(article.prose.last { $0.hasPrefix("## ") } == "## Where to go from here")
    }
}
