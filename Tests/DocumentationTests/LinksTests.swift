import Testing

struct LinksTests {
    @Test("each file that is linked to exists", arguments: Markdown.all)
    func linksLeadSomewhere(markdown: Markdown) {
        for link in markdown.links {
            #expect(exists(link.path), "\(markdown.path) links to \(link.path)")
        }
    }

    @Test("each section that is linked to exists", arguments: Markdown.all)
    func anchorsLeadSomewhere(markdown: Markdown) {
        for link in markdown.links {
            guard let anchor = link.anchor else { continue }
            let hasAnchor = Markdown.read(link.path).anchors.contains(anchor)
            #expect(hasAnchor, "\(markdown.path) links to \(link.path)#\(anchor)")
        }
    }

    @Test("links are found, and seen from the file that has them")
    func linksAreFound() {
        let lines = ["[a](../README.md) [b](y.md#z)", "```text", "[c](no)", "```"]
        let markdown = Markdown(path: "Docs/x.md", lines: lines)
        #expect(markdown.links.map(\.path) == ["README.md", "Docs/y.md"])
        #expect(markdown.links.map(\.anchor) == [nil, "z"])
    }

    @Test("anchors are those of GitHub")
    func anchors() {
        let markdown = Markdown(path: "x.md", lines: ["## `.baseURL(_:others:)`", "## An engine of one's own"])
        #expect(markdown.anchors == ["baseurl_others", "an-engine-of-ones-own"])
    }

    @Test(
        "each wrapper has a section in the guide",
        arguments: files(in: "Sources/StartSmall/Wrappers", ending: ".swift").filter {
            text(of: $0).contains("\nextension Wrapper ")
        }
    )
    func wrappersHaveSections(file: String) {
        let name = file.split(separator: "/").last.map { $0.dropLast(".swift".count) } ?? ""
        let function = name.prefix(1).lowercased() + name.dropFirst()
        let headings = Markdown.read("Docs/StartSmall.docc/Wrappers.md").prose.filter { $0.hasPrefix("## ") }
        #expect(headings.contains { $0.hasPrefix("## `.\(function)(") }, "## `.\(function)(…)`")
    }
}
