package import StartSmallFoundation

/// The SHA-256 of a SubjectPublicKeyInfo, which pins a server's key (RFC 7469 2.4).
package struct PublicKeyPin: Sendable {
    /// The number of bytes of a SHA-256 (FIPS 180-4).
    private static let byteCount = 32
    private static let prefix = "sha256//"

    package let hash: Data

    /// Parses a pin in libcurl's form, such as `sha256//YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE=`.
    ///
    /// The result is nil if the text is not a pin.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        guard let hash = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))), hash.count == Self.byteCount
        else { return nil }
        self.hash = hash
    }
}
