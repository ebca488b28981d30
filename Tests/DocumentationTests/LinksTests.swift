import Testing

struct LinksTests {
    @Test("each file that is linked to exists", arguments: Markdown.all)
    func linksLeadSomewhere(markdown: Markdown) {
        for path in markdown.linkedPaths {
            #expect(exists(path), "\(markdown.path) links to \(path)")
        }
    }

    @Test("links are found, and seen from the file that has them")
    func linksAreFound() {
        let markdown = Markdown(
            path: "Docs/x.md",
            lines: ["[a](../README.md) [b](y.md#z)", "```text", "[c](no)", "```"]
        )
        #expect(markdown.linkedPaths == ["README.md", "Docs/y.md"])
    }

    @Test(
        "each wrapper has a section in the guide",
        arguments: files(in: "Sources/StartSmall/Wrappers", ending: ".swift")
    )
    func wrappersHaveSections(file: String) {
        let name = file.split(separator: "/").last.map { $0.dropLast(".swift".count) } ?? ""
        let function = name.prefix(1).lowercased() + name.dropFirst()
        let headings = Markdown.read("Docs/StartSmall.docc/Wrappers.md").prose.filter { $0.hasPrefix("## ") }
        #expect(headings.contains { $0.hasPrefix("## `.\(function)(") }, "## `.\(function)(…)`")
    }
}
