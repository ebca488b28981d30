extension Array<UInt8> {
    /// The pieces between the places where a separator stands, one more than there are such places.
    ///
    /// Each byte is gone past once, whatever both are made of (Knuth, Morris, Pratt: *Fast pattern matching in strings*,
    /// 1977): a boundary is as long as who sent it liked.
    func pieces(between separator: [UInt8]) -> [ArraySlice<UInt8>] {
        let borders = separator.borders
        var pieces: [ArraySlice<UInt8>] = []
        var (start, matched) = (startIndex, 0)
        for index in indices {
            while matched > 0, self[index] != separator[matched] { matched = borders[matched - 1] }
            if self[index] == separator[matched] { matched += 1 }
            guard matched == separator.count else { continue }
            pieces.append(self[start...index].dropLast(matched))
            (start, matched) = (index + 1, 0)
        }
        return pieces + [self[start...]]
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
