/// The hash function XXH64 (Yann Collet, xxHash specification 0.1.1), which detects damage to an entry of a directory.
///
/// A cryptographic digest would take longer than the rest of a hit, and would protect no more: a program that can write
/// to the directory can also compute a digest.
enum EntryChecksum {
    private static let prime1: UInt64 = 0x9e37_79b1_85eb_ca87
    private static let prime2: UInt64 = 0xc2b2_ae3d_27d4_eb4f
    private static let prime3: UInt64 = 0x1656_67b1_9e37_79f9
    private static let prime4: UInt64 = 0x85eb_ca77_c2b2_ae63
    private static let prime5: UInt64 = 0x27d4_eb2f_1656_67c5

    /// The size of a stripe in bytes: four lanes of eight bytes.
    private static let stripeSize = 32

    /// Returns the checksum of bytes, with the seed 0.
    static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        let wholeCount = bytes.count - bytes.count % stripeSize
        var hash = wholeCount > 0 ? hashOfStripes(in: bytes, to: wholeCount) : prime5
        hash &+= UInt64(bytes.count)
        var offset = wholeCount
        while bytes.count - offset >= 8 {
            hash = rotated(hash ^ mixed(0, word(bytes, offset)), 27) &* prime1 &+ prime4
            offset += 8
        }
        if bytes.count - offset >= 4 {
            let half = UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            hash = rotated(hash ^ half &* prime1, 23) &* prime2 &+ prime3
            offset += 4
        }
        while offset < bytes.count {
            hash = rotated(hash ^ UInt64(bytes[offset]) &* prime5, 11) &* prime1
            offset += 1
        }
        hash = (hash ^ hash &>> 33) &* prime2
        hash = (hash ^ hash &>> 29) &* prime3
        return hash ^ hash &>> 32
    }

    /// Returns the merged lanes of all whole stripes.
    private static func hashOfStripes(in bytes: UnsafeRawBufferPointer, to end: Int) -> UInt64 {
        var (a, b, c, d) = (prime1 &+ prime2, prime2, UInt64(0), 0 &- prime1)
        var offset = 0
        while offset < end {
            a = mixed(a, word(bytes, offset))
            b = mixed(b, word(bytes, offset + 8))
            c = mixed(c, word(bytes, offset + 16))
            d = mixed(d, word(bytes, offset + 24))
            offset += stripeSize
        }
        let hash = rotated(a, 1) &+ rotated(b, 7) &+ rotated(c, 12) &+ rotated(d, 18)
        return [a, b, c, d].reduce(hash) { ($0 ^ mixed(0, $1)) &* prime1 &+ prime4 }
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    private static func mixed(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotated(lane &+ word &* prime2, 31) &* prime1
    }

    @inline(__always)
    private static func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 {
        word &<< count | word &>> (64 - count)
    }
}
