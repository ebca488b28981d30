import Foundation
import StartSmall
import Testing

@testable import StartSmallTool

struct JSONFormatterTests {
    private func indented(_ text: String) -> String? {
        JSONFormatter.format(Data(text.utf8), isIndented: true).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("each member and element has a line; numbers, texts and the order are unchanged")
    func indentation() {
        let text = #" {"b":1.50E+2 , "a":[ true,{},[ ],"\u00e9\/" ],"a":null}"#
        let expected = """
            {
              "b": 1.50E+2,
              "a": [
                true,
                {},
                [],
                "\\u00e9\\/"
              ],
              "a": null
            }
            """
        #expect(indented(text) == expected)
    }

    @Test("control characters are replaced by equivalent JSON escapes")
    func control() {
        #expect(indented("\"\u{9B}31m\u{202E}\u{E0001}\"") == #""\u009b31m\u202e\udb40\udc01""#)
    }

    @Test(
        "invalid JSON is not formatted",
        arguments: [
            "", " ", "{", "[1,]", "[1 2]", "{\"a\"}", "{\"a\":}", "{a:1}", "01", "1.", ".5", "-", "1e", "+1", "nul",
            "NaN", "\"", "\"\\x\"", "\"\\u12\"", "\"\u{1B}\"", "\"\n\"", "1 2", "[]]", "{\"a\":1,}", "'a'", "\u{FEFF}1",
        ]
    )
    func invalid(_ text: String) {
        #expect(indented(text) == nil)
    }

    @Test("invalid UTF-8 is not formatted")
    func bytes() {
        #expect(JSONFormatter.format(Data([0x22, 0xFF, 0x22])) == nil)
    }

    @Test("no prefix of a document is formatted, and none crashes the formatter")
    func cut() {
        let text = #"{"a":[1,{"b":"\u00e9 ü"}],"c":{}}"#
        for count in 0..<text.utf8.count { #expect(JSONFormatter.format(Data(text.utf8.prefix(count))) == nil) }
        #expect(JSONFormatter.format(Data(text.utf8)) == Data(text.utf8))
    }

    @Test("JSON is formatted up to the maximum depth of the kit's JSON values")
    func depth() {
        let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        #expect(indented(nested(JSONValue.maximumDepth)) != nil)
        #expect(indented(nested(JSONValue.maximumDepth + 1)) == nil)
        #expect(indented(String(repeating: "[", count: 1_000_000)) == nil)
    }
}
