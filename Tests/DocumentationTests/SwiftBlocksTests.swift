import Foundation
import Testing

/// Tests that all Swift code in the documentation is compiled.
struct SwiftBlocksTests {
    /// The folders of the examples; the last two have an engine that needs a package, and a module with its own
    /// settings.
    private static let folders = [
        "Tests/DocumentationTests/Examples", "Tests/Integration/Sources/AsyncHTTPClientConnector",
        "Tests/MainActorByDefaultTests",
    ]

    /// The lines of each example file without the blank ones.
    private static let examples = folders.flatMap { files(in: $0, ending: ".swift") }.map { path in
        text(of: path).components(separatedBy: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
    }

    @Test("the lines of each Swift block are in an example that is compiled", arguments: Markdown.all)
    func blocksAreCompiled(markdown: Markdown) {
        for block in markdown.blocks where block.language == "swift" {
            let place = "\(block.file):\(block.line): not in \(Self.folders.joined(separator: ", "))"
            #expect(
                Self.examples.contains { occurs(normalized(block.lines), in: $0) },
                "\(place):\n\(block.lines.joined(separator: "\n"))"
            )
        }
    }

    @Test("each block has a language, so that none is skipped by mistake", arguments: Markdown.all)
    func blocksHaveLanguages(markdown: Markdown) {
        for block in markdown.blocks {
            #expect(["swift", "text", "sh"].contains(block.language), "\(block.file):\(block.line)")
        }
    }

    @Test("README.md and the guides have Swift blocks")
    func blocksAreFound() {
        for path in ["README.md", "Docs/README.ja.md", "Sources/StartSmall/StartSmall.docc/StartSmallGuide.md"] {
            #expect(Markdown.read(path).blocks.contains { $0.language == "swift" }, "\(path)")
        }
    }

    @Test("a block with a line that no example has is detected")
    func wrongBlockIsNoticed() {
        let example = ["    let a = 1", "    let b = 2", "    let c = 3"]
        #expect(occurs(["let a = 1", "let b = 2"], in: example))
        #expect(!occurs(["let a = 1", "let c = 3"], in: example))
        #expect(!occurs(["let a = 1", "  let b = 2"], in: example))
        #expect(!occurs([], in: example))
    }

    /// Returns whether an example contains a block's lines consecutively, at any indentation.
    private func occurs(_ block: [String], in example: [String]) -> Bool {
        guard !block.isEmpty, block.count <= example.count else { return false }
        return (0...(example.count - block.count)).contains { start in
            normalized(example[start..<(start + block.count)]) == block
        }
    }
}
