import Foundation
import Testing

@testable import StartSmallTesting

/// NIST's test vectors for FIPS 180-4 (csrc.nist.gov, *Example values*; the NESSIE set for longer inputs).
@Suite struct SHA256Tests {
    private static let vectors: [(String, String)] = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ]

    @Test("the hashes are those of NIST's test vectors", arguments: vectors)
    func vector(text: String, hash: String) {
        #expect(SHA256.digest(of: Data(text.utf8)) == hash)
    }

    @Test("bytes that arrive in pieces have the hash of the whole, wherever they are cut")
    func pieces() {
        let bytes = Array(Self.vectors[3].0.utf8)
        for cut in 0...bytes.count {
            var hash = SHA256()
            hash.update(bytes[..<cut])
            hash.update(bytes[cut...])
            #expect(hash.digest == Self.vectors[3].1)
        }
    }

    @Test("reading an intermediate digest does not change the final one")
    func between() {
        var hash = SHA256()
        hash.update("ab".utf8)
        _ = hash.digest
        hash.update("c".utf8)
        #expect(hash.digest == Self.vectors[1].1)
    }
}
