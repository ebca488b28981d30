import Foundation
import StartSmall

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

    /// Reads all `Vary` fields of a response.
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
    /// Two requests match if these are equal (RFC 9111 4.1). The normal form joins the lines of one field, removes
    /// blanks around commas, and ignores the case of languages, charsets and codings. The values of credentials are
    /// replaced by digests, so that no store keeps them.
    ///
    /// - Parameters:
    ///   - request: the header fields of the request.
    ///   - identity: the credentials of the request, as the options name them, beside those that are always known.
    func variant(of request: HTTPHeaders, _ identity: RequestIdentity) -> HTTPHeaders {
        if names.isEmpty { return [:] }
        let credentials = RequestIdentity(request).names.union(identity.names)
        return HTTPHeaders(
            names.compactMap { name in
                guard request.contains(name) else { return nil }
                let value = Self.normalForm(of: name, in: request)
                let isCredential = credentials.contains(name)
                return .init(name: name, value: isCredential ? SHA256Digest.hexDigest(of: value.utf8) : value)
            }
        )
    }

    /// The fields whose values are compared without case (RFC 9110 8.4.1, 8.5.1 and 12.5.2).
    private static let caseless: Set = ["accept-charset", "accept-encoding", "accept-language"]

    private static func normalForm(of lines: [String], isCaseless: Bool) -> String {
        // Most fields have one line without a comma.
        let isPlain = lines.count == 1 && !lines[0].utf8.contains(UInt8(ascii: ","))
        let members =
            isPlain ? Substring(lines[0]).trimmingBlanks() : lines.flatMap(members).joined(separator: ",")
        return isCaseless ? members.asciiLowercased() : members
    }

    /// Returns the value of a field without differences that have no meaning (RFC 9110 5.3).
    static func normalForm(of name: String, in headers: HTTPHeaders) -> String {
        normalForm(of: headers.values(of: name), isCaseless: caseless.contains(name))
    }

    /// Splits a line at the commas outside of quotes, and removes the blanks around each member.
    private static func members(of line: String) -> [String] {
        var (members, member, isQuoted, isEscaped) = ([String](), [UInt8](), false, false)
        for byte in line.utf8 {
            if byte == UInt8(ascii: ","), !isQuoted {
                members.append(String(decoding: member, as: UTF8.self))
                member = []
                continue
            }
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
            member.append(byte)
        }
        return (members + [String(decoding: member, as: UTF8.self)]).map { Substring($0).trimmingBlanks() }
    }
}

extension RequestIdentity {
    /// The names of the fields, in lower case.
    fileprivate var names: Set<String> { Set(fields.map { $0.name.asciiLowercased() }) }
}

extension StoredResponse {
    /// Whether the request fields that `Vary` names, and the coding of the payload, are those of the stored response
    /// (RFC 9111 4.1).
    func isSelected(by request: CacheableRequest) -> Bool {
        if facts.vary.isAny { return false }
        if facts.vary.names.isEmpty, !facts.isCoded { return true }
        let presented = facts.variant(of: request)
        // A variant is in normal form, unless a store has changed the order.
        return presented.fields == variant.fields || presented == variant
    }

    /// Returns the response as the variant that a request selects.
    func selected(by request: CacheableRequest) -> StoredResponse {
        let variant = facts.variant(of: request)
        return StoredResponse(
            response,
            facts,
            variant,
            requestedAt,
            receivedAt,
            isInvalidated: isInvalidated,
            variant.fields.isEmpty ? [] : request.identity.names
        )
    }

    /// Whether this is more recent than another response, by `Date`, and then by the times of their requests.
    func isMoreRecent(than other: StoredResponse) -> Bool {
        let dates = (date, other.date)
        return dates.0 == dates.1 ? requestedAt > other.requestedAt : dates.0 > dates.1
    }
}
