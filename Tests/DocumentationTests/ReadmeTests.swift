import Foundation
import Testing

struct ReadmeTests {
    private static let english = Markdown.read("README.md")
    private static let japanese = Markdown.read("Docs/README.ja.md")
    private static let contributing = Markdown.read("Docs/CONTRIBUTING.md")
    private static let examples = ["GitHubBrowser", "Bookshelf"].map { "Docs/Examples/\($0)/" }

    @Test("README.md has at most 130 lines")
    func length() {
        #expect(Self.english.lines.count <= 131)  // The last line ends with a line break.
    }

    @Test("each named make target exists", arguments: [english, japanese, contributing])
    func makeTargets(markdown: Markdown) {
        let makefile = text(of: "Makefile").components(separatedBy: "\n")
        let pattern = /make ([a-z]+(?:-[a-z]+)*)\b/
        let named = Set(markdown.lines.flatMap { $0.matches(of: pattern).map { String($0.output.1) } })
        for target in named.sorted() {
            #expect(makefile.contains { $0.hasPrefix("\(target):") }, "make \(target)")
        }
    }

    @Test("each file that a recipe or an example names exists, and so does the folder of each file to create")
    func namedFiles() {
        let paths = Self.contributing.prose.flatMap {
            $0.matches(of: /`((?:Sources|Tests|Docs)\/[A-Za-z\/.]+)`/).map { String($0.output.1) }
        }
        let mapped = Self.examples.flatMap { folder in
            let map = Markdown.read(folder + "README.md").blocks.filter { $0.language == "text" }.flatMap(\.lines)
            #expect(!map.isEmpty)
            return map.map { folder + $0.prefix { $0 != " " } }
        }
        #expect(!paths.isEmpty)
        for path in paths + mapped {
            let known = path.components(separatedBy: "/Name")[0]
            #expect(exists(known), "\(path)")
        }
    }
}
