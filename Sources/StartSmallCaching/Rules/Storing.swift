import Foundation
import StartSmall

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
        let facts = ResponseFacts(response.headers, receivedAt: receivedAt)
        let (status, directives) = (response.statusCode, facts.directives)
        if status.isInformational || status == .partialContent || status == .notModified { return .leave(.status) }
        if directives.isMustUnderstand, !StatusCacheability.isUnderstood(status) { return .leave(.status) }
        if directives.isNoStore, !directives.isMustUnderstand { return .leave(.noStore) }
        if facts.vary.isAny { return .leave(.varyAny) }
        guard
            facts.explicitLifetime != nil || directives.isPublic || directives.isPrivate
                || StatusCacheability.isHeuristic(status)
        else { return .leave(.notCacheable) }
        var kept = response
        kept.headers = StoredFields.stored(response.headers, directives)
        let stored = StoredResponse(kept, facts, [:], requestedAt, receivedAt, isInvalidated: false)
            .dated().selected(by: request)
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
        let vary = Vary(response.headers)
        return stored.filter { $0.isSelected(by: request) && $0.response.statusCode == .ok }.compactMap { stored in
            guard stored.hasSameVersion(asHead: response), !vary.isAny else { return stored.invalidated() }
            if ResponseDirectives(response.headers).isNoStore || !stored.hasCommonValidator(response) { return nil }
            return stored.updated(by: response, requestedAt: requestedAt, receivedAt: receivedAt).selected(by: request)
        }
    }
}

extension StoredResponse {
    fileprivate func hasCommonValidator(_ head: Response) -> Bool {
        ["ETag", "Last-Modified"].contains { hasSame($0, head) }
    }

    fileprivate func hasSameVersion(asHead head: Response) -> Bool {
        guard ["ETag", "Last-Modified"].allSatisfy({ !head.headers.contains($0) || hasSame($0, head) }) else {
            return false
        }
        guard let length = head.headers["Content-Length"] else { return true }
        // The payload is decoded: without the field, only that of a payload without coding is known.
        if response.headers.contains("Content-Length") { return hasSame("Content-Length", head) }
        return response.headers.contains("Content-Encoding")
            || "\(response.payload.count)".utf8.elementsEqual(length.utf8)
    }

    /// Whether a field is the same in a response to HEAD, byte by byte.
    private func hasSame(_ name: String, _ head: Response) -> Bool {
        guard let own = response.headers[name], let other = head.headers[name] else { return false }
        return own.utf8.elementsEqual(other.utf8)
    }
}
