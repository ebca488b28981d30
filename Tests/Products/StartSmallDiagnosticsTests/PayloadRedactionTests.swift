import Foundation
import TestSupport
import Testing

import StartSmall
import StartSmallDiagnostics

struct PayloadRedactionTests {
    private func shown(_ text: String, _ type: MediaType? = .text, limit: Int = .max) -> String {
        Redaction.standard.shown(payload: Data(text.utf8), mediaType: type, limit: limit)
    }

    @Test(
        "JSON is recognized by its type, or without one by its beginning",
        arguments: [
            MediaType.json, nil, .text, .form, "application/problem+json", "application/x-ndjson",
            " Application/JSON ;a",
        ]
    )
    func json(_ type: MediaType?) {
        #expect(shown("{\n  \"password\": \"hunter2\"\n}", type) == #"{ "password": "<redacted>" }"#)
        #expect(shown(" [{\"token\":1}]", type) == #" [{"token":"<redacted>"}]"#)
        #expect(shown("\u{FEFF}{\"token\":1}", type).hasSuffix("{\"token\":\"<redacted>\"}"))
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
        let text = "the password=hunter2&a=1&client_secret=hunter2"
        #expect(shown(text, type) == "the password=<redacted>&a=1&client_secret=<redacted>")
    }

    @Test(
        "a value in a form ends only at &, and is hidden if it contains a secret in decoded form",
        arguments: [
            ("password=hun;ter2&user=me", "password=<redacted>&user=me"),
            ("user=me&password=hun;t=er2?x=#y=1&a&", "user=me&password=<redacted>&a&"),
            ("u=https://h/?token=hunter2&a=1;token=hunter2", "u=<redacted>&a=<redacted>"),
            ("next=https%3A%2F%2Fh%2F%3Ftoken%3Dhunter2", "next=<redacted>"),
            ("next=https%253A%252F%252Fh%252F%253Ftoken%253Dhunter2", "next=<redacted>"),
            ("next=https://u:hunter2@h/", "next=<redacted>"), ("a=the+token+expired", "a=the+token+expired"),
            ("a=password%3A+hunter2", "a=<redacted>"), ("'token'%3Ahunter2=1", "<redacted>"),
            ("pass%77ord=hunter2", "pass%77ord=<redacted>"),
            ("user%5Bpwd%5D=hunter2", "user%5Bpwd%5D=<redacted>"), ("a={'token':'hunter2'}", "a=<redacted>"),
            ("%7B%22token%22%3A%22hunter2%22%7D", "<redacted>"), ("{'token':'hunter=2'}", "<redacted>"),
            ("a=1?b=2#c=3;d", "a=1?b=2#c=3;d"), ("a=5%25&b=x+y", "a=5%25&b=x+y"), ("&&", "&&"), ("", ""),
        ]
    )
    func formValues(_ text: String, _ expected: String) {
        let isLikeJSON = text.hasPrefix("{")
        #expect(shown(text, .form) == (isLikeJSON ? "\(text.utf8.count) bytes of \(MediaType.form)" : expected))
    }

    @Test(
        "any other payload is shown by its type and size, unless nothing is hidden",
        arguments: [
            ("<password>hunter2</password>", "application/xml"),
            ("data: {\"password\":\"hunter2\"}", "text/event-stream"),
            ("--x1\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2", "multipart/form-data"),
            ("mutation { login(password: \"hunter2\") }", "application/graphql"), ("hunter2", "text/html"),
            ("GET /?token=hunter2 HTTP/1.1", "application/http"), ("password: hunter2", "application/yaml"),
        ]
    )
    func others(_ text: String, _ type: String) {
        let mediaType = MediaType(rawValue: "\(type); charset=utf-8; token=hunter2")
        #expect(shown(text, mediaType) == "\(text.utf8.count) bytes of \(type)")
        #expect(shown(text, nil) == "\(text.utf8.count) bytes of an unknown type")
        #expect(Redaction.standard.hiding(payload: Data(text.utf8), mediaType: mediaType) == nil)
        let all = Redaction.none.shown(payload: Data(text.utf8), mediaType: mediaType, limit: .max)
        #expect(all == text.replacing("\r\n", with: #"\r\n"#))
    }

    @Test(
        "a payload of another kind that claims to be a plain text or a form shows no secret, wherever it is cut",
        arguments: [
            "--x1\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n--x1--\r\n",
            "{'password':\n 'hunter2'\n}", "x = {'password':\n 'hunter2'\n}", "x = {'pass\\u0077ord': 'hunter2'}",
            "<a:Token x=\"1\">hunter2</a:Token>", "<password>\nhunter2</password>", "login(password: \"hunter2\")",
            "password:\n  - hunter2", "say 'password'\nhunter2", "data: {\"password\":\"hunter2\"}",
            "[INFO] login password=hunter2",
            "user=x, password=hunter2}", "see https://u:hunter2@h/ and //hunter2@h", "https://h/?token=hunter2",
            "https://\u{301}u:hunter2@h/", "Authorization: Basic hunter2", "{user=x, password=hunter2}",
        ]
    )
    func lies(_ text: String) {
        for type in [MediaType.text, .form, nil] {
            for limit in 0...text.utf8.count { #expect(!shown(text, type, limit: limit).contains("hun")) }
            let input = Input(
                url: Fixture.url,
                methodAndPayload: .post(payload: Payload(.data(Data(text.utf8)), mediaType: type))
            )
            #expect(!input.curlCommand().contains("hunter2"))
        }
    }

    @Test(
        "a payload that is not UTF-8, or contains control characters, is shown by type and size",
        arguments: [[0xFF], [0x61, 0], [0x1B], [0x7F], Array("a👩".utf8.dropLast())]
    )
    func binary(_ bytes: [UInt8]) {
        for redaction in [Redaction.standard, .none] {
            let text = redaction.shown(payload: Data(bytes), mediaType: .text, limit: 100)
            #expect(text == "\(bytes.count) bytes of text/plain")
        }
        #expect(Redaction.standard.hiding(payload: Data(bytes), mediaType: .text) == nil)
        #expect(Redaction.none.hiding(payload: Data(bytes), mediaType: .text) == Data(bytes))
    }

    @Test(
        "a payload in another encoding than UTF-8 is not shown",
        arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .windowsCP1252]
    )
    func encodings(_ encoding: String.Encoding) throws {
        for (text, type) in [(#"{"a":"é","password":"hunter2"}"#, MediaType.json), ("password=hunter2&a=é", .form)] {
            let payload = try #require(text.data(using: encoding))
            #expect(Redaction.standard.hiding(payload: payload, mediaType: type) == nil)
        }
        #expect(
            Redaction.standard.hiding(payload: Data("+AHA-assword".utf8), mediaType: "text/plain; charset=utf-7") == nil
        )
    }

    @Test("a type that is not the name of a type is not shown")
    func strangeTypes() {
        #expect(shown("a", "hunter2\"x") == "1 bytes of an unknown type")
        #expect(shown("a", "image/ghp_0123456789abcdefghijABCDEF") == "1 bytes of image/<redacted>")
    }

    @Test("a plain text is shown on one line, and cut between characters, with the number of further bytes")
    func cut() {
        #expect(shown("a\r\nb\tc", "text/plain") == #"a\r\nb\tc"#)
        #expect(shown("abcdef", limit: 4) == "abcd… and 2 more bytes")
        #expect(shown("abcdef", limit: 6) == "abcdef")
        for limit in 0...8 { #expect(shown("👩👩", limit: limit).contains("\u{FFFD}") == false) }
        #expect(shown("👩👩", limit: 7) == "👩… and 4 more bytes")
        #expect(shown("abc", limit: -1) == "… and 3 more bytes")
    }
}
