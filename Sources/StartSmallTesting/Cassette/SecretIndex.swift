/// An index of texts by sequences of eight bytes, which allows searching for all texts in one pass.
///
/// A few bits of the eight bytes exclude nearly all other content (Bloom, *Space/time trade-offs in hash coding with
/// allowable errors*, 1970).
struct SecretIndex {
    /// The words of eight bytes at each offset of a text that is a multiple of eight, and at its end.
    private var words: Set<UInt64> = []
    private var bits = BloomFilter(holding: 0)

    /// Adds a text.
    mutating func add(_ text: [UInt8]) {
        for word in Self.words(of: text) where words.insert(word).inserted { bits.insert(word) }
        // With 32 bits per word, few other words match by chance.
        if words.count * 4 > bits.capacity {
            bits = BloomFilter(holding: words.count * 8)
            for word in words { bits.insert(word) }
        }
    }

    /// The matches of an index in searched texts.
    struct Found {
        fileprivate var words: Set<UInt64> = []

        /// Returns whether a text of the index may occur; always true for a text of less than eight bytes.
        func mayHold(_ text: [UInt8]) -> Bool { SecretIndex.words(of: text).allSatisfy(words.contains) }
    }

    /// Searches texts for all texts of the index, in all forms in which they may be written.
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
