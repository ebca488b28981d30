import Foundation
import Testing

/// Tests that all Swift code in the documentation is compiled.
struct SwiftBlocksTests {
    /// The folders of the examples; the last one is a module with its own settings.
    private static let folders = ["Tests/DocumentationTests/Examples", "Tests/MainActorByDefaultTests"]

    private static let examples = Examples(folders.flatMap { files(in: $0, ending: ".swift") }.map(text))

    @Test("the lines of each Swift block are in an example that is compiled", arguments: Markdown.all)
    func blocksAreCompiled(markdown: Markdown) {
        for block in markdown.blocks where block.language == "swift" {
            let place = "\(block.file):\(block.line): not in \(Self.folders.joined(separator: ", "))"
            #expect(
                Self.examples.contains(normalized(block.lines)),
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
}

/// The lines of examples without the blank ones, and the places of each.
private struct Examples {
    private let lines: [[String]]
    private var places: [Substring: [(example: Int, line: Int)]] = [:]

    init(_ texts: [String]) {
        lines = texts.map { $0.components(separatedBy: "\n").filter { !$0.allSatisfy(\.isWhitespace) } }
        for (example, lines) in lines.enumerated() {
            for (line, text) in lines.enumerated() {
                places[text.drop { $0 == " " }, default: []].append((example, line))
            }
        }
    }

    /// Returns whether an example contains a block's lines consecutively, at any indentation.
    func contains(_ block: [String]) -> Bool {
        guard let first = block.first?.drop(while: { $0 == " " }) else { return false }
        return places[first, default: []].contains { example, line in
            let end = line + block.count
            return end <= lines[example].count && normalized(lines[example][line..<end]) == block
        }
    }
}
