@testable import StartSmallSupport
import TestSupport
import Testing

struct LineEscapingTests {
    @Test(
        "line breaks, control characters and format characters become escapes",
        arguments: [
            ("a\r\nb", #"a\r\nb"#), ("\0", #"\0"#), ("\u{1B}[31m", #"\u{1B}[31m"#), ("\u{85}", #"\u{0085}"#),
            ("a\u{2028}b\u{2029}", #"a\u{2028}b\u{2029}"#), ("\t", #"\t"#),
            ("a\u{202E}b\u{2066}", #"a\u{202E}b\u{2066}"#), ("a\u{200B}\u{FEFF}", #"a\u{200B}\u{FEFF}"#),
            ("a \"b\" \\ 'c' 日本 👩‍🚀 e\u{301}", "a \"b\" \\ 'c' 日本 👩‍🚀 e\u{301}"),
        ]
    )
    func controls(_ text: String, _ shown: String) {
        #expect(text.onOneLine == shown)
    }

    @Test("every scalar that Unicode defines as control, format or line separator is escaped, and no other")
    func all() {
        for scalar in (UInt32(0)...(isExhaustive ? 0x10FFFF : 0x3000)).compactMap(Unicode.Scalar.init) {
            let isEscaped = String(scalar).onOneLine.utf8.first == UInt8(ascii: "\\") && scalar != "\\"
            let category = scalar.properties.generalCategory
            let breaksLines = [.control, .lineSeparator, .paragraphSeparator].contains(category)
            // Format characters of writing systems have a shape, or join letters and emoji.
            let isOfText = [0x200C, 0x200D].contains(scalar.value) || Self.shaped.contains(scalar.value)
            let isUnassigned = scalar.value == 0x2065
            if isEscaped != (breaksLines || category == .format && !isOfText || isUnassigned) {
                Issue.record("U+\(String(scalar.value, radix: 16))")
            }
        }
    }

    /// Signs of Arabic, Syriac, Kaithi and Egyptian that are visible format characters.
    private static let shaped = Set<UInt32>(
        Array(0x600...0x605) + [0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD] + Array(0x13430...0x1343F)
    )
}
