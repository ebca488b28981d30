import Testing

@testable import StartSmall

struct LatinTextTests {
    @Test(
        "bytes of UTF-8 that were decoded as ISO-8859-1 become the original text",
        arguments: ["é", "あ", "naïve – 😀", "a\u{301}", "\u{80}"]
    )
    func repaired(text: String) {
        let decoded = String(String.UnicodeScalarView(text.utf8.map { Unicode.Scalar($0) }))
        #expect(Array(LatinText.repaired(decoded).utf8) == Array(text.utf8))
    }

    @Test(
        "other texts stay unchanged: ASCII, ISO-8859-1 that is not UTF-8, and text decoded otherwise",
        arguments: ["", "text/html; charset=utf-8", "caf\u{E9}", "\u{FF}", "Ã\u{A9}あ", "あ"]
    )
    func unchanged(text: String) {
        #expect(Array(LatinText.repaired(text).utf8) == Array(text.utf8))
    }
}
