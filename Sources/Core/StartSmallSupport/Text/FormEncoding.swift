package import StartSmallFoundation

/// The serialiser of `application/x-www-form-urlencoded` (WHATWG URL 5.2).
package enum FormEncoding {
    /// Returns `name=value` pairs joined by `&`.
    ///
    /// A space becomes `+`, letters, digits and `*-._` stay, and all else is percent-encoded.
    package static func encoded(_ items: [URLQueryItem]) -> String {
        items.map { "\(encoded($0.name))=\(encoded($0.value ?? ""))" }.joined(separator: "&")
    }

    /// Returns an encoded name or value.
    package static func encoded(_ text: String) -> String {
        let spaced = URIEncoding.encoded(text) { byte in
            byte == UInt8(ascii: " ") || byte == UInt8(ascii: "*")
                || URIEncoding.isUnreserved(byte) && byte != UInt8(ascii: "~")
        }
        return String(decoding: spaced.utf8.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }, as: UTF8.self)
    }
}
