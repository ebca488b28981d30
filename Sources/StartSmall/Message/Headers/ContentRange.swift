/// Which bytes of a whole a part holds, as `Content-Range` says (RFC 9110 14.4).
struct ContentRange: Hashable, Sendable {
    /// Where the part starts: 500 of `bytes 500-999/1234`.
    let start: Int

    /// Where the part ends, behind its last byte: 1000 of `bytes 500-999/1234`.
    let end: Int

    /// How many bytes the whole has; nil if the server does not know.
    let total: Int?

    /// 100 bytes: `bytes`, and three numbers of the nineteen digits that `Int` has at most, with some zeros in front.
    private static let longest = 100

    /// Reads a field's value; nil if it is none, is of another unit than bytes, or contradicts itself.
    init?(_ text: String) {
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

    /// Digits alone: `Int` also takes a sign.
    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy(\.isASCIIDigit) ? Int(text) : nil
    }
}
