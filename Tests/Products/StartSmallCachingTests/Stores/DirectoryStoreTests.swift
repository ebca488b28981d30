import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallCaching

/// The directory of a store, as other programs see it.
@Suite(.timeLimit(.minutes(2))) struct DirectoryStoreTests {
    private let key = StoreFixture.key
    private let stored = StoreFixture.stored()

    private func mode(of url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test("a directory is created when a response is stored, in one file, which another store reads")
    func oneFile() async throws {
        try await StoreFixture.withDirectory { url in
            let store = CacheStore.directory(url)
            #expect(try await store.responses(key).isEmpty)
            try await store.remove(key.url)
            #expect(!FileManager.default.fileExists(atPath: url.path))
            try await store.store(stored, key)
            #expect(try StoreFixture.entries(in: url).count == 1)
            let withoutSlash = URL(filePath: url.path, directoryHint: .notDirectory)
            for url in [url, withoutSlash] { #expect(try await CacheStore.directory(url).responses(key) == [stored]) }
        }
    }

    @Test("files are readable only by their user, and nothing shows a URL or an identity") func privacy() async throws {
        try await StoreFixture.withDirectory { url in
            let store = CacheStore.directory(url)
            let secret = CacheKey(url: "https://user:hunter2@h/?token=hunter2", identity: "hunter2")
            try await store.store(stored, secret)
            let folders = try #require(StoreFixture.entries(in: url).first).deletingLastPathComponent()
            for folder in [url, url.deletingLastPathComponent(), folders] { #expect(try mode(of: folder) == 0o700) }
            let files = try StoreFixture.files(in: url)
            #expect(files.count == 1)
            for file in files {
                #expect(try mode(of: file) == 0o600)
                #expect(!file.path.contains("hunter2"))
                #expect(try Data(contentsOf: file).range(of: Data("hunter2".utf8)) == nil)
            }
        }
    }

    @Test(
        "a variant with a credential in clear text is not stored; with its digest, it is",
        arguments: ["Authorization", "cookie", "X-API-Key", "x-tenant"]
    )
    func credentials(_ name: String) async throws {
        func varying(_ value: String) -> StoredResponse {
            var stored = StoreFixture.stored(varying: [name: value, "A": "b"])
            // One that only the options of the cache name.
            stored.credentials = ["x-tenant"]
            return stored
        }
        try await StoreFixture.withDirectory { url in
            let (store, digest) = (CacheStore.directory(url), HexadecimalDigest.sha256(of: "hunter2"))
            for text in ["hunter2", digest.uppercased(), ""] {
                try await store.store(varying(text), key)
                #expect(try StoreFixture.entries(in: url).isEmpty)
            }
            try await store.store(varying(digest), key)
            #expect(try await store.responses(key).map(\.variant) == [[name: digest, "A": "b"]])
        }
    }

    @Test("stores that create the directory at the same time all store") func creating() async throws {
        for _ in 0..<(isExhaustive ? 20 : 4) {
            try await StoreFixture.withDirectory { url in
                await withTaskGroup { group in
                    for number in 0..<8 {
                        group.addTask { [stored] in
                            let key = CacheKey(url: "\(number)", identity: "")
                            try? await CacheStore.directory(url).store(stored, key)
                        }
                    }
                }
                let store = CacheStore.directory(url)
                for number in 0..<8 {
                    let found = try await store.responses(CacheKey(url: "\(number)", identity: ""))
                    #expect(found == [stored])
                }
            }
        }
    }

    // Damage.

    @Test("symbolic links are not followed: a linked entry is removed, a linked folder is a miss, both targets stay")
    func links() async throws {
        try await StoreFixture.withEntry { url, parent, file in
            let (store, manager) = (CacheStore.directory(url), FileManager.default)
            let outside = parent.appending(path: "outside")
            try manager.moveItem(at: file, to: outside)
            try manager.createSymbolicLink(at: file, withDestinationURL: outside)
            #expect(try await store.responses(key).isEmpty)
            #expect(try StoreFixture.entries(in: url).isEmpty)
            #expect(manager.fileExists(atPath: outside.path))
            // The folder of the entry leads to one with a good entry.
            let (folder, elsewhere) = (file.deletingLastPathComponent(), parent.appending(path: "b"))
            try manager.moveItem(at: outside, to: file)
            try manager.moveItem(at: folder, to: elsewhere)
            try manager.createSymbolicLink(at: folder, withDestinationURL: elsewhere)
            #expect(try await store.responses(key).isEmpty)
            try? await store.store(StoreFixture.stored("new"), key)
            try? await store.remove(key.url)
            #expect(try manager.contentsOfDirectory(atPath: elsewhere.path) == [file.lastPathComponent])
        }
    }

    @Test(
        "a pipe, a folder, an endless file or a cut one in place of an entry is a miss, and blocks nobody",
        arguments: 0..<4
    )
    func otherKinds(_ kind: Int) async throws {
        try await StoreFixture.withEntry { url, _, file in
            let store = CacheStore.directory(url)
            try FileManager.default.removeItem(at: file)
            switch kind {
            case 0: #expect(mkfifo(file.path, 0o600) == 0)
            case 1: try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
            case 2: try StoreFixture.write(Data(try #require(Entry.encoded(stored)).dropLast()), to: file)
            default:
                try StoreFixture.write(Data(), to: file)
                // A sparse file, which takes no space on the disk.
                #expect(truncate(file.path, 1 << 40) == 0)
            }
            #expect(try await store.responses(key).isEmpty)
            try await store.store(stored, key)
            #expect(try await store.responses(key) == [stored])
        }
    }

    @Test("a directory that is removed meanwhile is created again, with what is stored from then on")
    func removedDirectory() async throws {
        try await StoreFixture.withDirectory { url in
            let (one, other) = (CacheStore.directory(url), CacheStore.directory(url))
            try await one.store(stored, key)
            try FileManager.default.removeItem(at: url)
            #expect(try await one.responses(key).isEmpty)
            try await other.store(stored, key)
            try await one.store(stored, CacheKey(url: "b", identity: ""))
            try await one.remove(key.url)
            #expect(try await other.responses(key).isEmpty)
            #expect(try await other.responses(CacheKey(url: "b", identity: "")) == [stored])
        }
    }

    @Test(
        "a URL that is no directory, or can't become one, makes each call a miss and no error",
        arguments: [
            "https://h/a", "file:///dev/null/cache", "file:///proc/cache", "file:///tmp/a%00b", "file:///dev/null",
        ]
    )
    func unwritable(_ text: String) async throws {
        let store = CacheStore.directory(try #require(URL(string: text)))
        for _ in 0..<2 {
            try? await store.store(stored, key)
            #expect(try await store.responses(key).isEmpty)
            try? await store.remove(key.url)
        }
    }

    @Test("a large response is read whole, too") func large() async throws {
        try await StoreFixture.withDirectory { url in
            let store = CacheStore.directory(url)
            for count in [65_000, 65_536, 66_000, 3_000_000] {
                let large = StoreFixture.stored(String(repeating: "a", count: count))
                try await store.store(large, key)
                #expect(try await store.responses(key) == [large])
            }
        }
    }
}
