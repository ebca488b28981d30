import StartSmall

/// The coding of stored payloads: an engine returns a payload decoded or as it came, with the same header fields.
///
/// A stored payload that had a coding answers only requests whose engine returns it in the same form. So a payload that
/// is still coded is never taken for a decoded one, or the reverse, whatever engines share a store.
enum PayloadCoding {
    /// The name of the field of a variant that has the form of the payload.
    ///
    /// Stores keep the field as they keep those of the request that `Vary` names.
    static let fieldName = "content-coding"

    /// Whether a response has a content coding (RFC 9110 8.4).
    static func isCoded(_ headers: HTTPHeaders) -> Bool {
        guard headers.contains("Content-Encoding") else { return false }
        return headers.values(of: "Content-Encoding").flatMap(StoredFields.list).contains {
            !$0.utf8.elementsEqual("identity".utf8) { $0 | 0x20 == $1 }
        }
    }

    /// Returns the form in which an engine returns the payload of a coded response; nil if it does not say.
    ///
    /// A payload that is returned as it came is for requests that ask for the same codings.
    static func form(for request: CacheableRequest) -> String? {
        guard let isDecoded = request.decodesPayload else { return nil }
        return isDecoded ? "decoded" : "as sent; \(Vary.normalForm(of: "accept-encoding", in: request.input.headers))"
    }
}

extension ResponseFacts {
    /// Returns the fields of a request that select the response, in normal form, and the form of a coded payload.
    func variant(of request: CacheableRequest) -> HTTPHeaders {
        var variant = vary.variant(of: request.input.headers, request.identity)
        if isCoded, let form = PayloadCoding.form(for: request) { variant.append(PayloadCoding.fieldName, form) }
        return variant
    }
}

extension StoredResponse {
    /// Whether the payload has the form in which the engine of a request returns it.
    func hasCoding(of request: CacheableRequest) -> Bool {
        !facts.isCoded || variant[PayloadCoding.fieldName] == PayloadCoding.form(for: request)
    }
}
