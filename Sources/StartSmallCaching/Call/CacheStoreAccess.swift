import StartSmall

/// The access to a store: no function throws, and changes of one URL come one after the other.
extension CacheStore {
    /// The maximum number of variants of one key: 32, more than an API has languages and formats.
    ///
    /// The stores of the kit keep eight.
    ///
    /// `Vary` with a field that differs in each request would fill a store with responses that are never used. One more
    /// variant replaces all of them.
    static let maximumVariants = 32

    /// Returns the stored responses of a key; none if the store fails.
    func load(_ key: CacheKey) async -> [StoredResponse] {
        guard coordinator.distrusts(key.url) else { return await read(key) }
        await remove([key.url])
        let stored = await read(key)
        return coordinator.distrusts(key.url) ? stored.map { $0.invalidated() } : stored
    }

    private func read(_ key: CacheKey) async -> [StoredResponse] {
        do { return try await responses(key) } catch { return [] }
    }

    /// Stores responses, unless newer ones are stored, or the URL was invalidated since their request was sent.
    ///
    /// - Parameters:
    ///   - new: the responses.
    ///   - key: their key.
    ///   - request: the number of their request.
    /// - Returns: the reason why the first of them was not stored; nil if it was.
    func write(_ new: [StoredResponse], _ key: CacheKey, of request: UInt64) async -> NotStoredReason? {
        await coordinator.withTurn(at: key.url) {
            guard coordinator.isValid(request, to: key.url) else { return .invalidated }
            let existing = await read(key)
            let isNew = { (stored: StoredResponse) in !existing.contains { $0.variant == stored.variant } }
            if existing.count + new.count(where: isNew) > Self.maximumVariants { try? await remove(key.url) }
            var reasons: [NotStoredReason?] = []
            for stored in new { reasons.append(await write(stored, key, existing)) }
            return reasons.first ?? nil
        }
    }

    private func write(
        _ stored: StoredResponse,
        _ key: CacheKey,
        _ existing: [StoredResponse]
    ) async -> NotStoredReason? {
        if let old = existing.first(where: { $0.variant == stored.variant }), !stored.replaces(old) { return .older }
        do { try await store(stored, key) } catch { return .storeFailed }
        return nil
    }

    /// Removes the responses of URLs for all identities (RFC 9111 4.4).
    ///
    /// What a failing store still has is validated before its next use.
    func remove(_ urls: [String]) async {
        for url in urls {
            await coordinator.withTurn(at: url) {
                var succeeded = true
                do { try await remove(url) } catch { succeeded = false }
                coordinator.noteRemoval(of: url, succeeded: succeeded)
            }
        }
    }
}
