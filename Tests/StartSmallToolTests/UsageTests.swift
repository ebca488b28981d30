import Foundation
import Testing

@testable import StartSmallTool

struct UsageTests {
    @Test("the help text and all completions have every option and every command")
    func complete() {
        let scripts = Completions.Shell.allCases.map(Completions.script)
        for option in Option.all {
            #expect(Usage.text.contains(option.long) && Usage.text.contains(option.help))
            for script in scripts { #expect(script.contains(option.name.rawValue), "\(option.long)") }
        }
        for name in CommandEntry.names { for script in scripts { #expect(script.contains(name)) } }
        for code in ExitCode.allCases { #expect(Usage.text.contains(" \(code.rawValue) ")) }
    }

    @Test("option names are unique, and each line of the help text fits on a screen")
    func names() {
        let names = Option.all.flatMap { [$0.long, $0.short].compactMap { $0 } }
        #expect(Set(names).count == names.count)
        #expect(Usage.text.split(separator: "\n").allSatisfy { $0.utf8.count <= 110 })
    }

    @Test("bash completes options, commands and values", arguments: [("--fo", "--form --follow"), ("ge", "get")])
    func bash(_ word: String, _ completions: String) async throws {
        let script = Completions.script(for: .bash)
        let call = "COMP_WORDS=(start-small \(word)); COMP_CWORD=1; _start_small; echo \"${COMPREPLY[@]}\""
        #expect(try await Shell().run("\(script)\n\(call)").output == completions + "\n")
    }
}
