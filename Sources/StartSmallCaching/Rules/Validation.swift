import Foundation
import StartSmall

/// The conditions by which a server validates stored responses (RFC 9111 4.3.1).
struct Validation: Hashable, Sendable {
    /// The stored responses that are validated; the selected one first.
    let candidates: [StoredResponse]

    /// The tags for `If-None-Match`.
    let tags: [ETag]

    /// The text for `If-Modified-Since`, as the server sent it; nil unless a single response is validated.
    let lastModified: String?

    /// Returns a request with the conditions.
    func conditional(_ input: Input) -> Input {
        input.with { input in
            if !tags.isEmpty { input.headers["If-None-Match"] = "\(ETagCondition.oneOf(tags))" }
            if let lastModified { input.headers["If-Modified-Since"] = lastModified }
        }
    }

    /// The maximum number of tags in one request: 32, which with tags of usual length are about 1,500 bytes.
    static let maximumTags = 32
}

extension CacheRules {
    /// Returns the conditions for a request; nil if no stored response can be validated by it.
    ///
    /// The tags of all variants are sent, so that the server can select any of them (RFC 9111 4.3.1). A request with
    /// the caller's own condition, and a HEAD, are sent as they are.
    func validation(
        of selected: StoredResponse?,
        _ request: CacheableRequest,
        _ stored: [StoredResponse]
    ) -> Validation? {
        guard request.condition == nil, !request.isHead else { return nil }
        let isOwn = { (stored: StoredResponse) in stored.response.statusCode.isSuccess }
        if let selected, isOwn(selected), selected.facts.etag == nil {
            guard let date = selected.lastModified else { return nil }
            return Validation(candidates: [selected], tags: [], lastModified: date)
        }
        let others = stored.filter { isOwn($0) && $0 != selected && $0.facts.etag != nil }
            .sorted { $0.isMoreRecent(than: $1) }
        let own = selected.flatMap { isOwn($0) ? $0 : nil }
        let candidates = Array(((own.map { [$0] } ?? []) + others).prefix(Validation.maximumTags))
        if candidates.isEmpty { return nil }
        var tags: [ETag] = []
        for tag in candidates.compactMap(\.facts.etag) where !tags.contains(tag) { tags.append(tag) }
        return Validation(
            candidates: candidates,
            tags: tags,
            lastModified: candidates.count == 1 ? own?.lastModified : nil
        )
    }
}

extension StoredResponse {
    /// The text of `Last-Modified`, if it is a date.
    fileprivate var lastModified: String? {
        facts.lastModified == nil ? nil : response.headers["Last-Modified"]
    }
}

/// The meaning of a 304 for the stored responses that were validated (RFC 9111 4.3.4).
enum ValidationResult: Hashable, Sendable {
    /// The answer is a stored response with the fields of the 304; these responses are to be stored anew.
    case valid(StoredResponse, updated: [StoredResponse])

    /// The 304 is for no stored response: the request has to be repeated without conditions.
    case unknown
}

extension Validation {
    /// Selects the stored responses that a 304 updates (4.3.4), and the one that is the answer.
    ///
    /// - With a strong tag: all stored responses with that tag. A stored response with a weak tag of the same text is
    ///   the answer (RFC 9110 13.1.2), but is not updated.
    /// - With a weak tag or a date: the most recent stored response with it.
    /// - Without a validator: the response, if a single one was validated.
    ///
    /// - Parameters:
    ///   - response: the 304.
    ///   - request: the request without the conditions.
    ///   - requestedAt: the time at which the request was sent.
    ///   - receivedAt: the time at which the 304 arrived.
    func result(
        of response: Response,
        for request: CacheableRequest,
        requestedAt: Date,
        receivedAt: Date
    ) -> ValidationResult {
        let (matching, isUpdate) = matches(of: response, receivedAt: receivedAt)
        let recent = matching.max { $1.isMoreRecent(than: $0) }
        let own = matching.first { $0.isSelected(by: request) }
        guard let chosen = own ?? recent else { return .unknown }
        let update = { (stored: StoredResponse) in
            stored.updated(by: response, requestedAt: requestedAt, receivedAt: receivedAt)
        }
        let updated = update(chosen)
        let vary = updated.facts.vary
        let answer = updated.selected(by: request)
        let isStorable = isUpdate && !ResponseDirectives(response.headers).isNoStore && !vary.isAny
        let others = matching.map(update).filter { other in
            // Without the old request, a variant by other fields can't be told.
            other.variant != answer.variant && other.facts.vary.names == vary.names
        }
        return .valid(answer, updated: isStorable ? [answer] + others : [])
    }

    private func matches(of response: Response, receivedAt: Date) -> (matching: [StoredResponse], isUpdate: Bool) {
        if let tag = response.etag {
            let equal = candidates.filter { $0.facts.etag?.isWeaklyEqual(to: tag) ?? false }
            if tag.isWeak { return (equal.max { $1.isMoreRecent(than: $0) }.map { [$0] } ?? [], true) }
            let strong = equal.filter { $0.facts.etag?.isStronglyEqual(to: tag) ?? false }
            return strong.isEmpty ? (equal, false) : (strong, true)
        }
        let single = candidates.count == 1 ? candidates : []
        let lastModified = { (headers: HTTPHeaders) in CacheDate.date(headers["Last-Modified"], now: receivedAt) }
        guard let date = lastModified(response.headers) else { return (single, true) }
        let dated = candidates.filter { lastModified($0.response.headers) == date }
        if let recent = dated.max(by: { $1.isMoreRecent(than: $0) }) { return ([recent], true) }
        return (single.filter { !$0.response.headers.contains("Last-Modified") }, true)
    }
}

extension StoredResponse {
    /// Returns the response with the fields of a newer one, and the times of the newer one (3.2, 4.2.3).
    func updated(by newer: Response, requestedAt: Date, receivedAt: Date) -> StoredResponse {
        var updated = response
        updated.headers = StoredFields.updated(response.headers, by: newer.headers)
        let facts = ResponseFacts(updated.headers, receivedAt: receivedAt)
        return StoredResponse(updated, facts, variant, requestedAt, receivedAt, isInvalidated: false, credentials)
            .dated()
    }

    /// Returns the response with a `Date` if it has none that can be read (RFC 9110 6.6.1).
    func dated() -> StoredResponse {
        guard facts.date == nil else { return self }
        var dated = response
        dated.headers["Date"] = HTTPDate.text(receivedAt)
        let facts = ResponseFacts(dated.headers, receivedAt: receivedAt)
        return StoredResponse(
            dated,
            facts,
            variant,
            requestedAt,
            receivedAt,
            isInvalidated: isInvalidated,
            credentials
        )
    }
}
