import Foundation
import TestSupport
import Testing

/// Tests of the three promises: no force unwrap in the library, tests may use it, and no error information is lost.
struct PromisesTests {
    @Test(
        "no code in Sources traps or bypasses the compiler's concurrency checks",
        .parity("A11"),
        arguments: files(in: "Sources", ending: ".swift")
    )
    func noTraps(file: String) {
        let forbidden = [
            "try!", "as!", "fatalError(", "preconditionFailure(", "@unchecked Sendable", "nonisolated(unsafe)",
        ]
        // A subclass must restate what Foundation declares for `JSONDecoder`; this one has no property.
        let restated = "private final class FastJSONDecoder: JSONDecoder, @unchecked Sendable {"
        let code = text(of: file).components(separatedBy: "\n").filter { line in
            !line.trimmingCharacters(in: .whitespaces).hasPrefix("//") && line != restated
        }
        for word in forbidden {
            #expect(!code.contains { $0.contains(word) }, "\(word) in \(file)")
        }
    }

    @Test(
        "the linter's rules against other traps are enabled",
        .parity("A11"),
        arguments: ["NeverForceUnwrap", "NeverUseForceTry", "NeverUseImplicitlyUnwrappedOptionals"]
    )
    func linted(rule: String) {
        #expect(text(of: ".swift-format").contains("\"\(rule)\": true"))
    }

    @Test("the package has no dependencies")
    func noDependencies() {
        #expect(text(of: "Package.swift").contains("dependencies: [],"))
        #expect(!text(of: "Package.swift").contains(".package("))
    }

    /// The oldest supported Swift is 6.2, and the installed toolchain may be newer. Each pattern is split in two, so
    /// that this file does not match.
    @Test("no code needs a newer Swift than 6.2", arguments: swiftFiles)
    func oldestSwift(file: String) throws {
        // Swift Testing 6.3: ST-0016, ST-0013 and ST-0012. Swift 6.3: SE-0481.
        let newer = [
            "Test" + #"\.cancel"#, "severity" + ": ", "weak" + " let", "processExitsWith" + #":[^{]*\{ *\["#,
        ]
        let pattern = #"^(?!\s*//).*("# + newer.joined(separator: "|") + ")"
        let code = text(of: file).replacing(/#if compiler\(>=6\.3\)[\s\S]*?#else/, with: "#if")
        let found = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
            .firstMatch(in: code, range: NSRange(code.startIndex..., in: code))
        #expect(found == nil, "\(newer) in \(file)")
    }

    @Test(
        "code that differs between platforms has one of few conditions, so that both branches can be compiled",
        arguments: swiftFiles
    )
    func conditions(file: String) {
        let lines = text(of: file).components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        for (line, next) in zip(lines, lines.dropFirst()) where line.hasPrefix("#if ") || line.hasPrefix("#elseif ") {
            let condition = line.drop { $0 != " " }.dropFirst()
            let isOfImports = next.hasPrefix("import ") || next.contains(" import ")
            let isAllowed =
                Self.conditions.contains(String(condition))
                || Self.capabilities.contains(String(condition.drop { $0 == "!" }))
                || isOfImports && Self.conditionsOfImports.contains(String(condition))
                || file.contains("/StartSmallCurlTests/") && condition == "os(Linux)"
                || Self.filesOfOtherConditions.contains { file.hasSuffix($0) }
                || Self.filesOfTwoVersions.contains { file.hasSuffix($0) } && condition == "compiler(>=6.3)"
            #expect(isAllowed, "\(condition) in \(file)")
        }
    }

    @Test("at most ten conditions of the library name a system, and the others what Package.swift says of it")
    func systems() {
        let lines = ["swift", "c", "h"].flatMap { files(in: "Sources", ending: ".\($0)") }.flatMap { file in
            text(of: file).components(separatedBy: "\n").filter { $0.contains("#if ") || $0.contains("#elseif ") }
                .map { "\(file): \($0)" }
        }
        let systems = lines.filter { line in
            ["os(", "canImport", "APPLE_BRANCH", "__linux", "__APPLE", "_WIN32"].contains { line.contains($0) }
        }
        #expect(systems.count <= 10, "\(systems.joined(separator: "\n"))")
        let package = text(of: "Package.swift")
        for name in Self.capabilities { #expect(package.contains(".define(\"\(name)\", .when(platforms: ")) }
    }

    /// What a platform has, as Package.swift names it.
    private static let capabilities = ["CURL_ENGINE", "LIBPSL", "ICONV", "CORELIBS_URLSESSION", "KEYCHAIN"]

    private static let swiftFiles =
        files(in: "Sources", ending: ".swift")
        + files(in: "Tests", ending: ".swift").filter { $0.contains(/^Tests\/(?:\w+\/)?\w+Tests\//) }

    private static let conditions = [
        "os(Linux) && !APPLE_BRANCH", "!os(Linux) || APPLE_BRANCH", "(os(macOS) || os(Linux)) && !APPLE_BRANCH",
        "canImport(Darwin) || APPLE_BRANCH",
    ]

    private static let conditionsOfImports = [
        "canImport(Security)", "canImport(Glibc)", "canImport(Musl)", "canImport(Android)", "canImport(Darwin)",
    ]

    /// Files with other conditions: the package Tests compiles Combine code against OpenCombine.
    private static let filesOfOtherConditions = [
        "Endpoints/Publisher.swift", "Standard/DefaultConnector.swift", "Examples/ComingFromOthersExamples.swift",
    ]

    /// Files with code for Swift 6.3 and other code for 6.2, whose Swift Testing has no warnings.
    private static let filesOfTwoVersions = ["StartSmallTestTraits/Warnings.swift", "CassetteScope.swift"]
}
