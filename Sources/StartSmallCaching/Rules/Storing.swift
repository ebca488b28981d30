import Foundation
import StartSmall

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

extension CacheRules {
    /// Decides whether to store a response (RFC 9111 3).
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - request: its request.
    ///   - requestedAt: the time at which the request was sent.
    ///   - receivedAt: the time at which the response arrived.
    func storage(
        of response: Response,
        to request: CacheableRequest,
        requestedAt: Date,
        receivedAt: Date
    ) -> StorageDecision {
        if request.isHead { return .leave(.method) }
        if !response.redirections.isEmpty { return .leave(.redirected) }
        let (status, directives) = (response.statusCode, ResponseDirectives(response.headers))
        let isUnderstood = StatusCacheability.isUnderstood(status)
        if status.isInformational || status == .partialContent || status == .notModified { return .leave(.status) }
        if directives.isMustUnderstand, !isUnderstood { return .leave(.status) }
        if directives.isNoStore, !directives.isMustUnderstand { return .leave(.noStore) }
        let vary = Vary(response.headers)
        if vary.isAny { return .leave(.varyAny) }
        let explicit = ExplicitLifetime(of: response.headers, receivedAt: receivedAt)
        guard
            explicit != nil || directives.isPublic || directives.isPrivate || StatusCacheability.isHeuristic(status)
        else { return .leave(.notCacheable) }
        var stored = StoredResponse(
            response,
            variant: vary.variant(of: request.input.headers),
            requestedAt: requestedAt,
            receivedAt: receivedAt
        ).dated()
        guard isUseful(stored, for: request, explicit, directives) else { return .leave(.noLifetime) }
        stored.response.headers = StoredFields.stored(stored.response.headers)
        return .store(stored)
    }

    /// Returns whether any later request could be answered or validated with a response.
    private func isUseful(
        _ stored: StoredResponse,
        for request: CacheableRequest,
        _ explicit: ExplicitLifetime?,
        _ directives: ResponseDirectives
    ) -> Bool {
        let hasValidator =
            stored.response.etag != nil
            || CacheDate.date(stored.response.headers["Last-Modified"], now: stored.receivedAt) != nil
        if hasValidator, stored.response.statusCode.isSuccess { return true }
        if directives.isNoCache { return false }
        if directives.isMustRevalidate {
            return freshness(of: stored, for: request, at: stored.receivedAt).isFresh
        }
        return explicit != nil || options.staleIfError > .zero
            || freshness(of: stored, for: request, at: stored.receivedAt).isFresh
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

extension CacheRules {
    /// Returns the stored responses that the response to a HEAD changes (RFC 9111 4.3.5).
    ///
    /// A stored response to GET with the same validators and the same length gets the new fields; one with another
    /// validator or length has to be validated before its next use. Without a common validator, it stays as it is: the
    /// fields of a changed resource must not make an old payload fresh.
    func changes(
        by response: Response,
        to request: CacheableRequest,
        _ stored: [StoredResponse],
        requestedAt: Date,
        receivedAt: Date
    ) -> [StoredResponse] {
        guard request.isHead, response.statusCode == .ok, response.redirections.isEmpty else { return [] }
        let (headers, vary) = (request.input.headers, Vary(response.headers))
        return stored.filter { $0.isSelected(by: headers) && $0.response.statusCode == .ok }.compactMap { stored in
            guard stored.hasSameVersion(asHead: response), !vary.isAny else { return stored.invalidated() }
            if ResponseDirectives(response.headers).isNoStore || !stored.hasCommonValidator(response) { return nil }
            var updated = stored.updated(by: response, requestedAt: requestedAt, receivedAt: receivedAt)
            updated.variant = Vary(updated.response.headers).variant(of: headers)
            return updated
        }
    }
}

extension StoredResponse {
    /// Returns the response marked as one to validate before its next use (RFC 9111 4.4).
    func invalidated() -> StoredResponse {
        var invalidated = self
        invalidated.isInvalidated = true
        return invalidated
    }

    fileprivate func hasCommonValidator(_ head: Response) -> Bool {
        ["ETag", "Last-Modified"].contains { head.headers[$0] != nil && head.headers[$0] == response.headers[$0] }
    }

    fileprivate func hasSameVersion(asHead head: Response) -> Bool {
        let same = { (name: String) in
            !head.headers.contains(name) || head.headers[name] == response.headers[name]
        }
        guard same("ETag"), same("Last-Modified") else { return false }
        guard let length = head.headers["Content-Length"] else { return true }
        // The payload is decoded: without the field, only that of a payload without coding is known.
        if let own = response.headers["Content-Length"] { return own == length }
        return response.headers.contains("Content-Encoding") || "\(response.payload.count)" == length
    }
}
