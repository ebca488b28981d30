import StartSmallSupport
import StartSmallFoundation

/// The names of an object, as bytes of the text.
extension JSONTape {
    /// The maximum number of members of which the names are compared one by one.
    private static let maximumMembers = 32

    /// Whether a value is an object with more members than are compared one by one.
    func hasManyMembers(_ index: Int) -> Bool {
        let word = words[index]
        return word.kind == .object && word.first > Self.maximumMembers
    }

    /// Whether an object has few members, with names in ASCII that differ from each other.
    ///
    /// Only then, a name is equal to another one if their bytes are, and the first member with a name is the only one.
    func canCompareNames(of object: Int) -> Bool {
        let word = words[object]
        guard word.first <= Self.maximumMembers else { return false }
        // A bit for the hash of each name. If two names have one bit, they may be equal.
        var bits: UInt64 = 0
        var name = object + 1
        while name < word.second {
            guard words[name].isASCII else { return false }
            let bit: UInt64 = 1 << (hash(words[name]) >> 58)
            if bits & bit != 0, value(named: bytes(of: words[name]), from: object + 1, to: name) != nil { return false }
            bits |= bit
            name = index(after: name + 1)
        }
        return true
    }

    /// Returns the text of a name; nil if it has half of a surrogate pair, or if comparing it could take long.
    ///
    /// Such a name has more combining marks in a row than ``CombiningMarks/longestRun``, so that no name in ASCII, and
    /// no name that an app knows, equals it.
    func name(_ word: JSONWord) -> String? {
        guard let name = string(word) else { return nil }
        return word.isASCII || !CombiningMarks.hasLongRun(name) ? name : nil
    }

    /// Returns a hash of a name that is good enough for a few of them.
    private func hash(_ name: JSONWord) -> UInt64 {
        // Eight bytes can be read at any place of a tape.
        let bytes = UnsafeRawPointer(bytes + name.first)
        let beginning = bytes.loadUnaligned(as: UInt64.self)
        let end = (bytes + max(0, name.second - 8)).loadUnaligned(as: UInt64.self)
        let text = name.second < 8 ? beginning << (64 - 8 * UInt64(name.second)) : beginning ^ (end &* 31)
        return (text ^ UInt64(name.second)) &* 0x9E37_79B9_7F4A_7C15
    }

    func value(named name: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int? {
        var index = start
        while index < end {
            if isName(index, name) { return index + 1 }
            index = self.index(after: index + 1)
        }
        return nil
    }

    /// Whether two objects have names with the same bytes, in the same order.
    func hasSameNames(_ object: Int, as other: Int, values: inout [Int]) -> Bool {
        values.removeAll(keepingCapacity: true)
        guard words[object].first == words[other].first else { return false }
        values.reserveCapacity(words[object].first)
        var (name, otherName) = (object + 1, other + 1)
        while name < words[object].second {
            guard isName(name, bytes(of: words[otherName])) else { return false }
            values.append(name + 1)
            (name, otherName) = (index(after: name + 1), index(after: otherName + 1))
        }
        return true
    }

    @inline(__always)
    private func isName(_ index: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let word = words[index]
        guard word.second == name.count, let start = name.baseAddress else { return word.second == name.count }
        return memcmp(bytes + word.first, start, name.count) == 0
    }
}
