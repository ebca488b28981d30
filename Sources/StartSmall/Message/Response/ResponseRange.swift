import Foundation

extension Response {
    /// How much older than its response a date of last modification must be so that no second version can have it.
    ///
    /// RFC 9110 8.8.2.2 asks for a second at least; a minute, as RFC 7232 2.2.2 had it, is for clocks that differ.
    private static let strongAge: TimeInterval = 60

    /// The strong validator of this version of the payload, so that a part of it can be asked for (RFC 9110 13.1.5): an
    /// entity tag, or where there is none, a date of last modification that is as strong.
    ///
    /// Nil if there is none, if the server does not give parts, or if the payload was compressed on its way, so that its
    /// bytes are counted otherwise than ours.
    var rangeValidator: String? {
        guard headers["Content-Encoding"] == nil, headers["Accept-Ranges"]?.isSame(withoutCase: "none") != true else {
            return nil
        }
        if headers.contains("ETag") {
            guard let etag, !etag.isWeak else { return nil }
            return etag.description
        }
        guard let text = headers["Last-Modified"], let modified = HTTPDate.date(text),
            let sent = headers["Date"].flatMap({ HTTPDate.date($0) }),
            sent.timeIntervalSince(modified) >= Self.strongAge
        else { return nil }
        return text
    }

    /// How many bytes the whole payload has, as `Content-Length` says; nil if it doesn't, or if the payload was compressed.
    var wholeCount: Int? {
        guard headers["Content-Encoding"] == nil, !headers.contains("Transfer-Encoding"),
            let text = headers["Content-Length"], text.utf8.allSatisfy(\.isASCIIDigit)
        else { return nil }
        return Int(text)
    }

    /// Which part of the whole the payload of a 206 is; nil if it does not say so.
    var contentRange: ContentRange? {
        guard statusCode == .partialContent else { return nil }
        return headers["Content-Range"].flatMap(ContentRange.init)
    }

    /// Whether this 206 goes on where a payload broke off (RFC 9110 15.3.7): it starts there, is of the same resource and
    /// version, and it is known how many bytes there are in all.
    ///
    /// With a coding, the bytes are counted otherwise.
    func goesOn(from asked: Resumption) -> Bool {
        guard let range = contentRange, range.start == asked.offset, headers["Content-Encoding"] == nil else {
            return false
        }
        guard let total = asked.total ?? range.total, range.end <= total,
            range.total.map({ $0 == total }) != false
        else { return false }
        if let url = asked.url, let attempt = called.attempt, attempt.url != url { return false }
        return hasValidator(asked.validator)
    }

    /// Whether this response is of the version that a validator names: a server that sends a part must say so, too
    /// (RFC 9110 15.3.7), and one that ignores `If-Range` sends another version's.
    private func hasValidator(_ validator: String) -> Bool {
        let isTag = validator.utf8.first == UInt8(ascii: "\"")
        return headers[isTag ? "ETag" : "Last-Modified"].map { $0.isSame(as: validator) } == true
    }

    /// Whether this 206 is the part that a request's own `Range` asked for (RFC 9110 14.2 and 15.3.7.1).
    ///
    /// Of several ranges, or of another unit, the parts say themselves which they are.
    func isPart(of asked: String) -> Bool {
        guard let wanted = SingleRange(asked) else { return true }
        guard let range = contentRange else { return false }
        if let start = wanted.start {
            return range.start == start && wanted.last.map { range.end - 1 <= $0 } != false
        }
        guard let total = range.total, let count = wanted.last else { return range.total == nil }
        return range.start == max(0, total - count) && range.end == total
    }
}

/// The one range of bytes that a `Range` asks for (RFC 9110 14.1.2): `bytes=0-499`, `bytes=500-`, or the last ones,
/// `bytes=-500`.
private struct SingleRange {
    /// The first byte; nil if the last bytes are asked for.
    let start: Int?

    /// The last byte, or how many of the last ones; nil for all that come behind the first.
    let last: Int?

    /// Nil if it is anything else, such as several ranges.
    init?(_ text: String) {
        let unit = "bytes="
        guard text.utf8.count < 64, text.lowercased().hasPrefix(unit) else { return nil }
        let ends = text.dropFirst(unit.count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) }) else { return nil }
        (start, last) = (Int(ends[0]), Int(ends[1]))
        if start == nil && last == nil { return nil }
    }
}
