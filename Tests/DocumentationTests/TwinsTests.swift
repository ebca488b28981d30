import Testing

/// Each article is there in English and in Japanese, and both show the same code.
struct TwinsTests {
    /// The articles in English: what stands in a catalog, is not its landing page, and is no twin.
    static let articles: [Markdown] = catalogs.flatMap { files(in: $0, ending: ".md") }
        .filter { !$0.hasSuffix("JA.md") }
        .map(Markdown.read)
        .filter { !$0.isLandingPage }

    /// The landing page of each module.
    static let landingPages = ["StartSmall", "StartSmallTesting", "GitHubAPI", "QiitaAPI"].map { module in
        Markdown.read("Docs/\(module).docc/\(module).md")
    }

    private static let catalogs = ["Docs/StartSmall.docc", "Docs/StartSmallTesting.docc"]

    @Test(
        "each article has a twin in Japanese that shows the same code in the same order",
        arguments: articles + landingPages
    )
    func code(article: Markdown) {
        #expect(exists(article.twin.path), "\(article.twin.path)")
        #expect(article.blocks.map(Code.init) == article.twin.blocks.map(Code.init))
    }

    @Test("the twin has the same sections, and tables of as many rows", arguments: articles)
    func structure(article: Markdown) {
        #expect(article.count(of: "#") == article.twin.count(of: "#"))
        #expect(article.count(of: "|") == article.twin.count(of: "|"))
    }

    @Test("the twin has a title with kana, and leads to articles in Japanese", arguments: articles)
    func language(article: Markdown) {
        #expect(article.twin.lines.first?.unicodeScalars.contains { ("\u{3041}"..."\u{30FF}").contains($0) } == true)
        let links = article.twin.prose.flatMap { $0.matches(of: /<doc:([A-Za-z]+)>/).map { String($0.output.1) } }
        #expect(links.allSatisfy { $0.hasSuffix("JA") })
    }

    @Test("each article says where to go next", arguments: articles)
    func next(article: Markdown) {
        #expect(article.prose.last { $0.hasPrefix("## ") } == "## Where to go from here")
    }

    @Test("each twin is listed where its readers look", arguments: articles + landingPages)
    func listed(article: Markdown) {
        let name = article.twin.path.split(separator: "/").last?.dropLast(".md".count) ?? ""
        let lists = ["Docs/StartSmall.docc/ja/StartSmallJA.md"] + Self.landingPages.map(\.path)
        #expect(lists.contains { Markdown.read($0).lines.contains("- <doc:\(name)>") })
    }

    /// A block without the place where it stands.
    private struct Code: Equatable {
        let language: String
        let lines: [String]

        init(_ block: Block) {
            language = block.language
            lines = block.lines
        }
    }
}

extension Markdown {
    fileprivate var isLandingPage: Bool { lines.first?.hasPrefix("# ``") == true }

    /// The same in Japanese: `ja/NameJA.md` beside `Name.md`.
    fileprivate var twin: Markdown {
        let parts = path.split(separator: "/")
        let folder = parts.dropLast().joined(separator: "/")
        return .read("\(folder)/ja/\(parts.last?.dropLast(".md".count) ?? "")JA.md")
    }

    /// How many lines outside of blocks begin with this.
    fileprivate func count(of beginning: String) -> Int { prose.count { $0.hasPrefix(beginning) } }
}
