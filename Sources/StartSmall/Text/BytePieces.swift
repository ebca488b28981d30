import Foundation

extension Array<UInt8> {
    /// Returns the pieces between the occurrences of a separator: one more than there are occurrences.
    package func pieces(between separator: [UInt8]) -> [ArraySlice<UInt8>] {
        var start = startIndex
        let pieces = places(of: separator).map { place in
            defer { start = place.upperBound }
            return self[start..<place.lowerBound]
        }
        return pieces + [self[start...]]
    }

    /// Returns the ranges of the occurrences of a text, from left to right; occurrences do not overlap.
    ///
    /// An empty text has no occurrence. The search passes each byte once, for any text and bytes (Knuth, Morris, Pratt:
    /// *Fast pattern matching in strings*, 1977), since the length of the text is chosen by an untrusted sender.
    package func places(of text: [UInt8]) -> [Range<Int>] {
        if text.isEmpty { return [] }
        let borders = text.borders
        var places: [Range<Int>] = []
        var matched = 0
        for index in indices {
            while matched > 0, self[index] != text[matched] { matched = borders[matched - 1] }
            if self[index] == text[matched] { matched += 1 }
            guard matched == text.count else { continue }
            places.append((index + 1 - matched)..<(index + 1))
            matched = 0
        }
        return places
    }

    /// The border lengths: for each prefix, the length of its longest proper prefix that is also its suffix.
    private var borders: [Int] {
        var borders: [Int] = []
        var matched = 0
        for (index, byte) in enumerated() {
            while matched > 0, byte != self[matched] { matched = borders[matched - 1] }
            if index > 0, byte == self[matched] { matched += 1 }
            borders.append(matched)
        }
        return borders
    }
}

extension UnsafeRawBufferPointer {
    /// Returns whether some bytes occur in these; an empty sequence does not occur.
    ///
    /// The search uses `memchr` and `memcmp`, which run at the speed of memory, in debug builds too. If the first of
    /// the sought bytes occurs often, all of them are compared at each occurrence.
    package func holds(_ sought: UnsafeRawBufferPointer) -> Bool {
        guard let first = sought.first, let soughtStart = sought.baseAddress else { return false }
        var rest = self[...]
        while rest.count >= sought.count, let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress {
            // The last possible start is the one at which the sought bytes still fit.
            let room = rest.count - sought.count + 1
            guard let candidate = memchr(start, Int32(first), room) else { return false }
            if memcmp(candidate, soughtStart, sought.count) == 0 { return true }
            rest = rest.dropFirst(UnsafeRawPointer(candidate) - start + 1)
        }
        return false
    }
}
