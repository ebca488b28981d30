import Foundation
import StartSmall
import Testing

@testable import StartSmallTesting

/// Secrets that an index finds in texts and bytes; ``ContentFilterTests`` has the same tests for ``ContentFilter``.
@Suite struct SecretIndexTests {
    @Test(
        "a secret that a text contains is found, however it is escaped",
        arguments: [
            "pass word", "say: pass word", #"pass\u0020word"#, "pass+word", "pass%20word", #"p\u0061ss%20word"#,
        ]
    )
    func holds(text: String) {
        #expect(Self.among(["pass word"], in: ["other", text]) == ["pass word"])
    }

    @Test("of a thousand secrets that no text contains, fewer than ten are false positives")
    func few() {
        let text = (0..<1_000).map { "\($0 &* 2_654_435_761) some words;" }.joined()
        let secrets = Set((0..<1_000).map { "secret-\($0)-of-many" })
        #expect(Self.among(secrets, in: [text]).count < 10)
        #expect(Self.among(secrets, in: []) == [])
    }

    @Test(
        "a secret that bytes contain is found, in every encoding that Foundation writes",
        arguments: Charset.encodings.filter { Charset.data("pass word", in: $0) != nil }
    )
    func bytes(encoding: String.Encoding) throws {
        let bytes = try Data([0xFF, 0, 1]) + #require(Charset.data("pass word", in: encoding)) + Data([0xFE, 0])
        #expect(Self.among(["pass word"], in: ["other"], and: [bytes]) == ["pass word"])
    }

    @Test("of a thousand secrets that no bytes contain, fewer than ten are false positives")
    func fewInBytes() {
        var numbers = SplitMix64(seed: 1)
        let bytes = Data((0..<100_000).map { _ in UInt8(truncatingIfNeeded: numbers.next()) })
        let secrets = Set((0..<1_000).map { "secret-\($0)-of-many" })
        #expect(Self.among(secrets, in: [], and: [bytes]).count < 10)
    }

    @Test("a secret with fewer than eight bytes in an encoding is a candidate for any bytes, but not for another text")
    func shortForms() {
        let secrets: Set = ["ääää"]
        #expect(Self.among(secrets, in: [], and: [Data([1])]) == ["ääää"])
        #expect(Self.among(secrets, in: ["other"]) == [])
    }

    @Test("a text as long as the secret can contain it, and a shorter one can't")
    func short() {
        #expect(Self.among(["pass wor"], in: ["pass wor", "pass word"]) == ["pass wor"])
        #expect(Self.among(["pass wor"], in: ["pass wo"]) == [])
    }

    @Test("secrets that begin with the same bytes are distinguished")
    func sameBeginning() {
        let secrets = Set((0..<1_000).map { "the same beginning of all \($0) and its end" })
        let one = "the same beginning of all 7 and its end"
        #expect(Self.among(secrets, in: ["say: \(one)"]) == [one])
    }

    @Test("secrets that are added one by one are found, and so are the earlier ones")
    func later() {
        var known = KnownSecrets()
        let secrets = (0..<1_000).map { "key \($0 + 1_000) of many" }
        let content = TextContent(texts: [Array("\(secrets[0]) \(secrets[999])".utf8)])
        for (number, secret) in secrets.enumerated() {
            #expect(known.add([secret: number]).count == 1)
            if number == 500 { #expect(known.among(content) == [secrets[0]: 0]) }
        }
        #expect(known.add([secrets[999]: 1]) == [:])
        #expect(known.among(content) == [secrets[0]: 0, secrets[999]: 999])
    }

    @Test("a secret is found at any position of a text, but not if its first or last byte is missing")
    func places() {
        let secret = "0123456789abcdefghijk"
        for count in 0..<20 {
            let text = String(repeating: "0", count: count)
            #expect(Self.among([secret], in: [text + secret + text]) == [secret])
            #expect(Self.among([secret], in: [text + secret.dropLast()]) == [])
            #expect(Self.among([secret], in: [secret.dropFirst() + text]) == [])
        }
    }

    private static func among(_ secrets: Set<String>, in texts: [String], and bytes: [Data] = []) -> Set<String> {
        var known = KnownSecrets(secrets.reduce(into: [:]) { $0[$1] = 1 })
        let content = TextContent(texts: texts.map { Array($0.utf8) }, bytes: bytes.map { Array($0) })
        return Set(known.among(content).keys)
    }
}
