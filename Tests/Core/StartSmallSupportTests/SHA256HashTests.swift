import Foundation
import StartSmallHeaders
import Testing

@testable import StartSmallSupport

/// The hash function SHA-256, as bytes in pieces and as a text.
struct SHA256HashTests {
    // Those of letters are NIST's examples (FIPS 180-4). The others are GNU coreutils' sha256sum of this many `a`: the
    // lengths at which the padding needs another block (5.1.1).
    @Test(
        "the digests are those of the standard, for a text of any length",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (a(55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
            (a(56), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
            (a(63), "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
            (a(64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
            (a(65), "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"),
            (a(119), "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"),
            (a(120), "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"),
            (a(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ]
    )
    func examples(_ text: String, _ digest: String) {
        #expect(HexadecimalDigest.sha256(of: text) == digest)
    }

    private static func a(_ count: Int) -> String { String(repeating: "a", count: count) }

    @Test("the digest is the same for any two cuts of the bytes, and does not end the message")
    func pieces() {
        let bytes = (0..<200).map { UInt8($0) }
        var whole = SHA256Hash()
        bytes.withUnsafeBytes { whole.add($0) }
        for first in stride(from: 0, through: bytes.count, by: 7) {
            for second in first...bytes.count {
                var hash = SHA256Hash()
                for piece in [bytes[..<first], bytes[first..<second], bytes[second...]] {
                    hash.add(Data(piece))
                    _ = hash.digest
                }
                #expect(hash.digest == whole.digest, "\(first), \(second)")
            }
        }
    }

    @Test("a slice of other bytes has the digest of its own")
    func slice() {
        var (one, other) = (SHA256Hash(), SHA256Hash())
        one.add(Data("xxabc".utf8).dropFirst(2))
        other.add(Data("abc".utf8))
        #expect(one.digest == other.digest)
    }
}
