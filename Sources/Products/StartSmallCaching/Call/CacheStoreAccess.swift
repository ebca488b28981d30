import StartSmallCore

/// The access to a store: no function throws, and changes of one URL come one after the other.
///
/// A change that has begun is completed, also if its call is cancelled.
extension CacheStore {
    /// The maximum number of variants of one key: 32, more than an API has languages and formats.
    ///
    /// The stores of the kit keep eight. `Vary` with a field that differs in each request would fill a store with
    /// responses that are never used. One more variant replaces all of them.
    static let maximumVariants = 32

    /// Returns the stored responses of a key, none if the store fails; nil as soon as the call is cancelled.
    func load(_ key: CacheKey) async -> [StoredResponse]? {
        if let immediateResponses { return immediateResponses(key) }
        return await outliving { await read(key) }
    }

    /// Completes a change, also if its call is cancelled: that of a store that answers at once needs no task of its own.
    private func completed<Value: Sendable>(_ change: @escaping @Sendable () async -> Value) async -> Value? {
        immediateResponses == nil ? await outliving(change) : await change()
    }

    private func read(_ key: CacheKey) async -> [StoredResponse] {
        do { return try await responses(key) } catch { return [] }
    }

    /// Stores a response, unless a newer one is stored, or the URL was invalidated since its request was sent.
    ///
    /// - Returns: the reason why the response was not stored; nil if it was.
    func write(_ new: StoredResponse, _ key: CacheKey, of request: UInt64) async -> NotStoredReason? {
        await completed {
            await coordinator.withTurn(at: key.url) {
                guard coordinator.isValid(request) else { return .invalidated }
                let existing = await read(key)
                if new.isOlder(than: existing) { return .older }
                do {
                    let isNew = existing.allSatisfy { $0.variant != new.variant }
                    if isNew, existing.count >= Self.maximumVariants { try await remove(key.url) }
                    try await store(new, key)
                    return nil
                } catch {
                    return .storeFailed
                }
            }
        } ?? .storeFailed
    }

    /// Removes the responses of URLs for all identities (RFC 9111 4.4).
    func remove(_ urls: [String]) async {
        _ = await completed {
            for url in urls { await coordinator.withTurn(at: url) { _ = try? await remove(url) } }
        }
    }
}

extension StoredResponse {
    fileprivate func isOlder(than existing: [StoredResponse]) -> Bool {
        existing.first { $0.variant == variant }.map { !replaces($0) } ?? false
    }
}
