import Testing

/// Tests of the existing translations of articles; `make docs` reports missing and outdated ones.
struct TranslationsTests {
    /// The English articles: the pages of the catalogs except their landing pages and translations.
    static let articles: [Markdown] = catalogs.flatMap { files(in: $0, ending: ".md") }
        .filter { !$0.hasSuffix("JA.md") }
        .map(Markdown.read)
        .filter { !$0.isLandingPage }

    /// The landing page of each module.
    static let landingPages = [
        "StartSmall", "StartSmallCaching", "StartSmallCookies", "StartSmallMetrics", "StartSmallResilience",
        "StartSmallTesting", "GitHubAPI", "QiitaAPI",
    ].map { module in Markdown.read("Sources/\(module)/\(module).docc/\(module).md") }

    private static let catalogs = [
        "Sources/StartSmall/StartSmall.docc", "Sources/StartSmallTesting/StartSmallTesting.docc",
    ]

    @Test(
        "a translation has a title with kana, and links to Japanese articles",
        arguments: articles.filter(\.isTranslated)
    )
    func language(article: Markdown) {
        #expect(
            article.translation.lines.first?.unicodeScalars.contains { ("\u{3041}"..."\u{30FF}").contains($0) } == true
        )
        let links = article.translation.prose.flatMap {
            $0.matches(of: /<doc:([A-Za-z]+)>/).map { String($0.output.1) }
        }
        #expect(links.allSatisfy { $0.hasSuffix("JA") })
    }

    @Test("an article ends with its next steps", arguments: articles)
    func next(article: Markdown) {
        #expect(article.prose.last { $0.hasPrefix("## ") } == "## Where to go from here")
    }

    @Test("a translation is listed in the topics", arguments: (articles + landingPages).filter(\.isTranslated))
    func listed(article: Markdown) {
        let name = article.translation.path.split(separator: "/").last?.dropLast(".md".count) ?? ""
        let lists = ["Sources/StartSmall/StartSmall.docc/ja/StartSmallJA.md"] + Self.landingPages.map(\.path)
        #expect(lists.contains { Markdown.read($0).lines.contains("- <doc:\(name)>") })
    }
}

extension Markdown {
    fileprivate var isLandingPage: Bool { lines.first?.hasPrefix("# ``") == true }

    /// The path of the translation: `ja/NameJA.md` beside `Name.md`.
    private var pathOfTranslation: String {
        let parts = path.split(separator: "/")
        let folder = parts.dropLast().joined(separator: "/")
        return "\(folder)/ja/\(parts.last?.dropLast(".md".count) ?? "")JA.md"
    }

    fileprivate var isTranslated: Bool { exists(pathOfTranslation) }

    fileprivate var translation: Markdown { .read(pathOfTranslation) }
}
