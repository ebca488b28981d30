package import Foundation
package import StartSmall

/// Runs `body` with a new folder, and then removes the folder.
package func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = try newFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// Runs `body` with a new folder, and then removes the folder.
package func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = try newFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
}

/// Runs `body` with a new file of these bytes in a separate folder, and then removes both.
package func withFile(_ bytes: Data, _ body: (URL) async throws -> Void) async throws {
    try await withFolder { folder async throws in try await body(newFile(bytes, in: folder)) }
}

/// Runs `body` with a new file of these bytes in a separate folder, and then removes both.
package func withFile(_ bytes: Data, _ body: (URL) throws -> Void) throws {
    try withFolder { folder in try body(newFile(bytes, in: folder)) }
}

/// The names of the files in a folder.
package func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
}

/// A download to a file in a new folder, and what the folder has after it.
package struct Download {
    private let fetched: Fetched<TransformError<Never>, URL>

    /// The content of the file; nil if there is none.
    package let content: Data?

    /// Whether there is no other file.
    package let isAlone: Bool

    package var text: String? { content.map { String(decoding: $0, as: UTF8.self) } }
    package var isComplete: Bool { fetched.right != nil }
    package var error: ConnectionError? { fetched.left?.left }
    package var failure: TransformError<Never>? { fetched.left?.right }

    /// - Parameters:
    ///   - input: the request.
    ///   - old: the content of the file before; nil if there is none.
    ///   - expected: the media types that the endpoint expects, one after another.
    package init(
        _ input: Input = Fixture.input,
        replacing old: String? = nil,
        expecting expected: [MediaType] = [],
        via connector: Connector
    ) async throws {
        (fetched, content, isAlone) = try await withFolder { folder async throws in
            let file = folder.appending(path: "f")
            try old.map { try Data($0.utf8).write(to: file) }
            let endpoint = expected.reduce(Endpoint.download(.right(input), to: file)) { $0.expecting($1) }
            let fetched = await Task { await endpoint.fetch(via: connector) }.value
            return (fetched, try? Data(contentsOf: file), try names(in: folder).allSatisfy { $0 == "f" })
        }
    }
}

private func newFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "StartSmall-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    return folder
}

private func newFile(_ bytes: Data, in folder: URL) throws -> URL {
    let file = folder.appending(path: "file")
    try bytes.write(to: file)
    return file
}
