import StartSmallCore
import StartSmallFoundation

/// The decision on a response: whether to store it, in place of the one with the same variant (RFC 9111 3).
enum StorageDecision: Hashable, Sendable {
    case store(StoredResponse)
    case leave(NotStoredReason)
}

enum NotStoredReason: String, Hashable, Sendable {
    /// The status is 206 or 304 (3); the response has `no-store` (5.2.2.5), or `Vary: *`, so that it would never be
    /// used (4.1).
    case status
    case noStore = "no-store"
    case varyAny = "vary-any"

    /// The response came by a redirect, and belongs to another URL.
    case redirected

    /// Neither the status nor a directive makes the response cacheable (3).
    case notCacheable = "not-cacheable"

    /// The response has neither a lifetime nor a validator, so that it would never be used.
    case noLifetime = "no-lifetime"

    /// The URL was changed while the response was on its way (4.4), or a newer response is stored (4).
    case invalidated, older

    /// A 304 is for a stored response, but does not update it (4.3.4).
    case notUpdated = "not-updated"
    case storeFailed = "store-failed"
}

extension CacheRules {
    /// Decides whether to store a response (RFC 9111 3).
    func storage(of response: Response, to request: CacheableRequest, _ times: ExchangeTimes) -> StorageDecision {
        if !response.redirections.isEmpty { return .leave(.redirected) }
        var stored = StoredResponse(response, requestedAt: times.requestedAt, receivedAt: times.receivedAt)
        let (status, facts) = (response.statusCode, stored.facts)
        let directives = facts.directives
        if status.isInformational || status == .partialContent || status == .notModified { return .leave(.status) }
        if directives.isNoStore { return .leave(.noStore) }
        if directives.isMustUnderstand, !status.isHeuristicallyCacheable { return .leave(.status) }
        if facts.vary.isAny { return .leave(.varyAny) }
        guard
            facts.explicitLifetime != nil && !directives.isMalformed || directives.isPublic || directives.isPrivate
                || status.isHeuristicallyCacheable
        else { return .leave(.notCacheable) }
        stored.response.headers = StoredFields.stored(response.headers)
        stored.response.url = response.url.flatMap { request.moved(to: $0) }
        stored = stored.dated().selected(by: request)
        return isUseful(stored, for: request) ? .store(stored) : .leave(.noLifetime)
    }

    /// Returns whether any later request could be answered or validated with a response.
    private func isUseful(_ stored: StoredResponse, for request: CacheableRequest) -> Bool {
        let facts = stored.facts
        let hasValidator = facts.etag != nil || facts.lastModified != nil
        if hasValidator, stored.response.statusCode.isSuccess { return true }
        if facts.directives.isNoCache { return false }
        let isFreshAtFirst = freshness(of: stored, for: request, at: stored.receivedAt).isFresh
        if facts.directives.isMustRevalidate { return isFreshAtFirst }
        return facts.explicitLifetime != nil || options.staleIfError > .zero || isFreshAtFirst
    }
}

extension StoredResponse {
    /// Whether this response replaces an existing one of the same variant (RFC 9111 4).
    ///
    /// A request that was sent after the other response had arrived has the newer response. If they overlap, the
    /// `Date` of the server decides, and then the order of the requests. A response "from the future" was stored before
    /// the clock was set back, and is replaced.
    func replaces(_ existing: StoredResponse) -> Bool {
        if requestedAt >= existing.receivedAt || existing.receivedAt > receivedAt { return true }
        return !existing.isMoreRecent(than: self)
    }
}
