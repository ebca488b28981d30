public import StartSmallFoundation

extension DPoPKey {
    /// Creates a key of the curve P-256, for `ES256` (RFC 7518 3.4 and 6.2.1).
    ///
    /// - Parameters:
    ///   - publicKey: the 64 bytes of X and Y, which CryptoKit and swift-crypto call `rawRepresentation`; also those of
    ///     `x963Representation`, which are the same behind one byte.
    ///   - sign: returns the signature of a message, the 64 bytes of R and S.
    public init(p256 publicKey: Data, sign: @escaping @Sendable (_ message: Data) async throws -> Data) {
        let (x, y) = (publicKey.suffix(64).prefix(32), publicKey.suffix(32))
        self.init(publicKey: ["kty": "EC", "crv": "P-256", "x": x.base64URL, "y": y.base64URL], sign: sign)
    }
}
