import StartSmallFoundation

/// The kind of a public key, which suffices to make a SubjectPublicKeyInfo of the key's bytes.
enum PublicKeyKind: Hashable, Sendable, CaseIterable {
    case rsa, p256, p384, p521

    /// Creates the kind of the elliptic curve with keys of this size, in bits; nil for an unknown curve.
    init?(curveBits bits: Int) {
        switch bits {
        case 256: self = .p256
        case 384: self = .p384
        case 521: self = .p521
        default: return nil
        }
    }

    /// Returns the key in the form of a certificate (RFC 5280 4.1.2.7), in DER: the bytes whose hash is a pin.
    ///
    /// Apple's `SecKeyCopyExternalRepresentation` returns only the inner bytes: PKCS#1 (RFC 8017 A.1.1) or a point of a
    /// curve (RFC 5480 2.2).
    func subjectPublicKeyInfo(of key: Data) -> Data {
        let (sequence, bitString, noUnusedBits): (UInt8, UInt8, UInt8) = (0x30, 0x03, 0x00)
        return Self.der(sequence, Data(algorithm) + Self.der(bitString, [noUnusedBits] + key))
    }

    /// The AlgorithmIdentifier in DER: rsaEncryption with NULL (RFC 3279 2.3.1), or id-ecPublicKey with the curve.
    ///
    /// The curve is a parameter of id-ecPublicKey (RFC 5480 2.1.1).
    private var algorithm: [UInt8] {
        let curve: [UInt8]
        switch self {
        case .rsa: return [0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00]
        case .p256: curve = [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        case .p384: curve = [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
        case .p521: curve = [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23]
        }
        let key: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
        return [0x30, UInt8(key.count + curve.count)] + key + curve
    }

    /// Returns the DER of a tag, a length (X.690 8.1.3) and contents.
    private static func der(_ tag: UInt8, _ contents: Data) -> Data {
        let count = contents.count
        if count < 0x80 { return [tag, UInt8(count)] + contents }
        var length: [UInt8] = []
        var rest = count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + contents
    }
}
