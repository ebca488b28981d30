import Foundation
import ParityTrait
import StartSmall
import Testing

@testable import StartSmallCaching

/// The laws that all stores keep.
@Suite(.timeLimit(.minutes(3))) struct StoreLawTests {
    private struct Operation {
        let key: CacheKey
        let variant: HTTPHeaders

        static func random(_ random: inout SeededRandom) -> Operation {
            Operation(
                key: CacheKey(
                    url: "https://h/\(Int.random(in: 0..<4, using: &random))",
                    identity: Int.random(in: 0..<3, using: &random) == 0
                        ? "" : "id\(Int.random(in: 0..<2, using: &random))"
                ),
                variant: [["A": "1"], ["A": "2"], [:]][Int.random(in: 0..<3, using: &random)]
            )
        }
    }

    private typealias Oracle = [CacheKey: [HTTPHeaders: StoredResponse]]

    @Test(
        "a store returns what was stored last for each key and variant",
        arguments: StoreKind.allCases,
        isExhaustive ? [1, 2, 3] : [1]
    )
    func everything(_ kind: StoreKind, seed: UInt64) async throws {
        try await kind.withStores(limit: 10_000_000) { one, other in
            let found = try await run(300, seed, one, other) { oracle, responses, key in
                Set(responses) == Set(oracle[key, default: [:]].values)
            }
            #expect(found > 50)
        }
    }

    @Test(
        "a store that is full returns what was stored last, or nothing",
        arguments: StoreKind.allCases,
        isExhaustive ? [4, 5] : [4]
    )
    func somewhat(_ kind: StoreKind, seed: UInt64) async throws {
        // Of a directory, each response takes a block of 4 KiB.
        try await kind.withStores(limit: kind == .memory ? 30_000 : 16 * 4_096) { one, other in
            let found = try await run(400, seed, one, other) { oracle, responses, key in
                responses.allSatisfy { oracle[key]?[$0.variant] == $0 }
                    && Set(responses.map(\.variant)).count == responses.count
            }
            #expect(found > 20)
        }
    }

    /// Performs random operations on a store and an oracle, and returns the number of responses found.
    private func run(
        _ count: Int,
        _ seed: UInt64,
        _ one: CacheStore,
        _ other: CacheStore,
        _ isRight: (Oracle, [StoredResponse], CacheKey) -> Bool
    ) async throws -> Int {
        var (random, oracle, found) = (SeededRandom(seed: seed), Oracle(), 0)
        for step in 0..<count {
            let operation = Operation.random(&random)
            let store = Bool.random(using: &random) ? one : other
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let stored = StoreFixture.stored("\(step)", varying: operation.variant, after: Double(step))
                try await store.store(stored, operation.key)
                oracle[operation.key, default: [:]][operation.variant] = stored
            case 5:
                try await store.remove(operation.key.url)
                oracle = oracle.filter { $0.key.url != operation.key.url }
            default:
                let responses = try await store.responses(operation.key)
                found += responses.count
                #expect(isRight(oracle, responses, operation.key), "step \(step)")
            }
        }
        return found
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
