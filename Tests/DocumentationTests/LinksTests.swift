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

    @Test("pictures of a catalog are found in its resources, wherever the page is in the catalog")
    func picturesAreFound() {
        let markdown = Markdown(path: "Docs/a.docc/b/x.md", lines: ["![c](d.svg)"])
        #expect(markdown.pictures == ["Docs/a.docc/Resources/d.svg"])
    }

    @Test("anchors are formed as on GitHub")
    func anchors() {
        let markdown = Markdown(path: "x.md", lines: ["## .baseURL(_:others:)", "## An engine of one's own"])
        #expect(markdown.anchors == ["baseurl_others", "an-engine-of-ones-own"])
    }

    @Test(
        "each wrapper has a section in the guide",
        arguments: files(in: "Sources/StartSmall/Wrappers", ending: ".swift").flatMap { file in
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
