import Foundation
import Testing

/// The three promises: no force unwrap in the library, tests may, and no error information is lost.
struct PromisesTests {
    @Test(
        "A11 nothing in Sources ends the process or lies about concurrency",
        arguments: files(in: "Sources", ending: ".swift")
    )
    func noTraps(file: String) {
        let forbidden = [
            "try!", "as!", "fatalError(", "preconditionFailure(", "@unchecked Sendable", "nonisolated(unsafe)",
        ]
        let code = text(of: file).components(separatedBy: "\n").filter { line in
            !line.trimmingCharacters(in: .whitespaces).hasPrefix("//")
        }
        for word in forbidden {
            #expect(!code.contains { $0.contains(word) }, "\(word) in \(file)")
        }
    }

    @Test(
        "A11 the linter finds what else could end it",
        arguments: ["NeverForceUnwrap", "NeverUseForceTry", "NeverUseImplicitlyUnwrappedOptionals"]
    )
    func linted(rule: String) {
        #expect(text(of: ".swift-format").contains("\"\(rule)\": true"))
    }

    @Test("the package depends on nothing")
    func noDependencies() {
        #expect(text(of: "Package.swift").contains("dependencies: [],"))
        #expect(!text(of: "Package.swift").contains(".package("))
    }
}
