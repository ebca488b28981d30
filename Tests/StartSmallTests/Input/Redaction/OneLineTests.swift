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

    @Test("an escape is shown for all scalars that Unicode says are controls or end a line, and for no others")
    func all() {
        for scalar in (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init) {
            let isEscaped = String(scalar).onOneLine.utf8.first == UInt8(ascii: "\\") && scalar != "\\"
            let category = scalar.properties.generalCategory
            let breaksLines = [.control, .lineSeparator, .paragraphSeparator].contains(category)
            if isEscaped != breaksLines { Issue.record("U+\(String(scalar.value, radix: 16))") }
        }
    }
}
