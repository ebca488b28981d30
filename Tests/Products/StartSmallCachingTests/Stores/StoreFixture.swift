import Foundation
import StartSmall
import Testing

@testable import StartSmallCaching

/// Responses, keys and directories for the tests of stores.
enum StoreFixture {
    static let key = CacheKey(url: "https://api.example.com/things?a=b", identity: "")
    static let date = Date(timeIntervalSinceReferenceDate: 800_000_000.123)

    /// Returns a response with parts of all kinds.
    static func stored(
        _ payload: String = "hello",
        varying variant: HTTPHeaders = [:],
        after seconds: Double = 0.5
    ) -> StoredResponse {
        let response = Response(
            statusCode: .ok,
            headers: ["Content-Type": "text/plain", "Set-Cookie": "a=b", "set-cookie": "c=d", "Empty": "", "É": "ö"],
            payload: Data(payload.utf8),
            trailers: ["Digest": "x"]
        )
        return StoredResponse(response, variant: variant, requestedAt: date, receivedAt: date + seconds)
    }

    /// Runs `body` with the path of a directory that does not exist yet, and then removes the directory.
    static func withDirectory(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "StartSmallCaching-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appending(path: "a/cache", directoryHint: .isDirectory))
    }

    /// Runs `body` with a directory that has an entry, with the folder around it, and with the entry's file.
    static func withEntry(_ body: (_ directory: URL, _ parent: URL, _ file: URL) async throws -> Void) async throws {
        try await withDirectory { url in
            try await CacheStore.directory(url).store(stored(), key)
            try await body(url, url.deletingLastPathComponent(), #require(entries(in: url).first))
        }
    }

    /// Writes a file that only its user can read, as a store does.
    static func write(_ data: Data, to url: URL) throws {
        try data.write(to: url)
        try setMode(0o600, of: url)
    }

    /// Sets the permissions of a file or folder.
    static func setMode(_ mode: Int, of url: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    /// Returns all files in a directory and its folders, without the salt.
    static func entries(in directory: URL) throws -> [URL] {
        try files(in: directory).filter { !$0.lastPathComponent.hasPrefix(".") }
    }

    /// Returns all files in a directory and its folders.
    static func files(in directory: URL) throws -> [URL] {
        let manager = FileManager.default
        return try manager.subpathsOfDirectory(atPath: directory.path).map { directory.appending(path: $0) }
            .filter { (try? manager.attributesOfItem(atPath: $0.path)[.type] as? FileAttributeType) != .typeDirectory }
            .sorted { $0.path < $1.path }
    }
}

/// The kinds of stores that keep the same laws.
enum StoreKind: String, CaseIterable, Sendable {
    case memory, directory

    /// Runs `body` with two values for the same store: for a directory, as two processes would have.
    func withStores(limit: Int, _ body: (CacheStore, CacheStore) async throws -> Void) async throws {
        switch self {
        case .memory:
            let store = CacheStore.memory(limit: limit)
            try await body(store, store)
        case .directory:
            try await StoreFixture.withDirectory { url in
                try await body(.directory(url, limit: limit), .directory(url, limit: limit))
            }
        }
    }
}
