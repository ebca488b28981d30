package import StartSmallSupport
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
