package import StartSmallFoundation

/// The shared rules of RFC 3986: the classes of characters, and the encoding of query items.
public enum URIEncoding {
    /// Appends query items to a URL after its existing ones, before its fragment.
    ///
    /// A nil value adds the name alone, without `=`; an empty value adds `name=`.
    package static func appending(_ queries: [URLQueryItem], to url: String) -> String {
        queries.isEmpty ? url : appending(query: query(of: queries), to: url)
    }

    /// Encodes query items, joined by `&`; an item without a value has no `=`.
    package static func query(of items: [URLQueryItem]) -> String {
        items.map { item in encoded(item.name) + (item.value.map { "=" + encoded($0) } ?? "") }.joined(separator: "&")
    }

    /// Returns a URL without its fragment (RFC 3986 3.5).
    package static func withoutFragment(_ url: String) -> String {
        String(Substring(url.utf8.prefix { $0 != UInt8(ascii: "#") }))
    }

    /// Appends a query to a URL after its existing one, before its fragment.
    package static func appending(query: String, to url: String) -> String {
        if query.isEmpty { return url }
        let target = url.utf8.prefix { $0 != UInt8(ascii: "#") }
        let separator =
            if !target.contains(UInt8(ascii: "?")) {
                "?"
            } else {
                target.last == UInt8(ascii: "?") || target.last == UInt8(ascii: "&") ? "" : "&"
            }
        return url[..<target.endIndex] + separator + query + url[target.endIndex...]
    }

    /// Returns whether a text can be the query of a URL, after the `?` (RFC 3986 3.4).
    package static func isQuery(_ text: String) -> Bool {
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            guard isUnreserved(byte) || queryMarks.contains(byte) || byte == percent && triplet(after: rest) != nil
            else {
                return false
            }
        }
        return true
    }

    /// The sub-delims of RFC 3986 2.2, and the other marks that a query can contain.
    package static let queryMarks = Array("!$&'()*+,;=:@/?".utf8)

    /// Percent-encodes the brackets in a URL, except for those of an IP literal.
    ///
    /// Only there are brackets legal (RFC 3986 3.2.2), but the documentation of many APIs has `?filter[name]=…`.
    package static func encodingBrackets(in url: String) -> String {
        guard url.hasByte(where: isBracket) else { return url }
        let end = authority(in: url)?.endIndex ?? url.startIndex
        return url[..<end] + encoded(Array(url.utf8[end...])[...], triplets: false) { !isBracket($0) }
    }

    /// Percent-encodes the characters of a reference that a URL can't contain, except in the authority.
    ///
    /// The authority has its own rules: see ``Authority``. Existing escapes stay (RFC 3986 2.4), with or without other
    /// characters to encode. A `%` without two hexadecimal digits is encoded.
    package static func encodingIllegalCharacters(in reference: String) -> String {
        let path = authority(in: reference)?.endIndex ?? reference.startIndex
        let hash = reference.utf8[path...].firstIndex(of: UInt8(ascii: "#")) ?? reference.endIndex
        let isLegal = { (byte: UInt8) in isUnreserved(byte) || queryMarks.contains(byte) }
        let target = encoded(Array(reference.utf8[path..<hash])[...], triplets: true, keeping: isLegal)
        if hash == reference.endIndex { return reference[..<path] + target }
        let text = Array(reference.utf8[hash...].dropFirst())[...]
        let fragment = encoded(text, triplets: true, keeping: isLegal)
        return "\(reference[..<path])\(target)#\(fragment)"
    }

    /// Returns the authority: after a leading `//`, or after a scheme and `://` (RFC 3986 3.2).
    ///
    /// A later `://`, for example in a query, does not count: the result is then nil.
    package static func authority(in url: String) -> Substring? {
        let scheme = url.utf8.prefix { isAlphanumeric($0) || "+-.".utf8.contains($0) }
        let rest = url.utf8[scheme.endIndex...]
        let mark = scheme.isEmpty ? "//" : "://"
        guard rest.starts(with: mark.utf8), scheme.first.map({ $0 >= UInt8(ascii: "A") }) != false else { return nil }
        return Substring(rest.dropFirst(mark.utf8.count).prefix { !"/?#".utf8.contains($0) })
    }

    private static func isBracket(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
    }

    /// Returns whether a byte is a letter, a digit, `-`, `.`, `_` or `~` (RFC 3986 2.3).
    @inlinable
    public static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: isAlphanumeric(byte)
        }
    }

    /// Returns whether a byte can separate the parts of a URI, or separate inside of a part (RFC 3986 2.2).
    @inlinable
    public static func isReserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "&")...UInt8(ascii: ","),
            UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "?"),
            UInt8(ascii: "@"), UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }

    /// Returns whether a byte is an ASCII letter or digit.
    @inlinable
    public static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension URL {
    /// Returns a copy with the user information of a URL of the same origin, unless it has its own.
    ///
    /// User information belongs to an origin, as the credentials in a header field do.
    package func keepingUserInfo(of url: URL) -> URL {
        guard user(percentEncoded: true) == nil, let user = url.user(percentEncoded: true),
            var components = URLComponents(url: self, resolvingAgainstBaseURL: false)
        else { return self }
        components.percentEncodedUser = user
        components.percentEncodedPassword = url.password(percentEncoded: true)
        return components.url ?? self
    }
}
