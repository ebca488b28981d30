import Foundation
import StartSmall
import Testing

@testable import StartSmallTool

/// Tests of the commands in the documentation.
struct DocumentedCommandsTests {
    private static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized

    private static let pages = [
        "README.md", "Docs/README.ja.md", "Docs/CommandLine.md", "Sources/StartSmall/StartSmall.docc/FirstAPI.md",
        "Sources/StartSmall/StartSmall.docc/ja/FirstAPIJA.md",
    ]

    @Test("each command on a page can be parsed", arguments: pages)
    func commands(_ page: String) throws {
        let text = try String(contentsOf: Self.root.appendingPathComponent(page), encoding: .utf8)
        let lines = text.split(separator: "\n").map { $0.replacing("swift run ", with: "") }
        let commands = lines.filter { $0.hasPrefix("start-small ") }
        #expect(!commands.isEmpty)
        for command in commands {
            let words = command.split(separator: " ").dropFirst().prefix { $0 != "|" && !$0.hasPrefix("#") }
            #expect(Command.parse(words.map(String.init)).right != nil, "\(command)")
        }
    }

    @Test("the documentation lists each exit code")
    func exitCodes() throws {
        let text = try String(contentsOf: Self.root.appendingPathComponent("Docs/CommandLine.md"), encoding: .utf8)
        for code in ExitCode.allCases { #expect(text.contains("| \(code.rawValue) |")) }
    }
}
