import StartSmallCore
import StartSmallHeaders
import StartSmallFoundation

/// The request fields on which a response depends: the value of `Vary` (RFC 9110 12.5.5).
struct Vary: Hashable, Sendable {
    /// The names in lower case, sorted, each once.
    let names: [String]

    /// Whether no request matches: `*`, a member that is not a field name, or too many of them.
    let isAny: Bool

    /// The maximum number of names: 100, far more than a request has fields.
    ///
    /// Each name is compared with each field of a request. A response with a longer list is never used.
    static let maximumNames = 100

    init(_ headers: HTTPHeaders) {
        var (names, isAny): (Set<String>, Bool) = ([], false)
        for member in headers.values(of: "Vary").lazy.flatMap(StoredFields.list) {
            let name = member.fieldName
            isAny = name == nil || name == "*"
            if let name, !isAny { names.insert(name) }
            isAny = isAny || names.count > Self.maximumNames
            if isAny { break }
        }
        (self.names, self.isAny) = (names.sorted(), isAny)
    }

    /// Creates the value with these names, in lower case.
    init(names: [String]) {
        (self.names, isAny) = (Set(names).sorted(), false)
    }

    /// Returns the fields of a request that select the variant, in normal form; absent fields are left out.
    ///
    /// Two requests match if these are equal (RFC 9111 4.1). The normal form joins the lines of one field (RFC 9110
    /// 5.3). The values of credentials are replaced by digests, so that no store keeps them.
    ///
    /// - Parameter identity: the credentials of the request, as the options name them, beside those that are always
    ///   known.
    func variant(of request: HTTPHeaders, _ identity: RequestIdentity) -> HTTPHeaders {
        if names.isEmpty { return [:] }
        let credentials = RequestIdentity(request).names.union(identity.names)
        return HTTPHeaders(
            names.filter(request.contains).map { name in
                let value = Self.normalForm(of: name, in: request)
                let isCredential = credentials.contains(name)
                return .init(name: name, value: isCredential ? HexadecimalDigest.sha256(of: value) : value)
            }
        )
    }

    /// Returns the value of a field, whose lines are joined (RFC 9110 5.3).
    static func normalForm(of name: String, in headers: HTTPHeaders) -> String {
        headers.values(of: name).joined(separator: ", ")
    }
}

extension RequestIdentity {
    fileprivate var names: Set<String> { Set(fields.compactMap(\.name.fieldName)) }
}

extension StoredResponse {
    /// Whether the request fields that `Vary` names, and the coding of the payload, are those of the stored response
    /// (RFC 9111 4.1).
    func isSelected(by request: CacheableRequest) -> Bool {
        if facts.vary.isAny { return false }
        if facts.vary.names.isEmpty, !facts.isCoded { return true }
        let presented = variant(of: request)
        // A variant is in normal form, unless a store has changed the order.
        return presented.fields == variant.fields || presented == variant
    }

    /// Returns the response as the variant that a request selects.
    func selected(by request: CacheableRequest) -> StoredResponse {
        var selected = self
        selected.variant = variant(of: request)
        selected.credentials = selected.variant.fields.isEmpty ? [] : request.identity.names
        return selected
    }

    /// Whether this is more recent than another response, by `Date`, and then by the times of their requests.
    func isMoreRecent(than other: StoredResponse) -> Bool {
        let dates = (date, other.date)
        return dates.0 == dates.1 ? requestedAt > other.requestedAt : dates.0 > dates.1
    }
}

/// The coding of stored payloads: an engine returns a payload decoded or as it came, with the same header fields.
///
/// A stored payload that had a coding answers only requests whose engine returns it in the same form. So a payload that
/// is still coded is never taken for a decoded one, or the reverse, whatever engines share a store.
extension StoredResponse {
    /// The name of the field of a variant that has the form of the payload.
    private static let codingField = "content-coding"

    /// Returns the fields of a request that select the response, in normal form, and the form of a coded payload.
    private func variant(of request: CacheableRequest) -> HTTPHeaders {
        var variant = facts.vary.variant(of: request.input.headers, request.identity)
        if facts.isCoded, let form = request.payloadForm { variant.append(Self.codingField, form) }
        return variant
    }

    /// Whether the payload has the form in which the engine of a request returns it.
    func hasCoding(of request: CacheableRequest) -> Bool {
        !facts.isCoded || variant[Self.codingField] == request.payloadForm
    }
}

extension CacheableRequest {
    /// The form in which the engine returns a coded payload; nil if it does not say.
    ///
    /// A payload that is returned as it came is for requests that ask for the same codings.
    fileprivate var payloadForm: String? {
        guard let decodesPayload else { return nil }
        return decodesPayload ? "decoded" : "as sent; \(Vary.normalForm(of: "accept-encoding", in: input.headers))"
    }
}
