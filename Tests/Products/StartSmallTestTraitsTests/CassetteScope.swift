import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallTestTraits

/// Scopes of the trait in a folder of their own, whose issues are returned in place of failures.
final class CassetteScope: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "StartSmallTrait-\(UUID())")

    /// The inputs that a recording sent; each gets its own path as a text.
    let sent = Recorder<Input>()

    deinit { try? FileManager.default.removeItem(at: folder) }

    func file(_ name: String = "books") -> URL { folder.appending(path: "Cassettes/\(name).json") }

    func text(of name: String = "books") -> String? { try? String(contentsOf: file(name), encoding: .utf8) }

    func write(_ exchanges: [Exchange], _ name: String = "books") throws {
        try Cassette(exchanges).write(to: file(name))
    }

    /// Returns the trait of a test in the folder of these scopes.
    func trait(
        _ name: String = "books",
        order: PlaybackOrder = .any,
        expiringAfterDays days: Int? = nil,
        isOnCI: Bool = false,
        recording engine: Connector? = nil
    ) -> CassetteTrait {
        var trait = CassetteTrait.cassette(
            name,
            recording: engine ?? .stub(recording: sent) { .text($0.url.path()) },
            order: order,
            expiringAfterDays: days,
            filePath: folder.appending(path: "Tests.swift").path(percentEncoded: false)
        )
        trait.isOnCI = isOnCI
        return trait
    }

    /// Runs a function as a test with the trait.
    ///
    /// - Returns: the comments of all issues, in order; those of warnings begin with `warning: `.
    func issues(
        _ name: String = "books",
        order: PlaybackOrder = .any,
        expiringAfterDays days: Int? = nil,
        isOnCI: Bool = false,
        recording engine: Connector? = nil,
        of function: @escaping @Sendable () async throws -> Void
    ) async throws -> [String] {
        let test = try #require(Test.current)
        let trait = trait(name, order: order, expiringAfterDays: days, isOnCI: isOnCI, recording: engine)
        let found = Recorder<String>()
        try await withKnownIssue(isIntermittent: true) {
            try await trait.provideScope(for: test, testCase: nil, performing: function)
        } matching: { issue in
            var text = issue.comments.map(\.rawValue).joined(separator: " ")
            if let error = issue.error { text += "\(error)" }
            if issue.isWarning { text = "warning: \(text)" }
            found.append(text)
            return true
        }
        return found.elements
    }
}

/// Returns the text of the response to a GET; nil if there is none.
@discardableResult
func get(_ target: String, via connector: Connector = .cassette) async -> String? {
    await output(target, via: connector).response.flatMap { String(data: $0.payload, encoding: .utf8) }
}

func output(_ target: String, via connector: Connector = .cassette) async -> Output {
    // swift-format-ignore: NeverForceUnwrap
    await WebAPI.call(with: Input(url: URL(string: "https://books.example\(target)")!), via: connector)
}

/// Returns the issue of a warning; none before Swift 6.3, where the text is printed.
func warning(_ text: String) -> [String] {
    #if compiler(>=6.3)
        ["warning: \(text)"]
    #else
        []
    #endif
}
