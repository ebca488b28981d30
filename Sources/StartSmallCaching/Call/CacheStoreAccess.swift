import StartSmall

/// The access to a store: no function throws, and changes of one URL come one after the other.
///
/// A change that has begun is completed, also if its call is cancelled.
extension CacheStore {
    /// The maximum number of variants of one key: 32, more than an API has languages and formats.
    ///
    /// The stores of the kit keep eight.
    ///
    /// `Vary` with a field that differs in each request would fill a store with responses that are never used. One more
    /// variant replaces all of them.
    static let maximumVariants = 32

    /// Returns the stored responses of a key, none if the store fails; nil as soon as the call is cancelled.
    func load(_ key: CacheKey) async -> [StoredResponse]? {
        if let immediate { return immediate.responses(key) }
        return await outliving {
            guard coordinator.distrusts(key.url) else { return await read(key) }
            await removeInTurn([key.url])
            let stored = await read(key)
            return coordinator.distrusts(key.url) ? stored.map { $0.invalidated() } : stored
        }
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
        if let immediate { return write(new, key, of: request, to: immediate) }
        return await outliving {
            await coordinator.withTurn(at: key.url) {
                guard coordinator.isValid(request) else { return .invalidated }
                let existing = await read(key)
                if Self.areTooMany(new, existing) { try? await remove(key.url) }
                var reasons: [NotStoredReason?] = []
                for stored in new { reasons.append(await write(stored, key, existing)) }
                return reasons.first ?? nil
            }
        } ?? .storeFailed
    }

    private func write(
        _ stored: StoredResponse,
        _ key: CacheKey,
        _ existing: [StoredResponse]
    ) async -> NotStoredReason? {
        if stored.isOlder(than: existing) { return .older }
        do { try await store(stored, key) } catch { return .storeFailed }
        return nil
    }

    private func write(
        _ new: [StoredResponse],
        _ key: CacheKey,
        of request: UInt64,
        to immediate: ImmediateStore
    ) -> NotStoredReason? {
        coordinator.withImmediateTurn {
            guard coordinator.isValid(request) else { return .invalidated }
            let existing = immediate.responses(key)
            if Self.areTooMany(new, existing) { immediate.remove(key.url) }
            for stored in new where !stored.isOlder(than: existing) { immediate.store(stored, key) }
            return new.first?.isOlder(than: existing) == true ? .older : nil
        }
    }

    private static func areTooMany(_ new: [StoredResponse], _ existing: [StoredResponse]) -> Bool {
        let isNew = { (stored: StoredResponse) in !existing.contains { $0.variant == stored.variant } }
        return existing.count + new.count(where: isNew) > maximumVariants
    }

    /// Removes the responses of URLs for all identities (RFC 9111 4.4).
    ///
    /// What a failing store still has is validated before its next use.
    func remove(_ urls: [String]) async {
        if let immediate {
            coordinator.withImmediateTurn { for url in urls { immediate.remove(url) } }
        } else {
            _ = await outliving { await removeInTurn(urls) }
        }
    }

    private func removeInTurn(_ urls: [String]) async {
        for url in urls {
            await coordinator.withTurn(at: url) {
                var succeeded = true
                do { try await remove(url) } catch { succeeded = false }
                coordinator.noteRemoval(of: url, succeeded: succeeded)
            }
        }
    }
}

extension StoredResponse {
    /// Whether a newer response of the same variant exists.
    fileprivate func isOlder(than existing: [StoredResponse]) -> Bool {
        existing.first { $0.variant == variant }.map { !replaces($0) } ?? false
    }
}
