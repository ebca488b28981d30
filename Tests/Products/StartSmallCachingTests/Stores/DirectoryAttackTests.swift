import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallCaching

/// A directory that another user of the machine has prepared, or changes.
@Suite(.timeLimit(.minutes(2))) struct DirectoryAttackTests {
    private let key = StoreFixture.key
    private let stored = StoreFixture.stored()

    /// Checks that a store reads, writes and removes nothing in a directory.
    private func expectNothing(at url: URL, _ store: CacheStore? = nil, files: URL) async throws {
        let before = try StoreFixture.files(in: files).map { try Data(contentsOf: $0) }
        let store = store ?? .directory(url)
        #expect(try await store.responses(key).isEmpty)
        try? await store.store(StoreFixture.stored("new", after: 9), key)
        try? await store.store(stored, CacheKey(url: "b", identity: ""))
        #expect(try await store.responses(key).isEmpty)
        try? await store.remove(key.url)
        #expect(try StoreFixture.files(in: files).map { try Data(contentsOf: $0) } == before)
    }

    @Test(
        "a symbolic link in place of the directory is not followed, with a slash or without",
        arguments: [true, false]
    )
    func link(_ isDirectory: Bool) async throws {
        try await StoreFixture.withEntry { url, parent, _ in
            let link = parent.appending(path: "link", directoryHint: isDirectory ? .isDirectory : .notDirectory)
            let path = parent.appending(path: "link").path
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: url.path)
            for suffix in ["", "/", "//", "/.", "/./"] {
                let url = URL(fileURLWithPath: link.path + suffix, isDirectory: isDirectory)
                try await expectNothing(at: url, files: parent.appending(path: "cache"))
            }
            // One that leads nowhere creates nothing.
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: parent.path + "/none")
            try? await CacheStore.directory(link).store(stored, key)
            #expect(!FileManager.default.fileExists(atPath: parent.path + "/none"))
        }
    }

    @Test("a directory that is exchanged for a symbolic link later is not followed either")
    func exchanged() async throws {
        try await StoreFixture.withEntry { url, parent, _ in
            let store = CacheStore.directory(url)
            #expect(try await store.responses(key) == [stored])
            let away = parent.appending(path: "away")
            try FileManager.default.moveItem(at: url, to: away)
            try FileManager.default.createSymbolicLink(at: url, withDestinationURL: away)
            try await expectNothing(at: url, store, files: away)
        }
    }

    @Test("symbolic links may lead to the folder around the directory")
    func linkedParent() async throws {
        try await StoreFixture.withEntry { url, parent, _ in
            let link = parent.deletingLastPathComponent().appending(path: "link")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: parent)
            #expect(try await CacheStore.directory(link.appending(path: "cache")).responses(key) == [stored])
        }
    }

    @Test(
        "a directory that others may write to is not used; one that they may only read is",
        arguments: [0o777, 0o770, 0o720, 0o702]
    )
    func writable(_ mode: Int) async throws {
        try await StoreFixture.withEntry { url, _, _ in
            try StoreFixture.setMode(mode, of: url)
            try await expectNothing(at: url, files: url)
            try StoreFixture.setMode(0o755, of: url)
            #expect(try await CacheStore.directory(url).responses(key) == [stored])
        }
    }

    @Test("a folder of entries that is open to others is not used", arguments: [0o777, 0o755, 0o710, 0o701])
    func openFolder(_ mode: Int) async throws {
        try await StoreFixture.withEntry { url, _, file in
            try StoreFixture.setMode(mode, of: file.deletingLastPathComponent())
            #expect(try await CacheStore.directory(url).responses(key).isEmpty)
            #expect(FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test(
        "an entry that is open to others is a miss, is removed, and is replaced",
        arguments: [0o777, 0o666, 0o640, 0o604]
    )
    func openEntry(_ mode: Int) async throws {
        try await StoreFixture.withEntry { url, _, file in
            let store = CacheStore.directory(url)
            try StoreFixture.setMode(mode, of: file)
            #expect(try await store.responses(key).isEmpty)
            #expect(!FileManager.default.fileExists(atPath: file.path))
            try await store.store(stored, key)
            try StoreFixture.setMode(mode, of: file)
            try await store.store(stored, key)
            #expect(try await store.responses(key) == [stored])
            #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("nothing of another user is used: no directory, no folder, no entry", .enabled(if: geteuid() == 0))
    func foreign() async throws {
        func give(_ url: URL, to user: uid_t) { #expect(chown(url.path, user, user) == 0) }
        try await StoreFixture.withEntry { url, _, file in
            give(url, to: 65_534)
            try await expectNothing(at: url, files: url)
            give(url, to: 0)
            give(file.deletingLastPathComponent(), to: 65_534)
            #expect(try await CacheStore.directory(url).responses(key).isEmpty)
            give(file.deletingLastPathComponent(), to: 0)
            #expect(try await CacheStore.directory(url).responses(key) == [stored])
            give(file, to: 65_534)
            #expect(try await CacheStore.directory(url).responses(key).isEmpty)
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test("a directory that is exchanged for a link again and again never shows or gets a file of the other one")
    func raced() async throws {
        try await StoreFixture.withEntry { url, parent, _ in
            let (elsewhere, away) = (parent.appending(path: "elsewhere"), parent.appending(path: "away"))
            try FileManager.default.copyItem(at: url, to: elsewhere)
            let (hostile, rounds) = (CacheStore.directory(elsewhere), isExhaustive ? 300 : 50)
            try await hostile.store(StoreFixture.stored("hostile", after: 9), key)
            let before = try StoreFixture.files(in: elsewhere).map(\.path)
            let exchange = Task.detached {
                for _ in 0..<rounds where !Task.isCancelled {
                    rename(url.path, away.path)
                    symlink(elsewhere.path, url.path)
                    await Task.yield()
                    unlink(url.path)
                    if rename(away.path, url.path) != 0 {
                        // The store has created the directory meanwhile.
                        try? FileManager.default.removeItem(at: url)
                        rename(away.path, url.path)
                    }
                }
            }
            let payloads = Recorder<String>()
            for number in 0..<rounds {
                let store = CacheStore.directory(url)
                for response in try await store.responses(key) {
                    payloads.append(String(decoding: response.response.payload, as: UTF8.self))
                }
                try? await store.store(stored, CacheKey(url: "\(number)", identity: ""))
            }
            await exchange.value
            #expect(!payloads.elements.contains("hostile"))
            #expect(try StoreFixture.files(in: elsewhere).map(\.path) == before)
        }
    }
}
