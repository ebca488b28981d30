import Foundation
import Testing

/// What is shown is what is compiled.
struct SwiftBlocksTests {
    /// Where the examples are; the last two folders are those of an engine that needs a package, and of a module with
    /// settings of its own.
    private static let folders = [
        "Tests/DocumentationTests/Examples", "Tests/Integration/Sources/AsyncHTTPClientConnector",
        "Tests/MainActorByDefaultTests",
    ]

    /// The lines of each example file, without the blank ones.
    private static let examples = folders.flatMap { files(in: $0, ending: ".swift") }.map { path in
        text(of: path).components(separatedBy: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
    }

    @Test("each Swift block stands, line by line, in an example that is compiled", arguments: Markdown.all)
    func blocksAreCompiled(markdown: Markdown) {
        for block in markdown.blocks where block.language == "swift" {
            #expect(
                Self.examples.contains { occurs(normalized(block.lines), in: $0) },
                "\(block.file):\(block.line): not in \(Self.folders.joined(separator: ", ")):\n\(block.lines.joined(separator: "\n"))"
            )
        }
    }

    @Test("each block says what it is, so that none is skipped by mistake", arguments: Markdown.all)
    func blocksHaveLanguages(markdown: Markdown) {
        for block in markdown.blocks {
            #expect(["swift", "text", "sh"].contains(block.language), "\(block.file):\(block.line)")
        }
    }

    @Test("blocks are found at all")
    func blocksAreFound() {
        for path in ["README.md", "Docs/README.ja.md", "Docs/StartSmall.docc/StartSmallGuide.md"] {
            #expect(Markdown.read(path).blocks.contains { $0.language == "swift" }, "\(path)")
        }
    }

    @Test("a block with a line that no example has is noticed")
    func wrongBlockIsNoticed() {
        let example = ["    let a = 1", "    let b = 2", "    let c = 3"]
        #expect(occurs(["let a = 1", "let b = 2"], in: example))
        #expect(!occurs(["let a = 1", "let c = 3"], in: example))
        #expect(!occurs(["let a = 1", "  let b = 2"], in: example))
        #expect(!occurs([], in: example))
    }

    /// Whether these lines stand next to each other among those, at any indentation.
    private func occurs(_ block: [String], in example: [String]) -> Bool {
        guard !block.isEmpty, block.count <= example.count else { return false }
        return (0...(example.count - block.count)).contains { start in
            normalized(example[start..<(start + block.count)]) == block
        }
    }
}
