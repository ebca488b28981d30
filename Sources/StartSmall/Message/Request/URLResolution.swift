import Foundation

extension Input {
    /// The URL with all query items; the URL alone if they can't be added.
    var calledURL: URL {
        queries.isEmpty ? url : URL(string: URIEncoding.appending(queries, to: url.absoluteString)) ?? url
    }
}

extension URL {
    /// Returns the URL of a reference that is resolved against this URL (RFC 3986 5.2); nil if it is not a reference.
    ///
    /// An empty reference returns this URL.
    func resolving(_ reference: String) -> URL? {
        guard !reference.isEmpty else { return self }
        // If anything in a reference must be encoded, Foundation encodes the percent-encoded triplets, too.
        let encoded = URIEncoding.encodingIllegalCharacters(in: reference)
        guard let url = URL(string: encoded, relativeTo: absoluteURL)?.absoluteURL else { return nil }
        // Foundation leaves dot segments, non-ASCII letters in the host and a host without `//` of an absolute
        // reference as they are. `standardized` fixes them, but also searches a URL that has none of them, which takes
        // longer than everything else if the URL is long.
        let hasDots = reference.hasDots || absoluteString.hasDots
        let isPlain = !hasDots && url.host()?.utf8.allSatisfy(URIEncoding.isUnreserved) == true
        return isPlain ? url : url.standardized
    }
}

extension String {
    /// Whether a segment after a slash may be a dot segment.
    ///
    /// Dot segments at the start of a relative reference are resolved when the reference is merged with its base.
    fileprivate var hasDots: Bool {
        var previous: UInt8?
        return hasByte { byte in
            defer { previous = byte }
            return byte == UInt8(ascii: ".") && previous == UInt8(ascii: "/")
        }
    }
}
