import StartSmallSupport
import StartSmallFoundation

extension Response {
    /// The range of the whole that the payload of a 206 contains; nil if the response declares none.
    package var contentRange: ContentRange? {
        guard statusCode == .partialContent else { return nil }
        return headers["Content-Range"].flatMap(ContentRange.init)
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
