import Foundation
import Testing

@testable import StartSmall

/// Redacted JSON that still has to be decodable.
struct JSONKindsTests {
    private let redaction = Redaction.standard.sparing.keepingKinds

    private static let texts: [(text: String, expected: String?)] = [
        (#"{"password":"hunter2","a":1}"#, #"{"password":"<redacted>","a":1}"#),
        (#"{"password":"","token":null,"secret":false,"pin":true}"#, nil),
        (#"{"pin":1234,"a":2}"#, #"{"pin":0,"a":2}"#), (#"{"pin" : -1.5e3 }"#, #"{"pin" : 0 }"#),
        (
            #"{"tokens":["a",7,null,"",[true,"b"]],"c":3}"#,
            #"{"tokens":["<redacted>",0,null,"",[true,"<redacted>"]],"c":3}"#
        ),
        (
            #"{"session":{"id":"a","n":7,"on":true,"deep":{"x":["y"]}},"id":"a"}"#,
            #"{"session":{"id":"<redacted>","n":0,"on":true,"deep":{"x":["<redacted>"]}},"id":"a"}"#
        ),
        (
            "{\n  \"secret\" : [\n    \"a\",\n    1\n  ]\n}",
            "{\n  \"secret\" : [\n    \"<redacted>\",\n    0\n  ]\n}"
        ),
        (#"{"body":"{\"pin\":1}"}"#, #"{"body":"{\"pin\":0}"}"#), (#"{"token":{}, "a":"b"}"#, nil),
    ]

    @Test("each hidden value keeps its kind", arguments: texts)
    func kinds(text: String, expected: String?) throws {
        #expect(redaction.hiding(json: text) == expected ?? text)
        #expect((try? JSONSerialization.jsonObject(with: Data(redaction.hiding(json: text).utf8))) != nil)
    }

    private static let ambiguousTexts: [(text: String, expected: String?)] = [
        (#"{"license":{"key":"apache-2.0"},"code":404}"#, nil),
        (#"{"key":"0123456789abcdefghij"}"#, #"{"key":"<redacted>"}"#),
        (#"{"key":["short","0123456789abcdefghij"]}"#, #"{"key":["short","<redacted>"]}"#),
        (#"{"code":123456789012345678901}"#, #"{"code":0}"#),
        (
            #"{"access":{"title":"0123456789abcdefghij","pin":"1"},"b":[1]}"#,
            #"{"access":{"title":"<redacted>","pin":"<redacted>"},"b":[1]}"#
        ),
        (#"{"key":["https://h/?token=a"]}"#, #"{"key":["https://h/?token=<redacted>"]}"#),
        (#"{"nextPageToken":"0123456789abcdefghij"}"#, nil),
        (#"{"usage":{"total_tokens":12,"prompt_tokens_details":{"cached_tokens":3}}}"#, nil),
    ]

    private static let namedTexts: [(text: String, expected: String)] = [
        (
            #"{"sessions":{"9f86d081884c7d659a2f":{"user":"a"},"current":1,"0123456789abcdefghij":2}}"#,
            #"{"sessions":{"<redacted>":{"user":"<redacted>"},"current":0,"<redacted 2>":0}}"#
        ),
        (
            #"{"access":{"ghp_0123456789abcdefghijABCDEF":{"scope":"r"}}}"#,
            #"{"access":{"<redacted>":{"scope":"r"}}}"#
        ),
        (
            #"{"session":{"address2":"a","sha256_fingerprint":"b","aws_secret_access_key":"c"}}"#,
            #"""
            {"session":{"address2":"<redacted>","sha256_fingerprint":"<redacted>",\#
            "aws_secret_access_key":"<redacted>"}}
            """#
        ),
        (
            #"{"completion_tokens_details":{"reasoning_tokens":0,"accepted_prediction_tokens":7}}"#,
            #"{"completion_tokens_details":{"reasoning_tokens":0,"accepted_prediction_tokens":7}}"#
        ),
    ]

    @Test(
        "a member's name may be a secret: below a hidden name, it is replaced if no person would choose it",
        arguments: namedTexts
    )
    func names(text: String, expected: String) {
        #expect(redaction.hiding(json: text) == expected)
        #expect(redaction.hiding(json: expected) == expected)
    }

    @Test("an ambiguous name hides what looks like a secret, in objects too", arguments: ambiguousTexts)
    func ordinary(text: String, expected: String?) {
        #expect(redaction.hiding(json: text) == expected ?? text)
    }

    private static let malformedTexts: [(text: String, expected: String?)] = [
        (#"{"password":hunter2,"a":1}"#, #"{"password":"<redacted>","a":1}"#),
        (#"{"password":12 hunter2}"#, #"{"password":"<redacted>"}"#),
        (#"{"password":true hunter2}"#, #"{"password":"<redacted>"}"#),
        (#"{"password"::"hunter2"}"#, #"{"password":"<redacted>"}"#),
        (#"{"password":}"#, nil), (#"{"password":"#, nil), (#"{"password":]"#, nil), (#"{"password":,"a":1}"#, nil),
        (#"{"key":[:x,"a"]}"#, nil),
    ]

    @Test("invalid JSON is redacted like other text", arguments: malformedTexts)
    func malformed(text: String, expected: String?) {
        #expect(redaction.hiding(json: text) == expected ?? text)
    }

    @Test(
        "no part of a secret is shown, wherever a text is cut off",
        arguments: [
            #"{"a":1,"password":"hunter2","b":2}"#, #"{"secret":{"x":["hunter2"]}}"#,
            #"{"body":"{\"password\":\"hunter2\"}","b":1}"#, #"{"pin":"hunter2"}"#,
        ]
    )
    func cut(text: String) {
        for end in text.indices {
            #expect(!redaction.hiding(json: String(text[..<end])).contains("hun"))
        }
    }

    @Test("redacting a redacted text changes nothing")
    func again() {
        let text = #"{"pin":1,"secret":["a",{"b":"c"}],"key":"0123456789abcdefghij"}"#
        let once = redaction.hiding(json: text)
        #expect(redaction.hiding(json: once) == once)
    }

    @Test(
        "a text crafted to be slow is redacted in linear time",
        arguments: ["[", "{", "x[", "x {", "\"a\":", "\"token\":[", "\"key\":[", "\"", ":", "\\", "]"]
    )
    func hostile(piece: String) {
        for start in [#"{"token":"#, #"{"key":["#] {
            Hostile.expectLinear(piece) { text in #expect(!redaction.hiding(json: start + text).isEmpty) }
        }
    }
}
