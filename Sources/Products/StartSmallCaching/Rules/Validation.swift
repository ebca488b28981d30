import StartSmallCore
import StartSmallFoundation
import StartSmallHeaders

/// The validation of a stored response by the server (RFC 9111 4.3).
extension StoredResponse {
    /// Whether a server can validate the response: it is a success with a tag or a date (4.3.1).
    var canBeValidated: Bool {
        response.statusCode.isSuccess && (facts.etag != nil || facts.lastModified != nil)
    }

    /// Returns a request with the conditions, in which a date is as the server wrote it.
    func conditional(_ input: Input) -> Input {
        input.with { input in
            if let etag = facts.etag { input.headers["If-None-Match"] = "\(ETagCondition.oneOf([etag]))" }
            if facts.lastModified != nil { input.headers["If-Modified-Since"] = response.headers["Last-Modified"] }
        }
    }

    /// Returns the response with the fields of a 304, and whether to store it; nil if the 304 is for another version.
    ///
    /// The versions are the same by their tags, else by their dates, and if the 304 has neither (4.3.4). A weak tag of
    /// the stored response equals a strong one of the same text (RFC 9110 13.1.2), but is not updated by it.
    func validated(
        by notModified: Response,
        for request: CacheableRequest,
        _ times: ExchangeTimes
    ) -> (stored: StoredResponse, isStorable: Bool)? {
        var isUpdate = true
        if let tag = notModified.etag {
            guard let own = facts.etag, own.isWeaklyEqual(to: tag) else { return nil }
            isUpdate = tag.isWeak || own.isStronglyEqual(to: tag)
        } else if let date = notModified.headers.date("Last-Modified", now: times.receivedAt) {
            guard facts.lastModified == date || !response.headers.contains("Last-Modified") else { return nil }
        }
        let updated = updated(by: notModified, times)
        let isStorable = isUpdate && !ResponseDirectives(notModified.headers).isNoStore && !updated.facts.vary.isAny
        return (updated.selected(by: request), isStorable)
    }

    /// Returns the response with the fields of a newer one, and the times of the newer one (3.2, 4.2.3).
    func updated(by newer: Response, _ times: ExchangeTimes) -> StoredResponse {
        var updated = response
        updated.headers = StoredFields.updated(response.headers, by: newer.headers)
        var stored = StoredResponse(
            updated,
            variant: variant,
            requestedAt: times.requestedAt,
            receivedAt: times.receivedAt
        )
        stored.credentials = credentials
        return stored.dated()
    }

    /// Returns the response with a `Date` if it has none that can be read (RFC 9110 6.6.1).
    func dated() -> StoredResponse {
        guard facts.date == nil else { return self }
        var dated = self
        dated.response.headers["Date"] = HTTPDate.text(receivedAt)
        dated.facts = ResponseFacts(dated.response.headers, receivedAt: receivedAt)
        return dated
    }
}
