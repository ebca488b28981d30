import StartSmall
import Testing

@testable import StartSmallTesting

@Suite struct TextSketchTests {
    @Test(
        "a secret that stands in a text may be there, however it is written",
        arguments: [
            "pass word", "say: pass word", #"pass\u0020word"#, "pass+word", "pass%20word", #"p\u0061ss%20word"#,
        ]
    )
    func holds(text: String) {
        #expect(TextSketch(of: ["other", text]).among(["pass word"]) == ["pass word"])
    }

    @Test("of a thousand secrets that stand nowhere, hardly one is taken for one that might")
    func few() {
        let text = (0..<1_000).map { "\($0 &* 2_654_435_761) some words;" }.joined()
        let secrets = Set((0..<1_000).map { "secret-\($0)-of-many" })
        #expect(TextSketch(of: [text]).among(secrets).count < 10)
        #expect(TextSketch(of: []).among(secrets) == [])
    }

    @Test("of what is no text, all may be there")
    func bytes() {
        #expect(TextSketch(of: [], isWhole: false).among(["pass word"]) == ["pass word"])
    }

    @Test("a text of as many bytes as a secret, or of fewer")
    func short() {
        #expect(TextSketch(of: ["pass wor", "pass word"]).among(["pass wor"]) == ["pass wor"])
        #expect(TextSketch(of: ["pass wo"]).among(["pass wor"]) == [])
    }
}
