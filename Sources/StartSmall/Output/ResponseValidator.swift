extension Response {
    /// The strong entity tag that names this version of the payload, so that a part of it can be asked for (RFC 9110
    /// 13.1.5); nil if there is none, if the server does not give parts, or if the payload was compressed on its way, so
    /// that its bytes are counted otherwise than ours.
    var rangeValidator: String? {
        guard let tag = headers["ETag"], tag.hasPrefix("\""), headers["Content-Encoding"] == nil,
            headers["Accept-Ranges"]?.lowercased() != "none"
        else { return nil }
        return tag
    }

    /// Where the payload of a 206 starts in the whole: 500 of `bytes 500-999/1234` (RFC 9110 14.4).
    var rangeStart: Int? {
        guard statusCode == .partialContent, let range = headers["Content-Range"] else { return nil }
        let words = range.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        return words[1].split(separator: "-", omittingEmptySubsequences: false).first.flatMap { Int($0) }
    }
}
