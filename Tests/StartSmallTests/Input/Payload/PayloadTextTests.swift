import Foundation
import Testing

@testable import StartSmall

struct PayloadTextTests {
    private func shown(_ text: String, _ type: MediaType? = nil, limit: Int = 1_000) -> String {
        Redaction.standard.shown(payload: Data(text.utf8), mediaType: type, limit: limit)
    }

    @Test("a text is shown as it is, on one line")
    func text() {
        #expect(shown("Design for failure.") == "Design for failure.")
        #expect(shown("a\r\nb\tc") == #"a\r\nb\tc"#)
        #expect(shown("").isEmpty)
    }

    @Test("JSON is known by its type or its beginning, and what is secret in it is hidden")
    func json() {
        #expect(shown("{\n  \"password\": \"hunter2\"\n}") == #"{ "password": "<redacted>" }"#)
        #expect(shown(" [{\"token\":1}]") == #" [{"token":"<redacted>"}]"#)
        #expect(shown("\"x\" \"token\": 1", "application/problem+json") == #""x" "token": "<redacted>""#)
    }

    @Test(
        "a form hides the values of secret names, the first one too, however its type is written",
        arguments: [
            MediaType.form, "application/x-www-form-urlencoded; charset=utf-8",
            "application/x-www-form-urlencoded ; charset=utf-8", "application/x-www-form-urlencoded\t",
            " Application/X-WWW-Form-URLEncoded;", "application/x-www-form-urlencoded; charset",
            "application/x-www-form-urlencoded, text/plain",
        ]
    )
    func form(_ type: MediaType) {
        // With a blank in the first name, no text of unknown type is a form.
        let text = "the password=hunter2&a=1&client_secret=hunter2"
        #expect(shown(text, type) == "the password=<redacted>&a=1&client_secret=<redacted>")
    }

    @Test(
        "a text of unknown type that begins as a form does is read as one",
        arguments: [nil, MediaType.octetStream, .text]
    )
    func formOfUnknownType(_ type: MediaType?) {
        #expect(shown("password=hunter2&a=1", type) == "password=<redacted>&a=1")
        #expect(shown("user%5Bpwd%5D=hunter2", type) == "user%5Bpwd%5D=<redacted>")
        #expect(shown(#"data={"token":"hunter2"}"#, type) == #"data={"token":"<redacted>"}"#)
        #expect(shown("is x=1?", type) == "is x=1?")
    }

    @Test("URLs in any text lose their credentials")
    func urls() {
        #expect(shown("see https://u:hunter2@h/?token=hunter2") == "see https://<redacted>@h/?token=<redacted>")
    }

    @Test("JSON in a line is found whatever stands in other lines, and however they end", arguments: ["\n", "\r\n"])
    func lines(end: String) {
        let text = ["data: say \"", #"data: {"password":"hunter2"}"#, #"data: {"pin":1}"#].joined(separator: end)
        let hidden = Redaction.standard.hiding(payload: Data(text.utf8), mediaType: "text/event-stream")
        let expected = ["data: say \"", #"data: {"password":"<redacted>"}"#, #"data: {"pin":"<redacted>"}"#]
        #expect(String(decoding: hidden, as: UTF8.self) == expected.joined(separator: end))
    }

    @Test(
        "what is no UTF-8, or holds control characters, is a number of bytes",
        arguments: [[0xFF], [0x61, 0], [0x1B], [0x7F]]
    )
    func binary(_ bytes: [UInt8]) {
        let text = Redaction.none.shown(payload: Data(bytes), mediaType: .text, limit: 100)
        #expect(text == "\(bytes.count) bytes that are no text")
    }

    @Test("a long payload is cut between characters, and says how many bytes there are more")
    func cut() {
        #expect(shown("abcdef", limit: 4) == "abcd… and 2 more bytes")
        #expect(shown("abcdef", limit: 6) == "abcdef")
        for limit in 0...8 {
            #expect(shown("👩👩", limit: limit).contains("\u{FFFD}") == false)
            #expect(shown("👩👩", limit: limit).contains("no text") == false)
        }
        #expect(shown("👩👩", limit: 7) == "👩… and 4 more bytes")
        #expect(shown("abc", limit: -1) == "… and 3 more bytes")
    }

    @Test(
        "no part of a secret is shown, wherever a payload is cut",
        arguments: [
            #"{"password":"hunter2","u":"https:\/\/u:hunter2@h\/"}"#, "see https://u:hunter2@h/ and //hunter2@h",
            "https://h/?token=hunter2", #"["https://u:hunter2@h/"]"#, "https://\u{301}u:hunter2@h/",
        ]
    )
    func cutSecrets(_ text: String) {
        for limit in 0...text.utf8.count { #expect(!shown(text, limit: limit).contains("hun")) }
    }

    @Test("an incomplete character at the end of the whole is no text")
    func incomplete() {
        let text = Redaction.none.shown(payload: Data("a👩".utf8.dropLast()), mediaType: .text, limit: 100)
        #expect(text == "4 bytes that are no text")
    }

    @Test("a payload that hides nothing is the same bytes", arguments: ["{\"a\":\n 1}", "x=1&y", "\u{1B}", "é"])
    func unchanged(_ text: String) {
        for type in [nil, MediaType.json, .form] {
            #expect(Redaction.standard.hiding(payload: Data(text.utf8), mediaType: type) == Data(text.utf8))
        }
    }
}
