import StartSmallSupport

/// Digests of texts in hexadecimal digits, for keys that must not show a credential, and for signatures of requests.
public enum HexadecimalDigest {
    /// Returns the SHA-256 (FIPS 180-4) of a string's UTF-8 in 64 lowercase hexadecimal digits.
    public static func sha256(of string: String) -> String {
        var (string, hash) = (string, SHA256Hash())
        string.withUTF8 { hash.add(UnsafeRawBufferPointer($0)) }
        let digest = hash.digest
        return String(unsafeUninitializedCapacity: 2 * digest.count) { digits in
            for (index, byte) in digest.enumerated() {
                (digits[2 * index], digits[2 * index + 1]) = (digit(byte >> 4), digit(byte & 15))
            }
            return 2 * digest.count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
