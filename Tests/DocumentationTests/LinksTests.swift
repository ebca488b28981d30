import Testing

struct LinksTests {
    @Test("each linked file exists", arguments: Markdown.all)
    func linksLeadSomewhere(markdown: Markdown) {
        for link in markdown.links {
            #expect(exists(link.path), "\(markdown.path) links to \(link.path)")
        }
    }

    @Test("each picture of a catalog exists", arguments: Markdown.all)
    func picturesExist(markdown: Markdown) {
        for picture in markdown.pictures { #expect(exists(picture), "\(markdown.path) shows \(picture)") }
    }

    @Test("each linked section exists", arguments: Markdown.all)
    func anchorsLeadSomewhere(markdown: Markdown) {
        for link in markdown.links {
            guard let anchor = link.anchor else { continue }
            let hasAnchor = Markdown.read(link.path).anchors.contains(anchor)
            #expect(hasAnchor, "\(markdown.path) links to \(link.path)#\(anchor)")
        }
    }

    @Test(
        "an article in English ends with its next steps",
        arguments: Markdown.all.filter { page in
            page.path.contains(/Sources\/StartSmall(?:Testing)?\/.*\.md/) && !page.path.hasSuffix("JA.md")
                && page.lines.first?.hasPrefix("# ``") != true
        }
    )
    func nextSteps(article: Markdown) {
        #expect(article.prose.last { $0.hasPrefix("## ") } == "## Where to go from here")
    }

    @Test("no heading has backticks, which DocC shows unformatted", arguments: Markdown.all)
    func plainHeadings(markdown: Markdown) {
        #expect(!markdown.prose.contains { $0.hasPrefix("##") && $0.contains("`") })
    }

    @Test("links are found, and resolved relative to their file")
    func linksAreFound() {
        let lines = ["[a](../README.md) [b](y.md#z)", "[d](doc:no) [e](https://no)", "```text", "[c](no)", "```"]
        let markdown = Markdown(path: "Docs/x.md", lines: lines)
        #expect(markdown.links.map(\.path) == ["README.md", "Docs/y.md"])
        #expect(markdown.links.map(\.anchor) == [nil, "z"])
    }

    @Test(
        "each wrapper has a section in the guide",
        arguments: [
            "Sources/StartSmall/Wrappers", "Sources/Products/StartSmallAuth", "Sources/Products/StartSmallDownloads",
        ].flatMap {
            files(in: $0, ending: ".swift")
        }
        .flatMap { file in
            text(of: file).matches(of: /public static func (\w+)(?:(?!static func)[\s\S])*?\) -> Wrapper \{/)
                .map { String($0.output.1) }
        }
    )
    func wrappersHaveSections(function: String) {
        let headings = Markdown.read("Sources/StartSmall/StartSmall.docc/Wrappers.md").prose.filter {
            $0.hasPrefix("## ")
        }
        #expect(headings.contains { $0.hasPrefix("## .\(function)(") }, "## .\(function)(…)")
    }
}
