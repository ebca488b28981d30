import Foundation
import StartSmallSupport
import StartSmallTesting
import Testing

@testable import StartSmallAuth

struct HashTests {
    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private static func bytes(_ hexadecimal: some StringProtocol) -> [UInt8] {
        let digits = hexadecimal.utf8.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    @Test(
        "MD5 has the digests of RFC 1321 A.5",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"), ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "d174ab98d277d9f5a5611c2c9f419d9f"
            ),
            (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
        ]
    )
    func md5(message: String, digest: String) {
        #expect(Self.hexadecimal(MD5.digest(of: Array(message.utf8))) == digest)
    }

    @Test(
        "HMAC-SHA-256 has the values of RFC 4231 4",
        arguments: [
            (
                String(repeating: "0b", count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                "4a656665", Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                String(repeating: "aa", count: 20), Array(repeating: 0xDD, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                String(repeating: "aa", count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ] as [(String, [UInt8], String)]
    )
    func hmac(key: String, message: [UInt8], digest: String) {
        #expect(Self.hexadecimal(HMAC.sha256(of: [Data(message)], key: Self.bytes(key))) == digest)
        // In any parts.
        for cut in 0...message.count {
            let parts = [Data(message.prefix(cut)), Data(message.dropFirst(cut))]
            #expect(Self.hexadecimal(HMAC.sha256(of: parts, key: Self.bytes(key))) == digest)
        }
    }

    @Test("two digests are equal only if each byte is")
    func equal() {
        let digest = HMAC.sha256(of: [], key: [1])
        #expect(HMAC.areEqual(digest, digest))
        for index in digest.indices {
            var other = digest
            other[index] ^= 1
            #expect(!HMAC.areEqual(digest, other))
        }
        #expect(!HMAC.areEqual(digest, digest.dropLast()) && !HMAC.areEqual([], digest))
    }

    @Test("bytes of any length are the same after base64url, which has no padding and no other characters")
    func base64URL() {
        var random = SplitMix64(seed: 1)
        for length in 0..<200 {
            let bytes = Data((0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) })
            let text = bytes.base64URL
            #expect(Data(base64URL: text) == bytes)
            #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
        }
        #expect(Data([0xFB, 0xEF, 0xFF]).base64URL == "--__")
        for text in ["A", "AAAAA", "++//", "AA==", "A A", "あ", "AA\n"] { #expect(Data(base64URL: text) == nil) }
    }

    /// The vectors of the package `cryptography-vectors` of PyPI, as `make full STEPS=vectors` unpacks them.
    private static let vectors = ProcessInfo.processInfo.environment["HASH_VECTORS"]

    @Test(
        "all vectors of NIST and of the RFCs have their digests",
        .enabled(if: vectors != nil, "HASH_VECTORS names no folder"),
        arguments: [
            ("hashes/SHA2/SHA256ShortMsg.rsp", 65), ("hashes/SHA2/SHA256LongMsg.rsp", 64),
            ("hashes/MD5/rfc-1321.txt", 7),
            ("HMAC/rfc-4231-sha256.txt", 6), ("SHA256Monte", 100),
        ]
    )
    func published(file: String, count: Int) throws {
        if file == "SHA256Monte" { return try monteCarlo(count) }
        let path = try #require(Self.vectors) + "/" + file
        var fields: [String: String] = [:]
        var checked = 0
        for line in try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2 else { continue }
            fields[parts[0]] = parts[1]
            guard ["MD", "Output"].contains(parts[0]) else { continue }
            let length = fields["Len"].flatMap(Int.init).map { $0 / 8 }
            let message = Array(Self.bytes(fields["Msg"] ?? "").prefix(length ?? .max))
            let digest =
                if let key = fields["Key"] { HMAC.sha256(of: [Data(message)], key: Self.bytes(key)) } else {
                    file.contains("MD5") ? MD5.digest(of: message) : Self.sha256(message)
                }
            #expect(Self.hexadecimal(digest) == parts[1].lowercased(), "\(checked) of \(file)")
            checked += 1
        }
        #expect(checked == count)
    }

    private static func sha256(_ message: [UInt8]) -> [UInt8] {
        var hash = SHA256Hash()
        hash.add(Data(message))
        return hash.digest
    }

    /// The test of NIST's SHA-256 with 100,000 messages (SHAVS 6.4).
    private func monteCarlo(_ count: Int) throws {
        let path = try #require(Self.vectors) + "/hashes/SHA2/SHA256Monte.rsp"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline)
        let values = { (name: String) in
            lines.filter { $0.hasPrefix("\(name) = ") }.map { $0.dropFirst(name.count + 3) }
        }
        var seed = Self.bytes(try #require(values("Seed").first))
        let digests = values("MD")
        #expect(digests.count == count)
        for digest in digests {
            var last = [seed, seed, seed]
            for _ in 0..<1_000 { last = [last[1], last[2], Self.sha256(last[0] + last[1] + last[2])] }
            seed = last[2]
            #expect(Self.hexadecimal(seed) == String(digest))
        }
    }
}
