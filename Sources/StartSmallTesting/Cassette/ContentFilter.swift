import Foundation
import StartSmall

/// A filter for secrets that may occur in some texts and bytes, fast for many secrets, since hardly any occurs.
///
/// The filter has false positives, but no false negatives.
struct ContentFilter {
    private var bits: BloomFilter

    /// Whether there are bytes, which may contain a secret in any encoding.
    let hasBytes: Bool

    /// Creates a filter of texts, and of non-text bytes, in all forms in which they may contain a secret.
    init(of content: TextContent) {
        hasBytes = !content.bytes.isEmpty
        let forms = (content.texts + content.bytes).flatMap { WrittenText.forms(of: $0, hasPlaces: false) }
        bits = BloomFilter(holding: forms.reduce(0) { $0 + $1.bytes.count })
        for form in forms { form.bytes.forEachWord { bits.insert($0) } }
    }

    /// Returns whether a text may occur; always true for a text of less than eight bytes.
    func mayHold(_ text: [UInt8]) -> Bool {
        var mayHold = true
        text.forEachWord { mayHold = mayHold && bits.mayHold($0) }
        return mayHold
    }
}

/// A Bloom filter of sequences of eight bytes, which has false positives, but no false negatives.
///
/// The source is Bloom, *Space/time trade-offs in hash coding with allowable errors*, 1970.
struct BloomFilter {
    private var bits: [UInt64]

    /// The right shift of a product of eight bytes that gives the index of a bit.
    private let shift: UInt64

    /// The number of elements that the filter is designed for.
    let capacity: Int

    /// Creates an empty filter.
    ///
    /// - Parameter count: the expected number of elements.
    init(holding count: Int) {
        // There are at least eight bits per element, so that most bits stay unset.
        let least = Swift.max(Self.fewestBits, count * 8)
        let width = least.bitWidth - (least - 1).leadingZeroBitCount
        (bits, shift) = (Array(repeating: 0, count: 1 << (width - 6)), UInt64(64 - width))
        capacity = 1 << (width - 3)
    }

    /// The minimum number of bits: sufficient for a cassette with a hundred secrets.
    private static let fewestBits = 8192

    mutating func insert(_ word: UInt64) {
        let bit = number(of: word)
        bits[bit >> 6] |= 1 << UInt64(bit & 63)
    }

    func mayHold(_ word: UInt64) -> Bool {
        let bit = number(of: word)
        return bits[bit >> 6] & 1 << UInt64(bit & 63) != 0
    }

    /// Returns the index of a word's bit by Fibonacci hashing.
    ///
    /// The index consists of the upper bits of a product with 2^64 over the golden ratio (Knuth, *The Art of Computer
    /// Programming* 6.4).
    private func number(of word: UInt64) -> Int {
        Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) &>> shift)
    }
}

extension [UInt8] {
    /// Calls a function with each sequence of eight consecutive bytes.
    func forEachWord(_ body: (UInt64) -> Void) {
        var word: UInt64 = 0
        for byte in prefix(7) { word = word << 8 | UInt64(byte) }
        for byte in dropFirst(7) {
            word = word << 8 | UInt64(byte)
            body(word)
        }
    }
}
