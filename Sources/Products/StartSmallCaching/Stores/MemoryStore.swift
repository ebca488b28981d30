import StartSmallCore
import StartSmallFoundation
import Synchronization

extension CacheStore {
    /// The default limit of a cache in memory: 16 MiB.
    ///
    /// Some thousand responses of an API: a quarter of the largest payload that `.limitPayload()` lets into
    /// memory by default, and little beside the memory of an app.
    @usableFromInline static let defaultMemoryLimit = 16 * 1024 * 1024

    /// Returns a store in memory, which ends with the value and its copies.
    ///
    /// ```swift
    /// let store = CacheStore.memory(limit: 4_000_000)
    /// ```
    ///
    /// - Parameter limit: the maximum memory of all responses in bytes, 16 MiB by default; with 0 or less, nothing is
    ///   stored. A response counts with its payload, its texts, 1 KiB, and 96 bytes for each header field. Above
    ///   it, the least recently used responses are removed, down to seven eighths; reading is a use of all variants of
    ///   a URL for one identity, of which there are at most eight. A response that takes more than an eighth of the
    ///   limit is not stored.
    public static func memory(limit: Int = defaultMemoryLimit) -> CacheStore {
        let cache = Mutex(MemoryCache(limit: limit))
        return CacheStore(
            immediateResponses: { key in cache.withLock { $0.responses(of: key) } },
            store: { stored, key in cache.withLock { $0.store(stored, key) } },
            remove: { url in cache.withLock { $0.remove(url: url) } }
        )
    }
}

/// The responses of a cache in memory, with the last uses of their keys.
struct MemoryCache {
    /// The responses of one key, one for each variant, the newest one last; and their costs in bytes.
    private struct Slot {
        var responses: [StoredResponse] = []
        var costs: [Int] = []
        var lastUse: UInt64 = 0
    }

    /// The assumed memory of a response without its texts and its payload, in bytes: values, array and dictionary.
    static let overhead = 1_024

    /// The assumed memory of a header field without its texts, in bytes: two strings, and the headers of their storage.
    static let fieldOverhead = 96

    /// The part of the limit that a response may take: an eighth, so that the variants of one key never exceed it.
    static let entryShare = CacheStore.maximumStoredVariants

    /// The cost of all responses and its limit, in bytes.
    private(set) var cost = 0
    private let limit: Int

    /// The slots by URL and identity.
    private var slots: [String: [String: Slot]] = [:]
    private var lastUse: UInt64 = 0

    init(limit: Int) { self.limit = max(0, limit) }

    static func cost(of stored: StoredResponse, _ key: CacheKey) -> Int {
        var texts = 0
        for headers in [stored.response.headers, stored.response.trailers, stored.variant] {
            for field in headers.fields { texts += field.name.utf8.count + field.value.utf8.count + fieldOverhead }
        }
        return overhead + key.url.utf8.count + key.identity.utf8.count + stored.response.payload.count + texts
    }

    /// Returns the responses of a key, which counts as a use.
    mutating func responses(of key: CacheKey) -> [StoredResponse] {
        lastUse += 1
        slots[key.url]?[key.identity]?.lastUse = lastUse
        return slots[key.url]?[key.identity]?.responses ?? []
    }

    /// Stores a response in place of the one with the same variant, which is removed if the new one is too large.
    mutating func store(_ stored: StoredResponse, _ key: CacheKey) {
        let added = Self.cost(of: stored, key)
        let isAllowed = added <= limit / Self.entryShare
        var slot = slots[key.url]?[key.identity] ?? Slot()
        let outdated = slot.responses.firstIndex { $0.variant == stored.variant }
        if let outdated = outdated ?? (slot.responses.count < CacheStore.maximumStoredVariants ? nil : 0) {
            slot.responses.remove(at: outdated)
            cost -= slot.costs.remove(at: outdated)
        }
        if isAllowed {
            slot.responses.append(stored)
            slot.costs.append(added)
            cost += added
        }
        lastUse += 1
        slot.lastUse = lastUse
        slots[key.url, default: [:]][key.identity] = slot
        if slot.responses.isEmpty { return removeSlot(of: key) }
        if cost > limit { makeRoom(besides: key) }
    }

    mutating func remove(url: String) {
        for slot in (slots.removeValue(forKey: url) ?? [:]).values { cost -= slot.costs.reduce(0, +) }
    }

    private mutating func removeSlot(of key: CacheKey) {
        cost -= slots[key.url]?.removeValue(forKey: key.identity)?.costs.reduce(0, +) ?? 0
        if slots[key.url]?.isEmpty == true { slots[key.url] = nil }
    }

    /// Removes an eighth of the limit, so that few responses need it: the sorting takes longer than the rest.
    private mutating func makeRoom(besides key: CacheKey) {
        let uses = slots.flatMap { url, slots in slots.map { ($1.lastUse, CacheKey(url: url, identity: $0)) } }
        for (_, other) in uses.sorted(by: { $0.0 < $1.0 }) where cost > limit / 8 * 7 && other != key {
            removeSlot(of: other)
        }
    }
}
