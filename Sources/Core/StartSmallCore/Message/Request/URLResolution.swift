import StartSmallSupport
public import StartSmallFoundation

extension Input {
    /// The URL with all query items; the URL alone if they can't be added.
    public var calledURL: URL {
        queries.isEmpty ? url : URL(string: URIEncoding.appending(queries, to: url.absoluteString)) ?? url
    }
}

extension URL {
    /// Returns the URL of a reference that is resolved against this URL (RFC 3986 5.2); nil if it is not a reference.
    ///
    /// The result is also nil if the reference has a host or a port that no engine would connect to.
    ///
    /// An empty reference returns this URL. A reference such as `http:a/b`, without `//`, is read as in browsers
    /// (WHATWG URL 4.4): as relative if this URL has its scheme, which RFC 3986 5.2.2 permits, and with a host
    /// otherwise.
    public func resolving(_ reference: String) -> URL? {
        let reference = withSlashes(FieldText.percentEncodingMarks(in: reference))
        guard !reference.isEmpty else { return self }
        guard Authority(of: reference)?.refusal == nil else { return nil }
        // If anything in a reference must be encoded, Foundation encodes the percent-encoded triplets, too.
        let encoded = URIEncoding.encodingIllegalCharacters(in: reference)
        guard let url = URL(string: encoded, relativeTo: absoluteURL)?.absoluteURL else { return nil }
        // Foundation leaves dot segments of an absolute reference as they are. `standardized` removes them, but also
        // searches a URL that has none of them, which takes longer than everything else if the URL is long, and makes a
        // host of `app:a/./b`, which has none.
        return (reference.hasDots || absoluteString.hasDots) && url.host != nil ? url.standardized : url
    }

    /// Returns a reference that begins with `http:` or `https:`, but not with `//` after it, in a form that RFC 3986
    /// reads as browsers do; any other reference as it is.
    private func withSlashes(_ reference: String) -> String {
        let slash = UInt8(ascii: "/")
        let start = ["http:", "https:"].first { start in
            String(Substring(reference.utf8.prefix(start.utf8.count))).isSame(withoutCase: start)
        }
        guard let start else { return reference }
        let rest = reference.utf8.dropFirst(start.utf8.count)
        if rest.starts(with: [slash, slash]) { return reference }
        guard scheme.map({ start.isSame(withoutCase: "\($0):") }) == true else {
            return "\(start)//\(Substring(rest.drop { $0 == slash }))"
        }
        switch rest.first {
        case nil, slash, UInt8(ascii: "?"), UInt8(ascii: "#"): return String(Substring(rest))
        // The first segment may have a colon.
        default: return "./\(Substring(rest))"
        }
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
