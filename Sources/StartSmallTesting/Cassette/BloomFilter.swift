import Foundation
import StartSmall

/// Which secrets may stand in some texts and bytes: soon said of many secrets, since hardly one of them does.
///
/// It may say yes where no would be right, and never the other way round.
struct BloomFilter {
    private var bits: BitSketch

    /// Whether there are bytes, in which a secret may stand in any encoding.
    let hasBytes: Bool

    /// Makes a sketch of texts, and of bytes that are no text, in all forms in which a secret may be written in them.
    init(of content: TextContent) {
        hasBytes = !content.bytes.isEmpty
        let forms = (content.texts + content.bytes).flatMap { WrittenText.forms(of: $0, hasPlaces: false) }
        bits = BitSketch(holding: forms.reduce(0) { $0 + $1.bytes.count })
        for form in forms { form.bytes.forEachWord { bits.insert($0) } }
    }

    /// What has less than eight bytes may be there in any case.
    func mayHold(_ text: [UInt8]) -> Bool {
        var mayHold = true
        text.forEachWord { mayHold = mayHold && bits.mayHold($0) }
        return mayHold
    }
}

/// A set of eight bytes in a row, which may say yes where no would be right (Bloom, *Space/time trade-offs in hash coding
/// with allowable errors*, 1970).
struct BitSketch {
    private var bits: [UInt64]

    /// How far the product of eight bytes is moved, so that the number of a bit is left.
    private let shift: UInt64

    /// For how many elements it is made.
    let capacity: Int

    /// - Parameter count: how many elements it will hold.
    init(holding count: Int) {
        // At least eight bits for each that is set, so that most are not.
        let least = Swift.max(Self.fewestBits, count * 8)
        let width = least.bitWidth - (least - 1).leadingZeroBitCount
        (bits, shift) = (Array(repeating: 0, count: 1 << (width - 6)), UInt64(64 - width))
        capacity = 1 << (width - 3)
    }

    /// So few that a cassette with a hundred secrets needs no more.
    private static let fewestBits = 8192

    mutating func insert(_ word: UInt64) {
        let bit = number(of: word)
        bits[bit >> 6] |= 1 << UInt64(bit & 63)
    }

    func mayHold(_ word: UInt64) -> Bool {
        let bit = number(of: word)
        return bits[bit >> 6] & 1 << UInt64(bit & 63) != 0
    }

    /// Fibonacci hashing (Knuth, *The Art of Computer Programming* 6.4): the upper bits of a product with 2^64 over the
    /// golden ratio.
    private func number(of word: UInt64) -> Int {
        Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) &>> shift)
    }
}

extension [UInt8] {
    /// Calls a function with each eight bytes in a row.
    func forEachWord(_ body: (UInt64) -> Void) {
        var word: UInt64 = 0
        for byte in prefix(7) { word = word << 8 | UInt64(byte) }
        for byte in dropFirst(7) {
            word = word << 8 | UInt64(byte)
            body(word)
        }
    }
}
