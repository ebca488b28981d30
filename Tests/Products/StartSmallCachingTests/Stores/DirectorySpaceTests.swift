import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallCaching

/// The size of a store's directory, and what is removed from it.
@Suite(.timeLimit(.minutes(2))) struct DirectorySpaceTests {
    private let time = TestTime(StoreFixture.date)
    private let block = 4_096

    private func store(_ url: URL, blocks: Int) -> CacheStore {
        .directory(url, limit: blocks * block, now: time.now)
    }

    private func key(_ number: Int) -> CacheKey { CacheKey(url: "https://h/\(number)", identity: "") }

    /// Stores responses, and lets seconds pass after each of them.
    private func fill(_ store: CacheStore, _ numbers: Range<Int>, every seconds: Double = 0) async throws {
        for number in numbers {
            try await store.store(StoreFixture.stored(), key(number))
            time.pass(seconds)
        }
    }

    private func size(of url: URL) throws -> Int {
        try StoreFixture.entries(in: url).reduce(0) { sum, file in
            let status = try FileManager.default.attributesOfItem(atPath: file.path)
            return sum + DirectoryCache.cost(ofSize: try #require(status[.size] as? Int))
        }
    }

    @Test("the limit is never exceeded, by one store or by several, and most of it is used", arguments: [1, 2, 4])
    func limit(stores count: Int) async throws {
        try await StoreFixture.withDirectory { url in
            let stores = (0..<count).map { _ in store(url, blocks: 64) }
            var (random, most) = (SplitMix64(seed: UInt64(count)), 0)
            for number in 0..<(isExhaustive ? 400 : 60) {
                let text = String(repeating: "a", count: Int.random(in: 0..<14_000, using: &random))
                try await stores[number % count].store(StoreFixture.stored(text), key(number % 150))
                let size = try size(of: url)
                #expect(size <= 64 * block)
                most = max(most, size)
                time.pass(1)
            }
            #expect(most >= 64 * block * 3 / 4)
        }
    }

    @Test("the least recently used responses are removed, and reading is a use") func leastRecentlyUsed() async throws {
        try await StoreFixture.withDirectory { url in
            let store = store(url, blocks: 32)
            try await fill(store, 0..<24, every: 61)
            #expect(try await store.responses(key(0)).count == 1)
            try await fill(store, 24..<40, every: 61)
            var kept: [Int] = []
            for number in 0..<40 where try await !store.responses(key(number)).isEmpty { kept.append(number) }
            #expect(kept.first == 0 && kept.last == 39)
            // Without the one that was used, the newest.
            #expect(Array(kept.dropFirst()) == Array((40 - kept.count + 1)..<40))
        }
    }

    @Test("a use is noted once a minute, so that a hit does not write") func precision() async throws {
        try await StoreFixture.withDirectory { url in
            let store = store(url, blocks: 32)
            try await store.store(StoreFixture.stored(), key(0))
            let file = try #require(StoreFixture.entries(in: url).first)
            let modified = {
                try #require(FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date)
            }
            let before = try modified()
            #expect(abs(before.timeIntervalSince(StoreFixture.date)) < 0.001)
            for (seconds, isNoted) in [(59.0, false), (2.0, true)] {
                time.pass(seconds)
                _ = try await store.responses(key(0))
                #expect(try (modified() > before) == isNoted)
            }
        }
    }

    @Test(
        "clocks that jump, even out of the range of the system, do no harm",
        arguments: [
            Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 1e300), Date(timeIntervalSince1970: -1e300),
        ]
    )
    func jumps(_ date: Date) async throws {
        try await StoreFixture.withDirectory { url in
            let store = store(url, blocks: 16)
            try await fill(store, 0..<10)
            time.pass(date.timeIntervalSince(StoreFixture.date))
            for number in 0..<10 { #expect(try await store.responses(key(number)).count == 1) }
            try await fill(store, 10..<40)
            #expect(try size(of: url) <= 16 * block)
            #expect(try await store.responses(key(39)).count == 1)
        }
    }

    @Test("after the clock is set back, responses that were not used since then are removed first") func setBack()
        async throws
    {
        try await StoreFixture.withDirectory { url in
            let store = store(url, blocks: 32)
            try await fill(store, 0..<20)
            time.pass(-1_000_000)
            #expect(try await store.responses(key(0)).count == 1)
            try await fill(store, 20..<32)
            #expect(try await store.responses(key(0)).count == 1)
            #expect(try await store.responses(key(31)).count == 1)
        }
    }

    @Test("files that a process left unfinished are removed after an hour, and files of others never")
    func leftOver() async throws {
        try await StoreFixture.withDirectory { url in
            let first = store(url, blocks: 32)
            try await first.store(StoreFixture.stored(), key(0))
            let folder = try #require(StoreFixture.entries(in: url).first).deletingLastPathComponent()
            let unfinished = [0xabc, 1].map { number in folder.appending(path: TemporaryName.make { number }) }
            let others = [url, folder].flatMap { folder in
                ["notes.txt", "tmp-1", ".tmp", "salt", ".startsmall-cache-x.tmp"].map { folder.appending(path: $0) }
            }
            for file in unfinished + others {
                try Data("a".utf8).write(to: file)
                try FileManager.default.setAttributes([.modificationDate: StoreFixture.date], ofItemAtPath: file.path)
            }
            let exists = { @Sendable (file: URL) in FileManager.default.fileExists(atPath: file.path) }
            time.pass(TemporaryName.maximumAge - 1)
            // A new store measures the directory before its first response.
            try await store(url, blocks: 32).store(StoreFixture.stored(), key(1))
            #expect(unfinished.allSatisfy(exists))
            time.pass(2)
            try await store(url, blocks: 32).store(StoreFixture.stored(), key(2))
            #expect(!unfinished.contains(where: exists))
            #expect(others.allSatisfy(exists))
        }
    }

    @Test("an entry that is larger than the limit of its reader is a miss, and is removed") func otherLimit()
        async throws
    {
        try await StoreFixture.withDirectory { url in
            let text = String(repeating: "a", count: 20_000)
            try await store(url, blocks: 100).store(StoreFixture.stored(text), key(0))
            #expect(try await store(url, blocks: 100).responses(key(0)).count == 1)
            #expect(try await store(url, blocks: 8).responses(key(0)).isEmpty)
            #expect(try StoreFixture.entries(in: url).isEmpty)
        }
    }

    @Test("sizes count in blocks, and no size overflows")
    func costs() {
        let costs = [0, 1, 4_096, 4_097, .max].map { DirectoryCache.cost(ofSize: $0) }
        #expect(costs == [4_096, 4_096, 4_096, 8_192, .max])
    }
}
