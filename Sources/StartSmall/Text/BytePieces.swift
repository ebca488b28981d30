import Foundation

extension Array<UInt8> {
    /// The pieces between the places where a separator stands, one more than there are such places.
    package func pieces(between separator: [UInt8]) -> [ArraySlice<UInt8>] {
        var start = startIndex
        let pieces = places(of: separator).map { place in
            defer { start = place.upperBound }
            return self[start..<place.lowerBound]
        }
        return pieces + [self[start...]]
    }

    /// Where a text stands, from left to right; no place overlaps the one before, and an empty text stands nowhere.
    ///
    /// Each byte is gone past once, whatever both are made of (Knuth, Morris, Pratt: *Fast pattern matching in strings*,
    /// 1977): what is looked for is as long as who sent it liked.
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

    /// For each beginning of these bytes: how many bytes both begin and end it, and are not all of it.
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
    /// Whether some bytes stand anywhere in these; no bytes stand nowhere.
    ///
    /// By `memchr` and `memcmp`, which go through a payload at the speed of memory, in debug builds too. Bytes whose first
    /// one stands at many places are compared at each of them.
    package func holds(_ sought: UnsafeRawBufferPointer) -> Bool {
        guard let first = sought.first, let soughtStart = sought.baseAddress else { return false }
        var rest = self[...]
        while rest.count >= sought.count, let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress {
            // They begin no later than where they still fit.
            let room = rest.count - sought.count + 1
            guard let candidate = memchr(start, Int32(first), room) else { return false }
            if memcmp(candidate, soughtStart, sought.count) == 0 { return true }
            rest = rest.dropFirst(UnsafeRawPointer(candidate) - start + 1)
        }
        return false
    }
}
