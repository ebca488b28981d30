@testable import StartSmall
import Testing

struct OneLineTests {
    @Test(
        "line breaks and control characters become escapes",
        arguments: [
            ("a\r\nb", #"a\r\nb"#), ("\0", #"\0"#), ("\u{1B}[31m", #"\u{1B}[31m"#), ("\u{85}", #"\u{0085}"#),
            ("a\u{2028}b\u{2029}", #"a\u{2028}b\u{2029}"#), ("\t", #"\t"#),
        ]
    )
    func controls(_ text: String, _ shown: String) {
        #expect(text.onOneLine == shown)
    }

    @Test("everything else stays", arguments: ["", "a \"b\" \\ 'c'", "日本 👩‍🚀 é e\u{301}"])
    func others(_ text: String) {
        #expect(Array(text.onOneLine.utf8) == Array(text.utf8))
    }
}
