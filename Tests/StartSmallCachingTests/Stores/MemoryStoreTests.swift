import Foundation
import ParityTrait
import StartSmall
import Testing

@testable import StartSmallCaching

struct MemoryStoreTests {
    private func key(_ number: Int) -> CacheKey { CacheKey(url: "https://h/\(number)", identity: "") }

    private let one = MemoryCache.cost(of: StoreFixture.stored(), CacheKey(url: "https://h/1", identity: ""))

    @Test("the least recently used response is removed, and reading is a use") func leastRecentlyUsed() async throws {
        let store = CacheStore.memory(limit: one * 10)
        for number in 0..<10 { try await store.store(StoreFixture.stored(), key(number)) }
        #expect(try await store.responses(key(0)).count == 1)
        try await store.store(StoreFixture.stored(), CacheKey(url: "https://h/x", identity: ""))
        #expect(try await store.responses(key(0)).count == 1)
        #expect(try await store.responses(key(1)).isEmpty)
        #expect(try await store.responses(key(2)).count == 1)
    }

    @Test("the limit is never exceeded, and is used up to one response, under random operations", arguments: [1, 2])
    func limit(seed: UInt64) {
        var (cache, random) = (MemoryCache(limit: 100_000), SeededRandom(seed: seed))
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
    }

    @Test("the cost of a response is its payload, its texts and the documented overhead") func cost() {
        let stored = StoredResponse(
            Response(statusCode: .ok, headers: ["A": "bc"], payload: Data(count: 5)),
            variant: ["D": "é"],
            requestedAt: StoreFixture.date,
            receivedAt: StoreFixture.date
        )
        #expect(
            MemoryCache.cost(of: stored, CacheKey(url: "https", identity: "id")) == 1_024 + 5 + 2 + 5 + 3 + 3 + 2 * 96
        )
    }
}
