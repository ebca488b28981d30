import StartSmallCore
import StartSmallFoundation

/// The header fields that a cache stores and updates (RFC 9111 3.1 and 3.2).
enum StoredFields {
    /// The fields on which the rules of a cache depend, in lower case.
    ///
    /// They are never left out: neither for a `Connection` field, which must not name a field that is intended for all
    /// recipients (RFC 9110 7.6.1), nor for a qualified `no-cache`, which then applies to the whole response.
    static let essential: Set<String> = [
        "age", "cache-control", "content-encoding", "content-location", "content-range", "content-type", "date", "etag",
        "expires", "last-modified", "pragma", "vary",
    ]

    /// The fields of one connection (RFC 9110 7.6.1), and of one proxy (RFC 9111 3.1), in lower case.
    private static let ofConnection: Set<String> = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
        "proxy-connection", "te", "transfer-encoding", "upgrade",
    ]

    /// The fields that an update leaves as they are, in lower case (RFC 9111 3.2).
    ///
    /// `Content-Length` by rule; the others since engines deliver decoded, complete payloads, whose form they describe.
    private static let neverUpdated: Set<String> = ["content-encoding", "content-length", "content-range"]

    /// Returns the fields of a response to store.
    ///
    /// `Set-Cookie` is among them, as RFC 9111 3.1 requires and 7.3 explains.
    static func stored(_ headers: HTTPHeaders, _ directives: ResponseDirectives) -> HTTPHeaders {
        let named = headers.values(of: "Connection").flatMap(list).compactMap(\.fieldName)
        let excluded = directives.excludedFields.union(named).subtracting(essential)
        // Nearly no response has any of these fields, since engines remove those of the connection.
        if excluded.isEmpty, !ofConnection.contains(where: headers.contains) { return headers }
        let omitted = ofConnection.union(excluded)
        return HTTPHeaders(headers.fields.filter { !$0.isNamed(in: omitted) })
    }

    /// Returns the fields of a stored response, updated by those of a newer response (RFC 9111 3.2).
    ///
    /// `Age`, `Date` and `Set-Cookie` belong to the newer response: without the first two there, the old ones would
    /// count its age wrongly; and an old cookie would be set again, even after a logout.
    static func updated(_ headers: HTTPHeaders, by newer: HTTPHeaders) -> HTTPHeaders {
        let new = stored(newer, ResponseDirectives(newer)).fields.filter { !$0.isNamed(in: neverUpdated) }
        let replaced = Set(new.compactMap(\.name.fieldName)).union(["age", "date", "set-cookie"])
        return HTTPHeaders(headers.fields.filter { !$0.isNamed(in: replaced) } + new)
    }

    /// Returns the members of a comma-separated list, without blanks and empty members (RFC 9110 5.6.1).
    static func list(_ text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: ",")).map { Substring($0).trimmingBlanks() }.filter { !$0.isEmpty }
    }
}

extension HTTPHeaders.Field {
    /// Whether the name, ignoring case, is one of these, which are in lower case.
    func isNamed(in names: Set<String>) -> Bool {
        name.fieldName.map(names.contains) ?? false
    }
}

extension Substring {
    /// Returns the text without spaces and tabs at its ends (RFC 9110 5.6.3).
    func trimmingBlanks() -> String {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = utf8.first, let last = utf8.last else { return "" }
        if !isBlank(first), !isBlank(last) { return String(self) }
        let start = utf8.drop(while: isBlank)
        guard let end = start.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(decoding: start[...end], as: UTF8.self)
    }
}

extension String {
    /// The name of a field in lower case; nil for a text outside of visible ASCII, which names no field (RFC 9110 5.1).
    ///
    /// Swift compares texts by their normal form: a name of combining characters, which a server may send in `Vary`,
    /// would take quadratic time.
    var fieldName: String? {
        utf8.allSatisfy { 0x21...0x7E ~= $0 } ? asciiLowercased() : nil
    }

    /// Returns the text with the letters of ASCII in lower case, in which names of fields are compared.
    func asciiLowercased() -> String {
        let isCapital = { (byte: UInt8) in UInt8(ascii: "A") <= byte && byte <= UInt8(ascii: "Z") }
        guard utf8.contains(where: isCapital) else { return self }
        return String(decoding: utf8.map { isCapital($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
