import Foundation
import StartSmall
import Testing

@testable import StartSmallTesting

/// Secrets that an index finds in texts and bytes; ``BloomFilterTests`` asks the same of a sketch.
@Suite struct SecretIndexTests {
    @Test(
        "a secret that stands in a text may be there, however it is written",
        arguments: [
            "pass word", "say: pass word", #"pass\u0020word"#, "pass+word", "pass%20word", #"p\u0061ss%20word"#,
        ]
    )
    func holds(text: String) {
        #expect(Self.among(["pass word"], in: ["other", text]) == ["pass word"])
    }

    @Test("of a thousand secrets that stand nowhere, hardly one is taken for one that might")
    func few() {
        let text = (0..<1_000).map { "\($0 &* 2_654_435_761) some words;" }.joined()
        let secrets = Set((0..<1_000).map { "secret-\($0)-of-many" })
        #expect(Self.among(secrets, in: [text]).count < 10)
        #expect(Self.among(secrets, in: []) == [])
    }

    @Test(
        "a secret that stands in bytes may be there, in whichever encoding Foundation writes",
        arguments: Charset.encodings.filter { Charset.data("pass word", in: $0) != nil }
    )
    func bytes(encoding: String.Encoding) throws {
        let bytes = try Data([0xFF, 0, 1]) + #require(Charset.data("pass word", in: encoding)) + Data([0xFE, 0])
        #expect(Self.among(["pass word"], in: ["other"], and: [bytes]) == ["pass word"])
    }

    @Test("of a thousand secrets that stand in no bytes, hardly one is taken for one that might")
    func fewInBytes() {
        var numbers = SplitMix64(seed: 1)
        let bytes = Data((0..<100_000).map { _ in UInt8(truncatingIfNeeded: numbers.next()) })
        let secrets = Set((0..<1_000).map { "secret-\($0)-of-many" })
        #expect(Self.among(secrets, in: [], and: [bytes]).count < 10)
    }

    @Test("what has less than eight bytes in an encoding may stand in any bytes, and in no other text")
    func shortForms() {
        let secrets: Set = ["ääää"]
        #expect(Self.among(secrets, in: [], and: [Data([1])]) == ["ääää"])
        #expect(Self.among(secrets, in: ["other"]) == [])
    }

    @Test("a text of as many bytes as a secret, or of fewer")
    func short() {
        #expect(Self.among(["pass wor"], in: ["pass wor", "pass word"]) == ["pass wor"])
        #expect(Self.among(["pass wor"], in: ["pass wo"]) == [])
    }

    @Test("secrets that begin with the same bytes are told apart")
    func sameBeginning() {
        let secrets = Set((0..<1_000).map { "the same beginning of all \($0) and its end" })
        let one = "the same beginning of all 7 and its end"
        #expect(Self.among(secrets, in: ["say: \(one)"]) == [one])
    }

    @Test("secrets that come one after the other are found, and so are those that were there before")
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

    @Test("a secret that stands at any place of a text is found, be it cut anywhere")
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
