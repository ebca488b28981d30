package import StartSmallFoundation

/// The hash function SHA-256 (FIPS 180-4) of bytes that arrive in pieces, since Foundation has none on Linux.
///
/// It is for digests that name or check bytes. It does not run in constant time.
package struct SHA256Hash: Sendable {
    private var state = State()

    /// The bytes after the last whole block.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    package init() {}

    /// Adds bytes at the end of the message.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        count &+= UInt64(bytes.count)
        var start = 0
        if !rest.isEmpty {
            start = min(Self.blockSize - rest.count, bytes.count)
            rest.append(contentsOf: bytes[..<start])
            if rest.count < Self.blockSize { return }
            let block = rest
            block.withUnsafeBytes { state.compress($0) }
            rest.removeAll()
        }
        while bytes.count - start >= Self.blockSize {
            state.compress(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + Self.blockSize)]))
            start += Self.blockSize
        }
        rest.append(contentsOf: bytes[start...])
    }

    /// Adds bytes at the end of the message.
    package mutating func add(_ data: Data) { data.withUnsafeBytes { add($0) } }

    /// The digest of the bytes so far: 32 bytes.
    package var digest: [UInt8] {
        // The padding is a one bit, zeros up to a whole number of blocks, and the length in bits (5.1.1).
        var padding: [UInt8] = [0x80]
        let length = rest.count + 1
        padding.append(contentsOf: repeatElement(0, count: (2 * Self.blockSize - 8 - length) % Self.blockSize))
        withUnsafeBytes(of: (count &<< 3).bigEndian) { padding.append(contentsOf: $0) }
        var padded = self
        padding.withUnsafeBytes { padded.add($0) }
        return padded.state.bytes
    }

    /// Returns the digest of a message in parts: 32 bytes.
    package static func digest(of parts: [Data]) -> [UInt8] {
        var hash = SHA256Hash()
        for part in parts { hash.add(part) }
        return hash.digest
    }

    /// The size of a block in bytes (FIPS 180-4 1).
    private static let blockSize = 64

    /// The eight words of the hash value, first as in FIPS 180-4 5.3.3.
    private struct State: Sendable {
        private var words = SIMD8<UInt32>(
            0x6a09_e667,
            0xbb67_ae85,
            0x3c6e_f372,
            0xa54f_f53a,
            0x510e_527f,
            0x9b05_688c,
            0x1f83_d9ab,
            0x5be0_cd19
        )

        /// The words in big-endian order.
        var bytes: [UInt8] {
            (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 4] &>> UInt32(24 - $0 % 4 * 8)) }
        }

        /// Adds a block (FIPS 180-4 6.2.2).
        mutating func compress(_ block: UnsafeRawBufferPointer) {
            var (a, b, c, d) = (words[0], words[1], words[2], words[3])
            var (e, f, g, h) = (words[4], words[5], words[6], words[7])
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
                for index in 0..<16 {
                    let word = block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
                    schedule[index] = UInt32(bigEndian: word)
                }
                for index in 16..<64 {
                    let (early, late) = (schedule[index - 15], schedule[index - 2])
                    let first = rotated(early, 7) ^ rotated(early, 18) ^ early &>> 3
                    let second = rotated(late, 17) ^ rotated(late, 19) ^ late &>> 10
                    schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
                }
                SHA256Hash.constants.withUnsafeBufferPointer { constants in
                    for index in 0..<64 {
                        let sum = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
                        let first = h &+ sum &+ (e & f ^ ~e & g) &+ constants[index] &+ schedule[index]
                        let second = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
                        (h, g, f, e) = (g, f, e, d &+ first)
                        (d, c, b, a) = (c, b, a, first &+ second &+ (a & b ^ a & c ^ b & c))
                    }
                }
            }
            words &+= SIMD8(a, b, c, d, e, f, g, h)
        }

        @inline(__always)
        private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
            word &>> count | word &<< (32 - count)
        }
    }

    /// The constants of FIPS 180-4 4.2.2.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
