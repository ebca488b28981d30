import Foundation

/// The hash function SHA-256 (FIPS 180-4), since Foundation has none on Linux.
///
/// The hash distinguishes payloads that are too long for a file; the implementation has no security purpose, and does
/// not run in constant time.
struct SHA256 {
    private var state: [UInt32] = Self.fractions(of: Self.primes.prefix(8).map { Double($0).squareRoot() })
    private var block: [UInt8] = []
    private var count: UInt64 = 0

    /// Appends bytes, in pieces of any size.
    mutating func update(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            block.append(byte)
            count += 1
            if block.count == Self.blockSize { compress() }
        }
    }

    /// The hash of all bytes so far, in lowercase hexadecimal digits.
    var digest: String {
        var last = self
        let bits = count << 3
        last.update([0x80])
        last.update(repeatElement(0, count: (Self.blockSize + 56 - last.block.count) % Self.blockSize))
        last.update((0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - $0 * 8)) })
        return last.state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// Returns the hash of data.
    static func digest(of data: Data) -> String {
        var hash = SHA256()
        hash.update(data)
        return hash.digest
    }

    /// Processes a block (FIPS 180-4 6.2.2).
    private mutating func compress() {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
            for index in 0..<16 {
                words[index] = block[(index * 4)..<(index * 4 + 4)].reduce(0) { $0 << 8 | UInt32($1) }
            }
            for index in 16..<64 {
                let (early, late) = (words[index - 15], words[index - 2])
                let first = Self.rotate(early, 7) ^ Self.rotate(early, 18) ^ early >> 3
                let second = Self.rotate(late, 17) ^ Self.rotate(late, 19) ^ late >> 10
                words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            for index in 0..<64 {
                let sum = Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)
                let first = h &+ sum &+ (e & f ^ ~e & g) &+ Self.constants[index] &+ words[index]
                let second = Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)
                (h, g, f, e) = (g, f, e, d &+ first)
                (d, c, b, a) = (c, b, a, first &+ second &+ (a & b ^ a & c ^ b & c))
            }
            for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
        }
        block.removeAll(keepingCapacity: true)
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    /// The size of a block in bytes.
    private static let blockSize = 64

    /// The constants of FIPS 180-4 4.2.2.
    ///
    /// The constants are the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants = fractions(of: primes.map { Foundation.cbrt(Double($0)) })

    private static let primes: [Int] = (2...311).filter { number in
        !(2..<number).contains { $0 * $0 <= number && number % $0 == 0 }
    }

    /// Returns the first 32 bits of the fractional parts of roots; the initial state (5.3.3) uses square roots.
    private static func fractions(of roots: [Double]) -> [UInt32] {
        roots.map { root in UInt32(((root - root.rounded(.down)) * 4_294_967_296).rounded(.down)) }
    }
}
