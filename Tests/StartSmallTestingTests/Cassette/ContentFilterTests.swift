import Foundation
import StartSmall
import Testing

@testable import StartSmallTesting

@Suite struct ContentFilterTests {
    @Test(
        "a secret that a text contains is found, however it is escaped",
        arguments: [
            "pass word", "say: pass word", #"pass\u0020word"#, "pass+word", "pass%20word", #"p\u0061ss%20word"#,
        ]
    )
    func holds(text: String) {
        #expect(ContentFilter(of: ["other", text]).among(["pass word"]) == ["pass word"])
    }

    @Test("of a thousand secrets that no text contains, fewer than ten are false positives")
    func few() {
        let text = (0..<1_000).map { "\($0 &* 2_654_435_761) some words;" }.joined()
        let secrets = Set((0..<1_000).map { "secret-\($0)-of-many" })
        #expect(ContentFilter(of: [text]).among(secrets).count < 10)
        #expect(ContentFilter(of: []).among(secrets) == [])
    }

    @Test(
        "a secret that bytes contain is found, in every encoding that Foundation writes",
        arguments: Charset.encodings.filter { Charset.data("pass word", in: $0) != nil }
    )
    func bytes(encoding: String.Encoding) throws {
        let bytes = try Data([0xFF, 0, 1]) + #require(Charset.data("pass word", in: encoding)) + Data([0xFE, 0])
        #expect(ContentFilter(of: ["other"], and: [bytes]).among(["pass word"]) == ["pass word"])
    }

    @Test("of a thousand secrets that no bytes contain, fewer than ten are false positives")
    func fewInBytes() {
        var numbers = SplitMix64(seed: 1)
        let bytes = Data((0..<100_000).map { _ in UInt8(truncatingIfNeeded: numbers.next()) })
        let secrets = Set((0..<1_000).map { "secret-\($0)-of-many" })
        #expect(ContentFilter(of: [], and: [bytes]).among(secrets).count < 10)
    }

    @Test("a secret with fewer than eight bytes in an encoding is a candidate for any bytes, but not for another text")
    func shortForms() {
        let secrets: Set = ["ääää"]
        #expect(ContentFilter(of: [], and: [Data([1])]).among(secrets) == ["ääää"])
        #expect(ContentFilter(of: ["other"]).among(secrets) == [])
    }

    @Test("a text as long as the secret can contain it, and a shorter one can't")
    func short() {
        #expect(ContentFilter(of: ["pass wor", "pass word"]).among(["pass wor"]) == ["pass wor"])
        #expect(ContentFilter(of: ["pass wo"]).among(["pass wor"]) == [])
    }
}

extension ContentFilter {
    fileprivate init(of texts: [String], and bytes: [Data] = []) {
        self.init(of: TextContent(texts: texts.map { Array($0.utf8) }, bytes: bytes.map { Array($0) }))
    }

    fileprivate func among(_ secrets: Set<String>) -> Set<String> {
        var known = KnownSecrets(secrets.reduce(into: [:]) { $0[$1] = 1 })
        return Set(known.among(self).keys)
    }
}
