/// The range of bytes that a part contains, from `Content-Range` (RFC 9110 14.4).
package struct ContentRange: Equatable, Sendable {
    /// The position of the first byte: 500 of `bytes 500-999/1234`.
    package let start: Int

    /// The position after the last byte: 1000 of `bytes 500-999/1234`.
    package let end: Int

    /// The number of bytes of the whole; nil if the server does not know it.
    package let total: Int?

    /// The maximum length of a field: 100 bytes.
    ///
    /// Enough for `bytes` and three numbers of at most 19 digits, as `Int` has, with some leading zeros.
    private static let longest = 100

    /// Reads the value of a field; nil if it is malformed, has another unit than bytes, or contradicts itself.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let sides = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        let places = sides[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
        guard places.count == 2, let start = places[0], let last = places[1], start <= last, last < .max else {
            return nil
        }
        (self.start, end) = (start, last + 1)
        if sides[1] == "*" {
            total = nil
        } else {
            guard let total = Self.number(sides[1]), end <= total else { return nil }
            self.total = total
        }
    }

    /// Reads a number of digits only: `Int` also accepts a sign.
    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy(\.isASCIIDigit) ? Int(text) : nil
    }
}

/// The single range of bytes that a `Range` asks for (RFC 9110 14.1.2).
///
/// Examples are `bytes=0-499`, `bytes=500-`, and for the last bytes, `bytes=-500`.
package struct SingleRange {
    /// The first byte; nil if the last bytes are requested.
    package let start: Int?

    /// The last byte, or the number of last bytes; nil for all bytes after the first.
    package let last: Int?

    /// Creates a range from the value of `Range`; nil for anything else, such as several ranges.
    package init?(_ text: String) {
        let unit = "bytes="
        guard text.utf8.count < 64, text.lowercased().hasPrefix(unit) else { return nil }
        let ends = text.dropFirst(unit.count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) }) else { return nil }
        (start, last) = (Int(ends[0]), Int(ends[1]))
        if start == nil && last == nil { return nil }
    }
}
