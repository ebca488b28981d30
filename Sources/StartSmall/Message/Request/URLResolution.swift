import Foundation

extension Input {
    /// The URL with all queries; the URL alone if they can't be added.
    var calledURL: URL {
        queries.isEmpty ? url : URL(string: URIEncoding.appending(queries, to: url.absoluteString)) ?? url
    }
}

extension URL {
    /// What a reference means, seen from this URL (RFC 3986 5.2): this one if it is empty, nil if it is no reference.
    func resolving(_ reference: String) -> URL? {
        guard !reference.isEmpty else { return self }
        // Of a reference with anything that must be encoded, Foundation encodes the escapes, too.
        let encoded = URIEncoding.encodingIllegalCharacters(in: reference)
        guard let url = URL(string: encoded, relativeTo: absoluteURL)?.absoluteURL else { return nil }
        // Foundation leaves an absolute reference as it is: dot segments, letters beyond ASCII in the host, a host without
        // `//`. It looks for those anew in what has none, which for a long one takes longer than all else.
        let hasDots = reference.hasDots || absoluteString.hasDots
        let isPlain = !hasDots && url.host()?.utf8.allSatisfy(URIEncoding.isUnreserved) == true
        return isPlain ? url : url.standardized
    }
}

extension String {
    /// Whether a segment behind a slash may be one of dots; those that a relative reference begins with are resolved where it
    /// is put together with its base.
    fileprivate var hasDots: Bool {
        var previous: UInt8?
        return hasByte { byte in
            defer { previous = byte }
            return byte == UInt8(ascii: ".") && previous == UInt8(ascii: "/")
        }
    }
}
