import Foundation
import Testing

import StartSmallDiagnostics
@testable import StartSmallCore

struct JSONRedactionTests {
    private let redaction = Redaction.standard

    private func shown(_ text: some StringProtocol, isCut: Bool = false) -> String {
        let payload = Data(text.utf8) + Data(isCut ? [0xFF] : [])
        return redaction.shown(payload: payload, mediaType: .json, limit: text.utf8.count)
    }

    @Test(
        "each value of a sensitive name is replaced, at any depth, and everything else stays",
        arguments: [
            (#"{"password":"hunter2","a":1}"#, #"{"password":"<redacted>","a":1}"#),
            (#"{"a":1, "access_token" : "hunter2" }"#, #"{"a":1, "access_token" : "<redacted>" }"#),
            (#"{"pin":123456}"#, #"{"pin":"<redacted>"}"#), (#"{"pin":-1.5e3,"a":2}"#, #"{"pin":"<redacted>","a":2}"#),
            (#"{"token":null,"secret":"","pin":true}"#, #"{"token":null,"secret":"","pin":true}"#),
            (
                #"{"secret":{"hunter2":"hunter2","b":["}",1]},"c":3}"#,
                #"{"secret":{"<redacted>":"<redacted>","<redacted>":["<redacted>","<redacted>"]},"c":3}"#
            ),
            (#"{"tokens":["hunter2",[],{}],"c":3}"#, #"{"tokens":["<redacted>",[],{}],"c":3}"#),
            (#"{"a":{"b":[{"password":"hunter2"}]}}"#, #"{"a":{"b":[{"password":"<redacted>"}]}}"#),
            (#"{"password":"hun\"ter2","a":"\""}"#, #"{"password":"<redacted>","a":"\""}"#),
            (#"{"p\u0061ssword":"hunter2"}"#, #"{"p\u0061ssword":"<redacted>"}"#),
            (
                #"{"PASS-word":"hunter2","pass word":"hunter2"}"#,
                #"{"PASS-word":"<redacted>","pass word":"<redacted>"}"#
            ),
            (#"{"token":"a","token":"hunter2"}"#, #"{"token":"<redacted>","token":"<redacted>"}"#),
            ("{\n  \"password\" :\n    \"hunter2\"\n}", "{\n  \"password\" :\n    \"<redacted>\"\n}"),
            ("{\"password\":1}\n{\"password\":2}", "{\"password\":\"<redacted>\"}\n{\"password\":\"<redacted>\"}"),
        ]
    )
    func hidden(_ text: String, _ expected: String) {
        #expect(redaction.hiding(json: text) == expected)
        #expect(redaction.hiding(json: expected) == expected)
        #expect(Redaction.none.hiding(json: text) == text)
    }

    @Test(
        "JSON without secrets stays the same, byte by byte",
        arguments: [
            #"{"a":"password","b":["token"],"c":"x:y"}"#, #"["password","hunter2"]"#, "{}", "null", "1 2 true",
            #"{"name":"é👩‍🚀\u00e9\/"}"#, "{ \"a\" : [ 1 , 2 ] }\r\n", #"{"url":"https://h/?page=2"}"#,
            #"{"usage":{"total_tokens":12,"prompt_tokens_details":{"cached_tokens":3}},"nextPageToken":"abc"}"#,
        ]
    )
    func same(_ text: String) {
        #expect(redaction.hiding(json: text) == text)
    }

    @Test(
        "a string or name in JSON is read as JSON or as a text: URLs, JSON and forms in it show no secret",
        arguments: [
            (#"{"u":"https:\/\/u:hunter2@h\/"}"#, #"{"u":"https://<redacted>@h/"}"#),
            (#"{"u":"https://h/?token=hunter2&a=1"}"#, #"{"u":"https://h/?token=<redacted>&a=1"}"#),
            (
                #"{"body":"{\"password\":\"hunter2\",\"a\":1}"}"#,
                #"{"body":"{\"password\":\"<redacted>\",\"a\":1}"}"#
            ),
            (#"{"body":"{\"p\\u0061ssword\":\"hunter2\"}"}"#, #"{"body":"{\"p\\u0061ssword\":\"<redacted>\"}"}"#),
            (#"{"body":"{'password':'hunter2'}"}"#, #"{"body":"{'password':<redacted>"}"#),
            (#"{"body":"a=1&password=hunter2"}"#, #"{"body":"a=1&password=<redacted>"}"#),
            (#"{"https://h/?token=hunter2":1}"#, #"{"https://h/?token=<redacted>":"<redacted>"}"#),
            (#"{"ghp_0123456789abcdefghijABCDEF":1}"#, #"{"<redacted>":1}"#),
        ]
    )
    func inside(_ text: String, _ expected: String) {
        #expect(redaction.hiding(json: text) == expected)
    }

    @Test(
        "no part of a secret is shown, wherever JSON is cut",
        arguments: [
            #"{"a":1,"password":"hunter2","b":2}"#, #"{"secret":{"hunter2":["hunter2",{"hunter2":1}]}}"#,
            #"{"body":"{\"password\":\"hunter2\"}","b":1}"#, #"{"next":"https://h/?token=hunter2"}"#,
            #"{"password":"hunter2","u":"https:\/\/u:hunter2@h\/"}"#, #"["https://u:hunter2@h/"]"#,
            #"{"p\u0061ssword":"hunter2"}"#, #"{"pass\"word":"hunter2"}"#, #"{"Pass_Word" : [[["hunter2"]]]}"#,
            #"{"password":"a","password":"hunter2"}"#, #"{"a":"{\"password\":[\"hunter2\"]}"}"#,
            #"{"next":"https://i/?u=https%3A%2F%2Fu%3Ahunter2%40h"}"#, #"{"u":"https://me:p/hunter2@h/"}"#,
            #"{"code":"hunlxlOBeZQQYbYS6WxSbIA","a":1}"#,
        ]
    )
    func cut(_ text: String) {
        for end in text.indices {
            #expect(!shown(text[..<end], isCut: true).contains("hun"), "\(text[..<end])")
            #expect(!shown(text[..<end]).contains("hun"), "\(text[..<end])")
        }
        #expect(!shown(text).contains("hun"))
    }

    @Test(
        "what claims to be JSON, but is not, is not shown",
        arguments: [
            "{'password': 'hunter2'}", "{'password':\n 'hunter2'\n}", "{password: 'hunter2'}",
            "{\"a\": 1, 'token': \"hunter2\"}", "{\"password\":hunter2}", "{\"password\"::\"hunter2\"}",
            "password=hunter2", "<password>hunter2</password>", "{\"a\":1}hunter2", "[1,]", "{\"a\":\"\n\"}",
            ")]}',\n{\"token\":\"hunter2\"}", "{\"a\":\"\\x\"}", "{\"a\":truehunter2}", "{\"a\":1", "\"hunter2",
        ]
    )
    func noJSON(_ text: String) {
        #expect(shown(text) == "\(text.utf8.count) bytes of application/json")
        #expect(redaction.hiding(payload: Data(text.utf8), mediaType: .json) == nil)
        #expect(redaction.hiding(json: text) == "<redacted>")
        #expect(Redaction.none.hiding(payload: Data(text.utf8), mediaType: .json) == Data(text.utf8))
    }

    @Test("folding turns white space between values into one space, and keeps white space in strings")
    func folded() {
        let text = "{\n  \"a\" : \"x  y\",\r\n\t\"b\":1 }"
        #expect(redaction.hiding(json: text, folding: true) == "{ \"a\" : \"x  y\", \"b\":1 }")
    }
}
