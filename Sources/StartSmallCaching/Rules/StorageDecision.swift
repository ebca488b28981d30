/// The decision on a response: whether to store it (RFC 9111 3).
enum StorageDecision: Hashable, Sendable {
    /// The response is stored, in place of the one with the same variant.
    case store(StoredResponse)

    /// The response is not stored.
    case leave(NotStoredReason)
}

/// The reason why a response is not stored.
enum NotStoredReason: String, Hashable, Sendable {
    /// Only responses to GET are stored.
    case method

    /// The status is 206 or 304, or `must-understand` demands more than the cache does (3, 5.2.2.3).
    case status

    /// The response has `no-store` (5.2.2.5).
    case noStore = "no-store"

    /// `Vary` is `*`, so that the response would never be used (4.1).
    case varyAny = "vary-any"

    /// The response came by a redirect, and belongs to another URL.
    case redirected

    /// Neither the status nor a directive makes the response cacheable (3).
    case notCacheable = "not-cacheable"

    /// The response has neither a lifetime nor a validator, so that it would never be used.
    case noLifetime = "no-lifetime"

    /// The URL was changed while the response was on its way (4.4).
    case invalidated

    /// A newer response is stored (4).
    case older

    /// A 304 is for a stored response, but does not update it (4.3.4).
    case notUpdated = "not-updated"

    /// The store failed.
    case storeFailed = "store-failed"
}
