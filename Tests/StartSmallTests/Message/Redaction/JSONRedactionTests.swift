import Foundation
import Testing

@testable import StartSmall

struct JSONRedactionTests {
    @Test(
        "any value of a secret name is replaced, and everything else stays",
        arguments: [
            (#"{"password":"hunter2","a":1}"#, #"{"password":"<redacted>","a":1}"#),
            (#"{"a":1, "access_token" : "hunter2" }"#, #"{"a":1, "access_token" : "<redacted>" }"#),
            (#"{"pin":123456}"#, #"{"pin":"<redacted>"}"#),
            (#"{"pin":123456,"a":2}"#, #"{"pin":"<redacted>","a":2}"#),
            (#"{"token":null}"#, #"{"token":"<redacted>"}"#),
            (#"{"secret":{"a":"hunter2","b":["}"]},"c":3}"#, #"{"secret":"<redacted>","c":3}"#),
            (#"{"tokens":["hunter2","hun]ter"],"c":3}"#, #"{"tokens":"<redacted>","c":3}"#),
            (#"{"a":{"b":[{"password":"hunter2"}]}}"#, #"{"a":{"b":[{"password":"<redacted>"}]}}"#),
            (#"{"password":"hun\"ter2","a":"\""}"#, #"{"password":"<redacted>","a":"\""}"#),
            (#"{"p\u0061ssword":"hunter2"}"#, #"{"p\u0061ssword":"<redacted>"}"#),
            (#"{"PASS-word":"hunter2"}"#, #"{"PASS-word":"<redacted>"}"#),
            (
                "{\n  \"password\" :\n    \"hunter2\",\n  \"a\": 1\n}",
                "{\n  \"password\" :\n\"<redacted>\",\n  \"a\": 1\n}"
            ),
            ("{\"password\":1}\n{\"password\":2}", "{\"password\":\"<redacted>\"}\n{\"password\":\"<redacted>\"}"),
        ]
    )
    func hidden(_ text: String, _ expected: String) {
        let shown = Redaction.standard.hiding(json: text)
        #expect(shown.filter { $0 != " " } == expected.filter { $0 != " " })
        #expect(Redaction.none.hiding(json: text) == text)
    }

    @Test(
        "a text without secrets stays the same, byte by byte",
        arguments: [
            #"{"a":"password","b":["token"],"c":"x:y"}"#, #"["password","hunter2"]"#, "{}", "", "null", "\"", #"{"a"#,
            #"{"name":"é👩‍🚀\u00e9\/"}"#, "{ \"a\" : [ 1 , 2 ] }\r\n", "not json", "a \"b\" c",
            #"{"url":"https://h/?page=2"}"#,
            #"{"a":"\q"}"#, "}]", "\\",
        ]
    )
    func shown(_ text: String) {
        #expect(Redaction.standard.hiding(json: text) == text)
    }

    @Test(
        "no part of a secret is shown, wherever a text is cut off",
        arguments: [
            #"{"a":1,"password":"hunter2","b":2}"#, #"{"secret":{"x":["hunter2"]}}"#,
            #"{"body":"{\"password\":\"hunter2\"}","b":1}"#,
            #"{"next":"https://h/?token=hunter2"}"#,
        ]
    )
    func cut(_ text: String) {
        for end in text.indices {
            #expect(!Redaction.standard.hiding(json: String(text[..<end])).contains("hun"))
        }
        #expect(!Redaction.standard.hiding(json: text).contains("hun"))
    }

    @Test("URLs and JSON inside of strings are redacted, and the text stays valid JSON")
    func inside() throws {
        let text = #"{"u":"https:\/\/u:hunter2@h\/","body":"{\"password\":\"hunter2\",\"a\":1}"}"#
        let shown = Redaction.standard.hiding(json: text)
        let value = try JSONDecoder().decode([String: String].self, from: Data(shown.utf8))
        #expect(value == ["u": "https://<redacted>@h/", "body": #"{"password":"<redacted>","a":1}"#])
    }

    @Test("folding turns white space between values into one space, and keeps white space in strings")
    func folded() {
        let text = "{\n  \"a\" : \"x  y\",\r\n\t\"b\":1 }"
        #expect(Redaction.standard.hiding(json: text, folding: true) == "{ \"a\" : \"x  y\", \"b\":1 }")
    }

    @Test(
        "a text crafted to be slow is redacted in linear time",
        arguments: [
            "[", "{", "\"", "\\", "\"a\":", "\"token\":", "\"token\":[", "\"\\\"", "{\"a\":\"{\\\"", "\\u", "]",
        ]
    )
    func hostile(_ piece: String) {
        Hostile.expectLinear(piece) { text in
            let text = text + "\n\",\"token\":\"hunter2\"" + #","password":"hunter2"}"#
            #expect(!Redaction.standard.hiding(json: text).isEmpty)
        }
    }
}
