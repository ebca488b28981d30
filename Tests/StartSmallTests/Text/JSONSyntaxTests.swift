import Foundation
import Testing

@testable import StartSmall

struct JSONSyntaxTests {
    private func offset(_ text: String) -> Int? {
        JSONSyntax.offsetOfError(in: Data(text.utf8))
    }

    @Test(
        "what is JSON has no error",
        arguments: [
            "{}", "[]", " [ ] ", "0", "-0", "-1.5e+10", "1E5", "10", "\"\"", #""\"\\\/\b\f\n\r\t\u00e9""#, "true",
            "false",
            "null", #"{"a":[1,{"b":null}],"c":"é"}"#, "\u{FEFF}{}", "\t\r\n 1 \n", "[[],{}]",
        ]
    )
    func json(_ text: String) {
        #expect(offset(text) == nil)
    }

    @Test(
        "the first byte that can't stand where it does, or the end",
        arguments: [
            ("", 0), (" ", 1), ("{", 1), ("[1,", 3), ("[1,]", 3), ("[1 2]", 3), (#"{"a":1,}"#, 7), (#"{"a" 1}"#, 5),
            ("{1:2}", 1), (#"{"a":}"#, 5), ("{]", 1), ("[}", 1), ("]", 0), ("{} x", 3), ("<html>", 0), ("01", 1),
            ("-", 1), ("1.", 2), ("1e", 2), ("1e+", 3), (".5", 0), ("+1", 0), ("tru", 3), ("truE", 3), ("nil", 1),
            (#""a"#, 2), ("\"a\n\"", 2), (#""\x""#, 2), (#""\u12g4""#, 5), (#""\u12"#, 5), (#"{"a":1 "b":2}"#, 7),
            ("'a'", 0), ("[1,\n x]", 5), ("\u{0}", 0), ("é", 0), ("[NaN]", 1), ("// a", 0), (#"{"a":1}}"#, 7),
        ]
    )
    func broken(_ text: String, _ expected: Int) {
        #expect(offset(text) == expected)
    }

    @Test("Foundation and this agree on what is JSON, for all texts of the marks that mean something")
    func agreement() {
        for text in Hostile.texts(of: [
            "{", "}", "[", "]", ",", ":", "\"", "1", "0", "-", "true", "\"a\"", " ", ".", "e",
        ]) {
            let isRead = (try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))) != nil
            #expect(isRead == (offset(text) == nil), "\(text)")
        }
    }

    @Test(
        "anything is read in linear time, however deep",
        arguments: ["[", "{\"a\":", "\\", "1", "[1,", " "]
    )
    func hostile(_ pattern: String) {
        Hostile.expectLinear(pattern) { text in
            _ = offset(text)
            _ = offset("\"" + text)
        }
    }
}
