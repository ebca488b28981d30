import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallCaching

/// The laws that all stores keep.
@Suite(.timeLimit(.minutes(3))) struct StoreLawTests {
    @Test(
        "a store returns what was stored last for each key and variant; one that is full, this or nothing",
        arguments: StoreKind.allCases,
        isExhaustive ? [1, 2, 3, 4, 5] : [1, 2]
    )
    func random(_ kind: StoreKind, seed: UInt64) async throws {
        for isFull in [true, false] {
            // Of a directory, each response takes a block of 4 KiB.
            let limit = isFull ? (kind == .memory ? 30_000 : 16 * 4_096) : 10_000_000
            try await kind.withStores(limit: limit) { one, other in
                var (random, found) = (SplitMix64(seed: seed), 0)
                var expected: [CacheKey: [HTTPHeaders: StoredResponse]] = [:]
                for step in 0..<300 {
                    let identity = ["", "a", "b"].randomElement(using: &random)!
                    let key = CacheKey(url: "https://h/\(Int.random(in: 0..<4, using: &random))", identity: identity)
                    let variant: HTTPHeaders = [["A": "1"], ["A": "2"], [:]].randomElement(using: &random)!
                    let store = Bool.random(using: &random) ? one : other
                    switch Int.random(in: 0..<10, using: &random) {
                    case 0..<5:
                        let stored = StoreFixture.stored("\(step)", varying: variant, after: Double(step))
                        try await store.store(stored, key)
                        expected[key, default: [:]][variant] = stored
                    case 5:
                        try await store.remove(key.url)
                        expected = expected.filter { $0.key.url != key.url }
                    default:
                        let responses = try await store.responses(key)
                        found += responses.count
                        #expect(responses.allSatisfy { expected[key]?[$0.variant] == $0 }, "step \(step)")
                        #expect(Set(responses.map(\.variant)).count == responses.count, "step \(step)")
                        if !isFull { #expect(responses.count == expected[key]?.count ?? 0, "step \(step)") }
                    }
                }
                #expect(found > 20)
            }
        }
    }

    @Test("a response that is too large removes the one in whose place it was to be", arguments: StoreKind.allCases)
    func tooLarge(_ kind: StoreKind) async throws {
        let limit = 80_000
        try await kind.withStores(limit: limit) { store, _ in
            try await store.store(StoreFixture.stored(), StoreFixture.key)
            try await store.store(StoreFixture.stored("b", varying: ["A": "b"]), StoreFixture.key)
            #expect(try await store.responses(StoreFixture.key).count == 2)
            let large = StoreFixture.stored(String(repeating: "a", count: limit / 8 + 1))
            try await store.store(large, StoreFixture.key)
            #expect(try await store.responses(StoreFixture.key).map(\.variant) == [["A": "b"]])
        }
    }

    @Test("there are at most eight variants of a key, the newest ones among them", arguments: StoreKind.allCases)
    func variants(_ kind: StoreKind) async throws {
        try await kind.withStores(limit: 10_000_000) { store, _ in
            for number in 0..<20 {
                try await store.store(StoreFixture.stored(varying: ["A": "\(number)"]), StoreFixture.key)
                let variants = try await store.responses(StoreFixture.key).map(\.variant)
                #expect(variants.count == min(number + 1, 8) && variants.contains(["A": "\(number)"]))
            }
        }
    }

    @Test("removing a URL removes it for all identities and variants, and nothing else", arguments: StoreKind.allCases)
    func removing(_ kind: StoreKind) async throws {
        try await kind.withStores(limit: 10_000_000) { one, other in
            let identities = ["", "a", "b"]
            for url in ["https://h/a", "https://h/a?", "https://h/ab", "https://h/A"] {
                for identity in identities {
                    let key = CacheKey(url: url, identity: identity)
                    for variant: HTTPHeaders in [[:], ["A": "b"]] {
                        try await one.store(StoreFixture.stored(url, varying: variant), key)
                    }
                }
            }
            try await other.remove("https://h/a")
            try await other.remove("https://h/never")
            for identity in identities {
                #expect(try await one.responses(CacheKey(url: "https://h/a", identity: identity)).isEmpty)
                for url in ["https://h/a?", "https://h/ab", "https://h/A"] {
                    #expect(try await one.responses(CacheKey(url: url, identity: identity)).count == 2)
                }
            }
        }
    }

    @Test("texts that are equal as characters only are different keys of a directory")
    func bytes() async throws {
        try await StoreKind.directory.withStores(limit: 10_000_000) { store, _ in
            let (one, other) = ("https://h/\u{e9}", "https://h/e\u{301}")
            try await store.store(StoreFixture.stored(), CacheKey(url: one, identity: one))
            #expect(try await store.responses(CacheKey(url: other, identity: one)).isEmpty)
            #expect(try await store.responses(CacheKey(url: one, identity: other)).isEmpty)
            try await store.remove(other)
            #expect(try await store.responses(CacheKey(url: one, identity: one)).count == 1)
        }
    }

    @Test("with a limit of nothing, or less, nothing is stored", arguments: StoreKind.allCases, [0, -1, .min])
    func nothing(_ kind: StoreKind, limit: Int) async throws {
        try await kind.withStores(limit: limit) { store, _ in
            try await store.store(StoreFixture.stored(), StoreFixture.key)
            #expect(try await store.responses(StoreFixture.key).isEmpty)
        }
    }

    @Test("with several tasks, each gets a whole response of its key or none", arguments: StoreKind.allCases)
    func tasks(_ kind: StoreKind) async throws {
        try await kind.withStores(limit: 200_000) { one, other in
            try await withThrowingTaskGroup { group in
                for task in 0..<(isExhaustive ? 8 : 4) {
                    group.addTask {
                        for step in 0..<60 {
                            let key = CacheKey(url: "https://h/\(step % 5)", identity: "\(task % 2)")
                            let store = step.isMultiple(of: 2) ? one : other
                            if step % 20 == 19 { try await store.remove(key.url) }
                            let text = String(repeating: key.url + key.identity + " ", count: 1 + step * 7 % 50)
                            try await store.store(StoreFixture.stored(text), key)
                            let found = try await store.responses(key).map {
                                Set(String(decoding: $0.response.payload, as: UTF8.self).split(separator: " "))
                            }
                            #expect(found.allSatisfy { $0 == [Substring(key.url + key.identity)] } && found.count < 2)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}

struct MemoryStoreTests {
    private func key(_ number: Int) -> CacheKey { CacheKey(url: "https://h/\(number)", identity: "") }

    private let one = MemoryCache.cost(of: StoreFixture.stored(), CacheKey(url: "https://h/1", identity: ""))

    @Test("the least recently used response is removed, and reading is a use") func leastRecentlyUsed() async throws {
        let store = CacheStore.memory(limit: one * 10)
        for number in 0..<10 { try await store.store(StoreFixture.stored(), key(number)) }
        #expect(try await store.responses(key(0)).count == 1)
        try await store.store(StoreFixture.stored(), CacheKey(url: "https://h/x", identity: ""))
        #expect(try await store.responses(key(0)).count == 1)
        #expect(try await store.responses(key(3)).isEmpty)
        #expect(try await store.responses(key(4)).count == 1)
    }

    @Test("the limit is never exceeded, and is used up to one response, under random operations", arguments: [1, 2])
    func limit(seed: UInt64) {
        var (cache, random) = (MemoryCache(limit: 100_000), SplitMix64(seed: seed))
        var most = 0
        for step in 0..<(isExhaustive ? 5_000 : 1_000) {
            let key = CacheKey(url: "\(Int.random(in: 0..<40, using: &random))", identity: "\(step % 2)")
            switch Int.random(in: 0..<20, using: &random) {
            case 0: cache.remove(url: key.url)
            case 1..<8: _ = cache.responses(of: key)
            default:
                let text = String(repeating: "a", count: Int.random(in: 0..<15_000, using: &random))
                let variant: HTTPHeaders = step.isMultiple(of: 3) ? ["A": "\(step % 30)"] : [:]
                cache.store(StoreFixture.stored(text, varying: variant), key)
            }
            #expect(cache.cost >= 0 && cache.cost <= 100_000)
            most = max(most, cache.cost)
        }
        #expect(most > 100_000 - 100_000 / MemoryCache.entryShare)
        for number in 0..<40 { cache.remove(url: "\(number)") }
        #expect(cache.cost == 0)
    }

    @Test("a response of an eighth of the limit is stored, and one byte more is not") func share() {
        let payload = String(repeating: "a", count: 1_000)
        let cost = MemoryCache.cost(of: StoreFixture.stored(payload), StoreFixture.key)
        var exact = MemoryCache(limit: cost * 8)
        exact.store(StoreFixture.stored(payload), StoreFixture.key)
        #expect(exact.responses(of: StoreFixture.key).count == 1 && exact.cost == cost)
        exact.store(StoreFixture.stored(payload + "a"), StoreFixture.key)
        #expect(exact.responses(of: StoreFixture.key).isEmpty && exact.cost == 0)
        exact.store(StoreFixture.stored(), key(1))
        // A field costs 96 bytes and its texts.
        let rest = String(payload.dropFirst(96 + 2))
        let variants = (0..<8).map { StoreFixture.stored(rest, varying: ["A": "\($0)"]) }
        for variant in variants { exact.store(variant, StoreFixture.key) }
        #expect(exact.responses(of: StoreFixture.key) == variants && exact.cost == cost * 8)
    }
}
