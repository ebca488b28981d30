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
    ///   stored. A response counts with its payload, its texts, 1 KiB, and 96 bytes for each header field. The least
    ///   recently used responses are removed; reading is a use of all variants of a URL for one identity, of which
    ///   there are at most eight. A response that takes more than an eighth of the limit is not stored.
    public static func memory(limit: Int = defaultMemoryLimit) -> CacheStore {
        let cache = Mutex(MemoryCache(limit: limit))
        return CacheStore(
            ImmediateStore(
                responses: { key in cache.withLock { $0.responses(of: key) } },
                store: { stored, key in cache.withLock { $0.store(stored, key) } },
                remove: { url in cache.withLock { $0.remove(url: url) } }
            )
        )
    }
}
