import StartSmallSupport
import StartSmallFoundation

extension Response {
    /// The minimum age, in seconds, of a modification date that no second version can have.
    ///
    /// The age is measured at the date of the response. RFC 9110 8.8.2.2 requires at least a second; a minute, as in
    /// RFC 7232 2.2.2, allows for clocks that differ.
    private static let strongAge: TimeInterval = 60

    /// The strong validator of this version of the payload, with which a part can be requested (RFC 9110 13.1.5).
    ///
    /// The validator is an entity tag, or if there is none, a modification date that is as strong. The value is nil if
    /// there is no such validator, if the server does not send parts, or if the payload was compressed for the
    /// transfer, so that the server counts its bytes differently.
    package var rangeValidator: String? {
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
        return HTTPDate.text(modified)
    }

    /// The length of the whole payload in bytes, as `Content-Length` declares it.
    ///
    /// The value is nil if the field does not declare the length, or if the payload was compressed.
    package var wholeCount: Int? {
        guard headers["Content-Encoding"] == nil, !headers.contains("Transfer-Encoding"),
            let text = headers["Content-Length"], text.utf8.allSatisfy(\.isASCIIDigit)
        else { return nil }
        return Int(text)
    }

    /// The range of the whole that the payload of a 206 contains; nil if the response declares none.
    package var contentRange: ContentRange? {
        guard statusCode == .partialContent else { return nil }
        return headers["Content-Range"].flatMap(ContentRange.init)
    }

    /// Returns whether this 206 continues a payload where it broke off (RFC 9110 15.3.7).
    ///
    /// A continuation starts at the offset, is of the same resource and version, and has a known total number of bytes.
    /// With a content coding, the bytes are counted differently.
    ///
    /// - Parameter received: the part that had arrived when the rest was requested.
    package func continues(_ received: ReceivedPart) -> Bool {
        guard let range = contentRange, range.start == received.offset, headers["Content-Encoding"] == nil else {
            return false
        }
        guard let total = received.total ?? range.total, range.end <= total,
            range.total.map({ $0 == total }) != false
        else { return false }
        if let url = received.url, let requested = called.requested, requested.url != url { return false }
        return hasValidator(received.validator)
    }

    /// Returns whether the response is of the version that a validator names.
    ///
    /// A server that sends a part must also send its validator (RFC 9110 15.3.7), and a server that ignores `If-Range`
    /// sends the validator of another version.
    private func hasValidator(_ validator: String) -> Bool {
        let isTag = validator.utf8.first == UInt8(ascii: "\"")
        return headers[isTag ? "ETag" : "Last-Modified"].map { $0.isSame(as: validator) } == true
    }

    /// Returns whether this 206 is the part that a request's own `Range` asked for (RFC 9110 14.2 and 15.3.7.1).
    ///
    /// For several ranges, or another unit, the parts themselves declare their ranges, and the result is true.
    func isPart(of field: String) -> Bool {
        guard let requested = SingleRange(field) else { return true }
        guard let range = contentRange else { return false }
        if let start = requested.start {
            return range.start == start && requested.last.map { range.end - 1 <= $0 } != false
        }
        guard let total = range.total, let count = requested.last else { return range.total == nil }
        return range.start == max(0, total - count) && range.end == total
    }
}

/// The single range of bytes that a `Range` asks for (RFC 9110 14.1.2).
///
/// Examples are `bytes=0-499`, `bytes=500-`, and for the last bytes, `bytes=-500`.
private struct SingleRange {
    /// The first byte; nil if the last bytes are requested.
    let start: Int?

    /// The last byte, or the number of last bytes; nil for all bytes after the first.
    let last: Int?

    /// Creates a range from the value of `Range`; nil for anything else, such as several ranges.
    init?(_ text: String) {
        let unit = "bytes="
        guard text.utf8.count < 64, text.lowercased().hasPrefix(unit) else { return nil }
        let ends = text.dropFirst(unit.count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) }) else { return nil }
        (start, last) = (Int(ends[0]), Int(ends[1]))
        if start == nil && last == nil { return nil }
    }
}
