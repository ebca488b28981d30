package import Foundation

/// The rules of RFC 3986 that everything here needs: which characters are of which kind, and how query items are joined.
package enum URIEncoding {
    /// A URL's text with query items after those that it has, in front of its fragment.
    ///
    /// A nil value gives the name alone, without `=`; an empty one gives `name=`.
    package static func appending(_ queries: [URLQueryItem], to url: String) -> String {
        queries.isEmpty ? url : appending(query: query(of: queries), to: url)
    }

    /// Query items joined by `&`, each without `=` if it has no value.
    static func query(of items: [URLQueryItem]) -> String {
        items.map { item in encoded(item.name) + (item.value.map { "=" + encoded($0) } ?? "") }.joined(separator: "&")
    }

    /// A URL's text in front of its fragment (RFC 3986 3.5).
    static func withoutFragment(_ url: String) -> String {
        String(Substring(url.utf8.prefix { $0 != UInt8(ascii: "#") }))
    }

    /// A URL's text with a query after the one that it has, in front of its fragment.
    static func appending(query: String, to url: String) -> String {
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

    /// Whether a text can stand after the `?` of a URL (RFC 3986 3.4).
    static func isQuery(_ text: String) -> Bool {
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            guard isUnreserved(byte) || queryMarks.contains(byte) || byte == percent && triplet(after: rest) != nil
            else {
                return false
            }
        }
        return true
    }

    /// The sub-delims of RFC 3986 2.2, and what else a query may hold.
    private static let queryMarks = Set("!$&'()*+,;=:@/?".utf8)

    /// A URL's text in which brackets are percent-encoded but for those of an IP literal, where alone they are legal
    /// (RFC 3986 3.2.2): many APIs are documented as `?filter[name]=…`.
    static func encodingBrackets(in url: String) -> String {
        guard url.hasByte(where: isBracket) else { return url }
        let start = startOfAuthority(in: url) ?? url.startIndex
        let end = start == url.startIndex ? start : url.utf8[start...].prefix { !"/?#".utf8.contains($0) }.endIndex
        return url[..<end] + encoded(url[end...]) { !isBracket($0) }
    }

    /// A reference in which what can't stand in a URL is percent-encoded, but for the authority, where a name beyond ASCII
    /// is encoded otherwise (RFC 3986 3.2.2).
    ///
    /// Escapes stay as they are (RFC 3986 2.4), whatever else there is to be encoded. A `%` that begins none is encoded.
    package static func encodingIllegalCharacters(in reference: String) -> String {
        let path: Substring.UTF8View.Index
        if let start = startOfAuthority(in: reference) {
            path = reference.utf8[start...].prefix { !"/?#".utf8.contains($0) }.endIndex
        } else {
            path = reference.startIndex
        }
        let hash = reference.utf8[path...].firstIndex(of: UInt8(ascii: "#")) ?? reference.endIndex
        let isLegal = { (byte: UInt8) in isUnreserved(byte) || queryMarks.contains(byte) }
        let target = encoded(reference[path..<hash], triplets: true, keeping: isLegal)
        if hash == reference.endIndex { return reference[..<path] + target }
        let fragment = encoded(reference[hash...].dropFirst(), triplets: true, keeping: isLegal)
        return "\(reference[..<path])\(target)#\(fragment)"
    }

    /// Where the authority begins: behind the `//` in front, or behind a scheme and `://` (RFC 3986 3.1); nil if a `://`
    /// comes later, as in a query.
    private static func startOfAuthority(in url: String) -> String.Index? {
        let scheme = url.utf8.prefix { isAlphanumeric($0) || "+-.".utf8.contains($0) }
        let rest = url.utf8[scheme.endIndex...]
        let mark = scheme.isEmpty ? "//" : "://"
        guard rest.starts(with: mark.utf8), scheme.first.map({ $0 >= UInt8(ascii: "A") }) != false else { return nil }
        return rest.dropFirst(mark.utf8.count).startIndex
    }

    private static func isBracket(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
    }

    /// Whether a byte is a letter, a digit, `-`, `.`, `_` or `~` (RFC 3986 2.3).
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: isAlphanumeric(byte)
        }
    }

    /// Whether a byte is one that separates the parts of a URI, or may within one of them (RFC 3986 2.2).
    static func isReserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "&")...UInt8(ascii: ","),
            UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "?"),
            UInt8(ascii: "@"), UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }

    /// Whether a byte is a letter or a digit of ASCII.
    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
