import StartSmallCore
import StartSmallFoundation

/// The header fields that a cache stores and updates (RFC 9111 3.1 and 3.2).
enum StoredFields {
    /// The fields on which the rules of a cache depend, in lower case.
    ///
    /// They are never left out for a `Connection` field, which must not name a field that is intended for all
    /// recipients (RFC 9110 7.6.1).
    private static let essential: Set<String> = [
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
    static func stored(_ headers: HTTPHeaders) -> HTTPHeaders {
        // Nearly no response has any of these fields, since engines remove those of the connection.
        if !ofConnection.contains(where: headers.contains) { return headers }
        let named = headers.values(of: "Connection").flatMap(list).compactMap(\.fieldName)
        let omitted = ofConnection.union(Set(named).subtracting(essential))
        return HTTPHeaders(headers.fields.filter { !omitted.contains($0.name.fieldName ?? "") })
    }

    /// Returns the fields of a stored response, updated by those of a newer response (RFC 9111 3.2).
    ///
    /// `Age`, `Date` and `Set-Cookie` belong to the newer response: without the first two there, the old ones would
    /// count its age wrongly; and an old cookie would be set again, even after a logout.
    static func updated(_ headers: HTTPHeaders, by newer: HTTPHeaders) -> HTTPHeaders {
        let new = stored(newer).fields.filter { !neverUpdated.contains($0.name.fieldName ?? "") }
        let replaced = Set(new.compactMap(\.name.fieldName)).union(["age", "date", "set-cookie"])
        return HTTPHeaders(headers.fields.filter { !replaced.contains($0.name.fieldName ?? "") } + new)
    }

    /// Returns the members of a comma-separated list, without blanks and empty members (RFC 9110 5.6.1).
    static func list(_ text: String) -> [String] {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        return text.utf8.split(separator: UInt8(ascii: ",")).compactMap { member in
            let start = member.drop(while: isBlank)
            return start.lastIndex { !isBlank($0) }.map { String(decoding: start[...$0], as: UTF8.self) }
        }
    }
}

extension String {
    /// The name of a field in lower case; nil for a text outside of visible ASCII, which names no field (RFC 9110 5.1).
    ///
    /// Swift compares texts by their normal form: a name of combining characters, which a server may send in `Vary`,
    /// would take quadratic time.
    var fieldName: String? {
        utf8.allSatisfy { 0x21...0x7E ~= $0 } ? lowercased() : nil
    }
}
