import Foundation
import Testing

/// Tests that all Swift code in the documentation is compiled.
struct SwiftBlocksTests {
    /// The package that the guide of SDKs walks through; `make examples` compiles and tests it.
    private static let sdk = "Docs/Examples/Bookshelf"

    /// The folders of the examples; the second one is a module with its own settings, and `make integration` compiles
    /// the third one.
    private static let folders = [
        "Tests/DocumentationTests/Examples", "Tests/MainActorByDefaultTests",
        "Tests/Integration/Tests/IntegrationTests", sdk,
    ]

    /// The lines of each example without the blank ones.
    private static let examples = folders.flatMap { files(in: $0, ending: ".swift") }.map { path in
        text(of: path).components(separatedBy: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
    }

    /// Returns whether an example contains a block's lines consecutively, at any indentation.
    private static func isCompiled(_ block: [String]) -> Bool {
        examples.contains { lines in
            lines.indices.contains { start in
                guard let first = block.first, lines[start].hasSuffix(first) else { return false }
                return normalized(lines[start...].prefix(block.count)) == block
            }
        }
    }

    @Test("the lines of each Swift block are in an example that is compiled", arguments: Markdown.all)
    func blocksAreCompiled(markdown: Markdown) {
        for block in markdown.blocks where block.language == "swift" {
            let place = "\(block.file):\(block.line): not in \(Self.folders.joined(separator: ", "))"
            #expect(
                Self.isCompiled(normalized(block.lines)),
                "\(place):\n\(block.lines.joined(separator: "\n"))"
            )
        }
    }

    @Test(
        "a guide names each product that its examples import, beside StartSmall and StartSmallTesting",
        arguments: files(in: "Tests/DocumentationTests/Examples", ending: ".swift")
            + files(in: "\(sdk)/Sources", ending: ".swift")
    )
    func importsAreNamed(example: String) {
        let code = text(of: example) + (example.hasPrefix(Self.sdk) ? "// WritingAnSDK.md" : "")
        let guides = Markdown.all.filter { guide in code.contains(guide.path.split(separator: "/").last ?? "") }
        let imports = code.matches(of: /(?m)^import (StartSmall\w+)/).map(\.1).filter { $0 != "StartSmallTesting" }
        #expect(!guides.isEmpty, "\(example)")
        for module in imports {
            #expect(guides.contains { $0.lines.contains { $0.contains(module) } }, "\(module) in \(example)")
        }
    }

    @Test("each block has a language, so that none is skipped by mistake", arguments: Markdown.all)
    func blocksHaveLanguages(markdown: Markdown) {
        for block in markdown.blocks {
            #expect(["swift", "text", "sh"].contains(block.language), "\(block.file):\(block.line)")
        }
    }

    /// Without the feature, a file compiles by the import of another file, until that file goes.
    @Test("the package of the first API has the imports checked as the examples have, in both languages")
    func firstPackage() throws {
        let guides = ["FirstAPI", "ja/FirstAPIJA"].map { Markdown.read("Sources/StartSmall/StartSmall.docc/\($0).md") }
        let manifests = guides.map { $0.blocks.first { $0.language == "text" }?.lines ?? [] }

        #expect(manifests[0].contains { $0.contains(#".enableUpcomingFeature("MemberImportVisibility")"#) })
        #expect(manifests[0] == manifests[1])
    }

    @Test("README.md and the guides have Swift blocks")
    func blocksAreFound() {
        for path in ["README.md", "Docs/README.ja.md", "Sources/StartSmall/StartSmall.docc/StartSmallGuide.md"] {
            #expect(Markdown.read(path).blocks.contains { $0.language == "swift" }, "\(path)")
        }
    }
}
