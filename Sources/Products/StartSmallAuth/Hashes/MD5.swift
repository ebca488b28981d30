import StartSmallFoundation

/// The hash function MD5 (RFC 1321), which `Digest` without an algorithm requires (RFC 7616 3.4).
///
/// It is broken for signatures: two messages of one digest are found in seconds (RFC 6151 2.1).
enum MD5 {
    /// Returns the digest of a message: 16 bytes.
    static func digest(of message: [UInt8]) -> [UInt8] {
        var padded = message + [0x80]
        padded += repeatElement(0, count: (120 - padded.count % 64) % 64)
        withUnsafeBytes(of: (UInt64(message.count) &<< 3).littleEndian) { padded += $0 }
        var words = SIMD4<UInt32>(0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476)
        padded.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: 64) {
                let block = (0..<16).map {
                    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start + $0 * 4, as: UInt32.self))
                }
                words &+= compressed(words, block)
            }
        }
        return (0..<16).map { UInt8(truncatingIfNeeded: words[$0 / 4] &>> UInt32($0 % 4 * 8)) }
    }

    /// Returns the words that a block adds (RFC 1321 3.4).
    private static func compressed(_ words: SIMD4<UInt32>, _ block: [UInt32]) -> SIMD4<UInt32> {
        var (a, b, c, d) = (words[0], words[1], words[2], words[3])
        for step in 0..<64 {
            let (mixed, index) =
                switch step / 16 {
                case 0: (b & c | ~b & d, step)
                case 1: (b & d | c & ~d, step * 5 + 1)
                case 2: (b ^ c ^ d, step * 3 + 5)
                default: (c ^ (b | ~d), step * 7)
                }
            let sum = a &+ mixed &+ block[index % 16] &+ constants[step]
            let count = shifts[step / 16][step % 4]
            (a, d, c, b) = (d, c, b, b &+ (sum &<< count | sum &>> (32 - count)))
        }
        return SIMD4(a, b, c, d)
    }

    private static let shifts: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]

    /// The integer parts of 2³² times the sines of 1 to 64 (RFC 1321 3.4).
    private static let constants = (1...64).map { UInt32(abs(sin(Double($0))) * 0x1p32) }
}
