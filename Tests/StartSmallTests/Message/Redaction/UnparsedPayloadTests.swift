import Foundation
@testable import StartSmall
import Testing

/// Payloads that are not what their media type says.
struct UnparsedPayloadTests {
    private static let form =
        "--x1\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nStart small\r\n"
        + "--x1\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n--x1--\r\n"

    private static func shown(_ text: String, _ type: MediaType?, limit: Int = .max) -> String {
        Redaction.standard.shown(payload: Data(text.utf8), mediaType: type, limit: limit)
    }

    @Test(
        "a form loses its secret parts, whatever its media type is, and wherever a log cuts it",
        arguments: [nil, MediaType.octetStream, .text, .json, .form, "application/x"]
    )
    func formOfAnotherType(_ type: MediaType?) {
        let hidden = Redaction.standard.hiding(payload: Data(Self.form.utf8), mediaType: type)
        #expect(String(decoding: hidden, as: UTF8.self) == Self.form.replacing("hunter2", with: "<redacted>"))
        #expect(Redaction.none.hiding(payload: Data(Self.form.utf8), mediaType: type) == Data(Self.form.utf8))
        for limit in 0...Self.form.utf8.count { #expect(!Self.shown(Self.form, type, limit: limit).contains("hunt")) }
        let payload = Payload(.data(Data(Self.form.utf8)), mediaType: type)
        let command = Input(url: Fixture.url, methodAndPayload: .post(payload: payload)).curlCommand()
        #expect(!command.contains("hunter2"))
    }

    @Test(
        "a text that only begins like a form is shown",
        arguments: ["--x\r\nhello", "--", "--x", "--\r\nContent-Disposition: form-data", "--x Content-Disposition: a"]
    )
    func noForm(_ text: String) {
        #expect(Redaction.standard.hiding(payload: Data(text.utf8), mediaType: nil) == Data(text.utf8))
    }

    @Test(
        "a form with a text before it, or with other line ends, is hidden as a whole or by its parts",
        arguments: ["\r\n" + form, "for old readers\r\n" + form, form.replacing("\r\n", with: "\n"), "\n\n" + form]
    )
    func otherForms(_ text: String) {
        for type in [nil, MediaType.octetStream, .text, .json, .form, "multipart/form-data; boundary=x1"] {
            #expect(!Self.shown(text, type).contains("hunter2"))
            let hidden = Redaction.standard.hiding(payload: Data(text.utf8), mediaType: type)
            #expect(!String(decoding: hidden, as: UTF8.self).contains("hunter2"))
        }
    }

    @Test(
        "a text that only begins like JSON loses its secrets, whatever its media type is",
        arguments: [
            "[INFO] login password=hunter2", "[WARN] GET /a?access_token=hunter2 failed", "{user=x, password=hunter2}",
            "[password=hunter2]", "[<password>hunter2</password>]",
            "[a]=1&password=hunter2", "{a}=1&pass%77ord=hunter2",
        ]
    )
    func onlyBeginsLikeJSON(_ text: String) {
        for type in [nil, MediaType.text, .json, .form] where !text.contains("%") || type == .form {
            #expect(!Self.shown(text, type).contains("hunter2"), "\(type as Any)")
        }
    }

    @Test(
        "JSON that is sent as a form loses its secrets of each kind",
        arguments: [
            #"{"otp":123456,"pin":"123456"}"#, #"{"otp":1,"password":["123456"]}"#,
            #" {"password":{"value":"123456"}}"#, #"[{"tokens":["123456"]}]"#, #"{"a":"x=1&password=123456"}"#,
        ]
    )
    func jsonAsForm(_ text: String) {
        #expect(!Self.shown(text, .form).contains("123456"))
        #expect(Self.shown(#"{"a":123456}"#, .form) == #"{"a":123456}"#)
    }

    @Test(
        "JSON with names in single quotes, or in none, is not shown if it may contain a secret",
        arguments: [
            "{'password': 'hunter2'}", "{'password':'hunter2','a':1}", "{'a': {'password': ['hunter2']}}",
            "{password: 'hunter2'}", "{password: \"hunter2\"}", "{ password : hunter2 }", "[{'token':hunter2}]",
            "{\"a\": 1, 'token': \"hunter2\"}",
        ]
    )
    func singleQuotes(_ text: String) {
        for limit in [Int.max, text.utf8.count - 1] {
            #expect(Self.shown(text, .json, limit: limit).hasPrefix("<redacted>"))
        }
        let hidden = Redaction.standard.keepingKinds.hiding(payload: Data(text.utf8), mediaType: .json)
        #expect(String(decoding: hidden, as: UTF8.self) == "<redacted>")
        #expect(Redaction.none.hiding(payload: Data(text.utf8), mediaType: .json) == Data(text.utf8))
    }

    @Test("JavaScript and Python of no media type lose their quoted secrets")
    func undeclared() {
        #expect(Self.shown("{'password': 'hunter2', 'a': 1}", nil) == "{'password': '<redacted>', 'a': 1}")
        #expect(Self.shown("{password: \"hunter2\"}", nil) == "{password: \"<redacted>\"}")
        #expect(!Self.shown("[info] login token=hunter2 at 12:30", nil).contains("hunter2"))
    }

    @Test(
        "JSON is shown without its secrets, also several values, a part, and a text with an apostrophe",
        arguments: [
            #"{"a":"it's","token":"hunter2"}"#, #"{"a":1}{"token":"hunter2"}"#, "{\"token\":\"hunter2\"}\n{\"a\":1}\n",
            #"[{"a" : 1, "token" : "hunter2"#, ")]}',\n{\"token\":\"hunter2\"}",
        ]
    )
    func json(_ text: String) {
        let shown = Self.shown(text, .json)
        #expect(!shown.contains("hunter2") && shown.contains("token") && shown.contains("<redacted>"))
    }

    @Test("JSON of another language without any secret name is shown")
    func harmless() {
        #expect(Self.shown("{'name': 'x', b: 1}", .json) == "{'name': 'x', b: 1}")
    }
}
