extension Response {
    /// The strong entity tag that names this version of the payload, so that a part of it can be asked for (RFC 9110
    /// 13.1.5); nil if there is none, if the server does not give parts, or if the payload was compressed on its way, so
    /// that its bytes are counted otherwise than ours.
    var rangeValidator: String? {
        guard let etag, !etag.isWeak, headers["Content-Encoding"] == nil,
            headers["Accept-Ranges"]?.isSame(withoutCase: "none") != true
        else { return nil }
        return etag.description
    }

    /// Which part of the whole the payload of a 206 is; nil if it does not say so.
    var contentRange: ContentRange? {
        guard statusCode == .partialContent else { return nil }
        return headers["Content-Range"].flatMap(ContentRange.init)
    }

    /// Whether this 206 goes on where a payload broke off: it starts there, and is of the same version (RFC 9110 15.3.7).
    ///
    /// A server need not repeat the entity tag, as `If-Range` named it. With a coding, the bytes are counted otherwise.
    func goesOn(from asked: Resumption) -> Bool {
        contentRange?.start == asked.offset
            && headers["ETag"].map { $0.isSame(as: asked.validator) } != false
            && headers["Content-Encoding"] == nil
    }

    /// The error if a payload that went on with this 206 ends at that size, and something is missing: a server may send
    /// less than it was asked for (RFC 9110 15.3.7).
    func shortfall(at size: Int) -> ConnectionError? {
        guard let range = contentRange else { return nil }
        let total = range.total ?? range.end
        return size == total ? nil : .connectionLost(.shortRange(self, size: size, total: total))
    }
}
