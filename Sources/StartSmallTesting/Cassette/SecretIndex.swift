/// An index of texts by eight bytes in a row of each, with which all of them are looked for in one pass.
///
/// Nearly all that stands elsewhere is told from these eight bytes by a few bits (Bloom, *Space/time trade-offs in hash
/// coding with allowable errors*, 1970).
struct SecretIndex {
    /// Eight bytes of each place of a text that is a multiple of eight, and its last ones.
    private var words: Set<UInt64> = []
    private var bits = BitSketch(holding: 0)

    /// Adds a text.
    mutating func add(_ text: [UInt8]) {
        for word in Self.words(of: text) where words.insert(word).inserted { bits.insert(word) }
        // With 32 bits for each, few others have theirs set.
        if words.count * 4 > bits.capacity {
            bits = BitSketch(holding: words.count * 8)
            for word in words { bits.insert(word) }
        }
    }

    /// What was found of the texts in an index.
    struct Found {
        fileprivate var words: Set<UInt64> = []

        /// Whether a text of the index may be there; what has less than eight bytes may be in any case.
        func mayHold(_ text: [UInt8]) -> Bool { SecretIndex.words(of: text).allSatisfy(words.contains) }
    }

    /// Looks for all texts in others, in all forms in which they may be written there.
    func found(in texts: [[UInt8]]) -> Found {
        var found = Found()
        for form in texts.lazy.flatMap({ WrittenText.forms(of: $0, hasPlaces: false) }) {
            form.bytes.forEachWord { word in
                if bits.mayHold(word), words.contains(word) { found.words.insert(word) }
            }
        }
        return found
    }

    private static func words(of text: [UInt8]) -> [UInt64] {
        guard text.count >= 8 else { return [] }
        let places = Array(stride(from: 0, through: text.count - 8, by: 8)) + [text.count - 8]
        return places.map { place in text[place..<(place + 8)].reduce(0) { $0 << 8 | UInt64($1) } }
    }
}
