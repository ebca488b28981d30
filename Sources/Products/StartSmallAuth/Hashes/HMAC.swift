import StartSmallSupport
import StartSmallFoundation

/// Keyed hashes by SHA-256 (RFC 2104), and their comparison.
enum HMAC {
    /// Returns the HMAC-SHA-256 of a message: 32 bytes.
    ///
    /// - Parameters:
    ///   - message: the parts of the message, one after the other.
    ///   - key: the key, of any length; one of more than 64 bytes counts as its digest (RFC 2104 2).
    static func sha256(of message: [Data], key: [UInt8]) -> [UInt8] {
        var block = key.count > blockSize ? SHA256Hash.digest(of: [Data(key)]) : key
        block += repeatElement(0, count: blockSize - block.count)
        let inner = SHA256Hash.digest(of: [Data(block.map { $0 ^ 0x36 })] + message)
        return SHA256Hash.digest(of: [Data(block.map { $0 ^ 0x5C }), Data(inner)])
    }

    /// Returns whether two digests are equal, in a time that does not depend on where they differ.
    ///
    /// The lengths are no secret.
    @inline(never)
    static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        var difference: UInt8 = 0
        for index in one.indices { difference |= one[index] ^ other[index] }
        return difference == 0
    }

    /// The size of a block of SHA-256 in bytes (FIPS 180-4 1).
    private static let blockSize = 64
}
