import StartSmallFoundation

/// The content coding gzip (RFC 1952 and 1951) of bytes in memory, in time linear in their number.
///
/// It is own code, and not zlib: the same payload has the same bytes on each platform and with each version, as
/// signatures, digests and cassettes need. zlib would be a library more to load, and is not always there.
///
/// The bytes are one block with the fixed codes. A match is the latest earlier occurrence of the next four bytes; there
/// is no search for a longer one.
struct Gzip {
    /// Returns the coded bytes; nil if they would not be fewer.
    static func encoded(_ data: Data) -> Data? {
        data.withUnsafeBytes { bytes in
            // The positions have 32 bits.
            guard bytes.count <= Int32.max else { return nil }
            var encoder = Gzip(limit: bytes.count)
            return encoder.encode(bytes) ? Data(encoder.written) : nil
        }
    }

    private var written: [UInt8]

    /// The number of bytes that must not be reached.
    private let limit: Int

    /// The bits that are not written yet, the first one in the lowest place, and their number.
    private var bits: UInt64 = 0
    private var bitCount = 0

    /// The header (RFC 1952 2.3.1): no flags, no time, and an unknown system, so that it is always the same.
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

    private static let trailerSize = 8
    private static let endOfBlock = 256
    private static let longestMatch = 258
    private static let window = 32_768

    /// The number of bits of a key of the table: 64 KiB of positions, which fit into the cache of a processor.
    private static let keyBits: UInt32 = 14

    private init(limit: Int) {
        (written, self.limit) = (Self.header, limit - Self.trailerSize)
        // What most texts of APIs need, so that few arrays are copied.
        written.reserveCapacity(limit / 2)
    }

    private mutating func encode(_ bytes: UnsafeRawBufferPointer) -> Bool {
        write(0b011, 3)  // The last block, with fixed codes.
        var latest = [Int32](repeating: -1, count: 1 << Self.keyBits)
        var index = 0
        while index < bytes.count {
            if written.count >= limit { return false }
            let match = Self.match(in: bytes, at: index, &latest)
            guard let match else {
                write(symbol: Int(bytes[index]))
                index += 1
                continue
            }
            write(length: match.length, distance: index - match.start)
            for position in (index + 1)..<(index + match.length) { _ = Self.note(position, of: bytes, in: &latest) }
            index += match.length
        }
        write(symbol: Self.endOfBlock)
        write(0, 7)  // Up to a whole byte.
        for number in [Self.checksum(of: bytes), UInt32(bytes.count)] {
            withUnsafeBytes(of: number.littleEndian) { written.append(contentsOf: $0) }
        }
        return written.count < limit + Self.trailerSize
    }

    // MARK: matches

    private static func word(at index: Int, of bytes: UnsafeRawBufferPointer) -> UInt32 {
        bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)
    }

    /// Notes a position by its next four bytes, and returns the position that they had before; nil if there is none.
    private static func note(_ index: Int, of bytes: UnsafeRawBufferPointer, in latest: inout [Int32]) -> Int? {
        guard bytes.count - index >= 4 else { return nil }
        // Knuth's multiplicative hash (The Art of Computer Programming 3, 6.4), by the golden ratio.
        let key = Int((word(at: index, of: bytes) &* 0x9E37_79B1) >> (32 - keyBits))
        defer { latest[key] = Int32(index) }
        return latest[key] < 0 ? nil : Int(latest[key])
    }

    private static func match(
        in bytes: UnsafeRawBufferPointer,
        at index: Int,
        _ latest: inout [Int32]
    ) -> (start: Int, length: Int)? {
        guard let start = note(index, of: bytes, in: &latest), index - start <= window,
            word(at: start, of: bytes) == word(at: index, of: bytes)
        else { return nil }
        let longest = min(longestMatch, bytes.count - index)
        var length = 4
        while length < longest, bytes[start + length] == bytes[index + length] { length += 1 }
        return (start, length)
    }

    // MARK: codes (RFC 1951 3.2.5 and 3.2.6)

    private mutating func write(length: Int, distance: Int) {
        let (size, sizeRest, sizeBits) = length == Self.longestMatch ? (28, 0, 0) : Self.slot(length - 3, keeping: 2)
        write(symbol: Self.endOfBlock + 1 + size)
        write(sizeRest, sizeBits)
        let (slot, rest, restBits) = Self.slot(distance - 1, keeping: 1)
        write(Self.reversed(slot, 5), 5)
        write(rest, restBits)
    }

    /// Returns the code of a range of values, and the value in its range with its number of bits.
    ///
    /// - Parameters:
    ///   - value: the length or the distance, from 0.
    ///   - kept: the number of bits after the highest one that tell ranges apart: 2 for lengths, 1 for distances.
    private static func slot(_ value: Int, keeping kept: Int) -> (code: Int, rest: Int, bits: Int) {
        let bits = max(0, Int.bitWidth - value.leadingZeroBitCount - 1 - kept)
        return (bits << kept + value >> bits, value & (1 << bits - 1), bits)
    }

    private mutating func write(symbol: Int) {
        switch symbol {
        case 0..<144: write(Self.reversed(0x30 + symbol, 8), 8)
        case 144..<256: write(Self.reversed(0x190 + symbol - 144, 9), 9)
        case 256..<280: write(Self.reversed(symbol - 256, 7), 7)
        default: write(Self.reversed(0xC0 + symbol - 280, 8), 8)
        }
    }

    /// Returns a code with its highest bit first, as Huffman codes are written.
    private static func reversed(_ code: Int, _ count: Int) -> Int {
        Int(truncatingIfNeeded: UInt32(truncatingIfNeeded: code).bitReversed >> UInt32(32 - count))
    }

    private mutating func write(_ value: Int, _ count: Int) {
        bits |= UInt64(truncatingIfNeeded: value) << UInt64(bitCount)
        bitCount += count
        while bitCount >= 8 {
            written.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
    }

    // MARK: CRC-32 (RFC 1952 8)

    private static let remainders: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
    }

    private static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
        remainders.withUnsafeBufferPointer { remainders in
            ~bytes.reduce(UInt32.max) { $0 >> 8 ^ remainders[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
        }
    }
}

extension UInt32 {
    /// The bits in reverse order.
    fileprivate var bitReversed: UInt32 {
        var bits = self
        bits = bits >> 1 & 0x5555_5555 | (bits & 0x5555_5555) << 1
        bits = bits >> 2 & 0x3333_3333 | (bits & 0x3333_3333) << 2
        bits = bits >> 4 & 0x0F0F_0F0F | (bits & 0x0F0F_0F0F) << 4
        return bits.byteSwapped
    }
}
