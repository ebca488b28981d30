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
        arguments: ["--x\r\nhello", "--", "--x", "--\r\nContent-Disposition: form-data", "--x\nContent-Disposition: a"]
    )
    func noForm(_ text: String) {
        #expect(Redaction.standard.hiding(payload: Data(text.utf8), mediaType: nil) == Data(text.utf8))
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
