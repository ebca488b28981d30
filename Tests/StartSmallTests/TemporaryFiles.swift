import Foundation

/// Runs `body` with a new folder, and then removes the folder.
func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = try newFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// Runs `body` with a new folder, and then removes the folder.
func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = try newFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
}

/// Runs `body` with a new file of these bytes in a separate folder, and then removes both.
func withFile(_ bytes: Data, _ body: (URL) async throws -> Void) async throws {
    try await withFolder { folder async throws in try await body(newFile(bytes, in: folder)) }
}

/// Runs `body` with a new file of these bytes in a separate folder, and then removes both.
func withFile(_ bytes: Data, _ body: (URL) throws -> Void) throws {
    try withFolder { folder in try body(newFile(bytes, in: folder)) }
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
