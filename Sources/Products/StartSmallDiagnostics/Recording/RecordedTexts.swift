/// The texts of a recorded exchange, to find out whether a secret that becomes known later may be in one of them.
///
/// The texts are a set of bits, one for each eight neighboring bytes (Bloom, 1970): a text that has a secret has the
/// bits of the secret, and few others have them.
package struct RecordedTexts: Sendable {
    private var bits: [UInt64]

    /// The last four bytes of texts that may end within a secret.
    private var ends: Set<UInt32> = []

    /// The number of bits for each byte, so that one in 16 is set at most.
    private static let bitsOfByte = 16

    package init(of exchange: Exchange) {
        let texts = exchange.texts.flatMap { text in
            [text.bytes, KnownSecrets.decodedForm(text.bytes)?.bytes ?? []].map { (bytes: $0, isCut: text.isCut) }
        }
        let count = texts.reduce(1) { $0 + $1.bytes.count } * Self.bitsOfByte / UInt64.bitWidth + 1
        bits = Array(repeating: 0, count: count)
        for text in texts {
            if text.isCut { ends.formUnion(Windows(text.bytes.suffix(4)).map(\.window)) }
            for (_, window) in Windows<UInt64>(text.bytes[...]) {
                let (word, bit) = place(of: window)
                bits[word] |= bit
            }
        }
    }

    /// Returns whether a text may contain one of the secrets, or end within it.
    package func mayContain(_ secrets: KnownSecrets) -> Bool {
        secrets.newForms.contains { form in
            let isWhole = Windows<UInt64>(form[...]).allSatisfy { _, window in
                let (word, bit) = place(of: window)
                return bits[word] & bit != 0
            }
            return isWhole || !ends.isEmpty && Windows<UInt32>(form[...]).contains { ends.contains($0.window) }
        }
    }

    private func place(of window: UInt64) -> (word: Int, bit: UInt64) {
        // A multiplication by the golden ratio spreads similar windows (Knuth, TAOCP 6.4).
        let hash = (window &* 0x9E37_79B9_7F4A_7C15).byteSwapped
        return (Int(hash >> 6 % UInt64(bits.count)), 1 << (hash & 63))
    }
}

/// The integers of all neighboring bytes of a text, with the indices at which they begin.
struct Windows<Window: FixedWidthInteger>: Sequence, IteratorProtocol {
    private let bytes: ArraySlice<UInt8>
    private var (index, window): (Int, Window)

    init(_ bytes: ArraySlice<UInt8>) {
        (self.bytes, index, window) = (bytes, bytes.startIndex, 0)
        for _ in 1..<Self.size where index < bytes.endIndex { read() }
    }

    private static var size: Int { MemoryLayout<Window>.size }

    private mutating func read() {
        window = window << 8 | Window(truncatingIfNeeded: bytes[index])
        index += 1
    }

    mutating func next() -> (start: Int, window: Window)? {
        guard index < bytes.endIndex else { return nil }
        read()
        return (index - Self.size, window)
    }
}
