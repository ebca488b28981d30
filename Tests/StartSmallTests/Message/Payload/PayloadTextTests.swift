import Foundation
import Testing

@testable import StartSmall

struct PayloadTextTests {
    private func shown(_ text: String, _ type: MediaType? = nil, limit: Int = 1_000) -> String {
        Redaction.standard.shown(payload: Data(text.utf8), mediaType: type, limit: limit)
    }

    @Test("a text is shown unchanged, on one line")
    func text() {
        #expect(shown("Design for failure.") == "Design for failure.")
        #expect(shown("a\r\nb\tc") == #"a\r\nb\tc"#)
        #expect(shown("").isEmpty)
    }

    @Test("JSON is recognized by its type or its beginning, and its secrets are hidden")
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
        // With a space in the first name, no text of unknown type is a form.
        let text = "the password=hunter2&a=1&client_secret=hunter2"
        #expect(shown(text, type) == "the password=<redacted>&a=1&client_secret=<redacted>")
    }

    @Test(
        "a text of unknown type that begins like a form is redacted like one",
        arguments: [nil, MediaType.octetStream, .text]
    )
    func formOfUnknownType(_ type: MediaType?) {
        #expect(shown("password=hunter2&a=1", type) == "password=<redacted>&a=1")
        #expect(shown("user%5Bpwd%5D=hunter2", type) == "user%5Bpwd%5D=<redacted>")
        #expect(shown(#"data={"token":"hunter2"}"#, type) == #"data={"token":"<redacted>"}"#)
        #expect(shown("is x=1?", type) == "is x=1?")
    }

    @Test(
        "a value in a form ends only at &",
        arguments: [
            ("password=hun;ter2&user=me", "password=<redacted>&user=me"),
            ("user=me&password=hun;t=er2?x=#y=1&a&", "user=me&password=<redacted>&a&"),
            ("u=https://h/?token=hunter2&a=1;token=hunter2", "u=https://h/?token=<redacted>&a=1;token=<redacted>"),
            ("next=https%3A%2F%2Fh%2F%3Ftoken%3Dhunter2", "next=<redacted>"),
            ("next=https://u:hunter2@h/", "next=https://<redacted>@h/"),
            ("a=1?b=2#c=3;d", "a=1?b=2#c=3;d"), ("&&", "&&"), ("", ""),
        ]
    )
    func formValues(_ text: String, _ expected: String) {
        #expect(shown(text, .form) == expected)
    }

    @Test("credentials of URLs in any text are hidden")
    func urls() {
        #expect(shown("see https://u:hunter2@h/?token=hunter2") == "see https://<redacted>@h/?token=<redacted>")
    }

    @Test("JSON in a line is redacted, with any other lines and line ends", arguments: ["\n", "\r\n"])
    func lines(end: String) {
        let text = ["data: say \"", #"data: {"password":"hunter2"}"#, #"data: {"pin":1}"#].joined(separator: end)
        let hidden = Redaction.standard.hiding(payload: Data(text.utf8), mediaType: "text/event-stream")
        let expected = ["data: say \"", #"data: {"password":"<redacted>"}"#, #"data: {"pin":"<redacted>"}"#]
        #expect(String(decoding: hidden, as: UTF8.self) == expected.joined(separator: end))
    }

    @Test(
        "a payload that is not UTF-8, or contains control characters, is shown as a number of bytes",
        arguments: [[0xFF], [0x61, 0], [0x1B], [0x7F]]
    )
    func binary(_ bytes: [UInt8]) {
        let text = Redaction.none.shown(payload: Data(bytes), mediaType: .text, limit: 100)
        #expect(text == "\(bytes.count) bytes of binary data")
    }

    @Test("a long payload is cut between characters, and the number of further bytes is shown")
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

    private func hiding(_ payload: Data, _ type: MediaType?) -> Data {
        Redaction.standard.hiding(payload: payload, mediaType: type)
    }

    @Test(
        "one byte that is not UTF-8 does not disable redaction, and is kept",
        arguments: [nil, MediaType.form, "application/x-www-form-urlencoded; charset=iso-8859-1", .octetStream]
    )
    func latin1(_ type: MediaType?) {
        let end = Data("&name=J".utf8) + [0xF6] + Data("rg".utf8)
        #expect(hiding(Data("password=hunter2".utf8) + end, type) == Data("password=<redacted>".utf8) + end)
        #expect(hiding(end, type) == end)
    }

    @Test("JSON with a byte that is not UTF-8 loses its secrets, and nothing else")
    func brokenJSON() {
        let (start, end) = (Data(#"{"a":""#.utf8) + [0xFF], Data(#""}"#.utf8))
        #expect(
            hiding(start + Data(#"","password":"hunter2"#.utf8) + end, .json)
                == start + Data(#"","password":"<redacted>"#.utf8) + end
        )
    }

    @Test(
        "JSON and forms in the charset of their media type lose their secrets, and nothing else",
        arguments: [
            (String.Encoding.windowsCP1252, "€"), (.shiftJIS, "表"), (.iso2022JP, "表"), (.isoLatin1, "é"),
            (.utf16LittleEndian, "あ"), (.utf16BigEndian, "あ"), (.utf32LittleEndian, "あ"), (.utf32BigEndian, "あ"),
        ]
    )
    func namedEncodings(_ encoding: String.Encoding, _ character: String) throws {
        for (text, type) in samples(character) {
            let payload = try #require(text.data(using: encoding))
            let expected = text.replacingOccurrences(of: "hunter2", with: "<redacted>").data(using: encoding)
            #expect(hiding(payload, type.setting("charset", to: try #require(Charset.name(encoding)))) == expected)
        }
    }

    @Test(
        "JSON and forms in UTF-16 and UTF-32 lose their secrets even without a charset",
        arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian],
        ["", "\u{FEFF}"]
    )
    func wideEncodings(_ encoding: String.Encoding, _ mark: String) throws {
        for (text, type) in samples("é") {
            let payload = try #require((mark + text).data(using: encoding))
            let hidden = mark + text.replacingOccurrences(of: "hunter2", with: "<redacted>")
            let expected = try #require(hidden.data(using: encoding))
            for type in [type, nil, .octetStream] { #expect(hiding(payload, type) == expected) }
            #expect(hiding(expected, type) == expected)
        }
    }

    /// Returns JSON and a form with a secret and this character.
    private func samples(_ character: String) -> [(String, MediaType)] {
        [
            (#"{"a":"\#(character)","password":"hunter2"}"#, .json),
            ("password=hunter2&a=\(character)", .form),
        ]
    }

    @Test("a media type with the wrong charset does not disable redaction")
    func wrongCharset() {
        let (payload, hidden) = (Data(#"{"password":"hunter2"}"#.utf8), Data(#"{"password":"<redacted>"}"#.utf8))
        for charset in ["utf-16", "utf-32", "shift_jis", "iso-2022-jp", "no-such", "us-ascii"] {
            #expect(hiding(payload, MediaType.json.setting("charset", to: charset)) == hidden)
        }
    }

    @Test("text in UTF-16 with half a character loses its secrets too")
    func brokenUTF16() throws {
        let text = try #require(#"{"password":"hunter2"}"#.data(using: .utf16LittleEndian))
        for broken in [text + [0x00, 0xD8], text + [0x20]] {
            let hidden = hiding(broken, .json)
            #expect(!hidden.contains(UInt8(ascii: "h")))
        }
    }

    @Test("a payload typed as JSON or a form that is not text, as if compressed, is hidden completely")
    func compressed() {
        let bytes = Data([0x1F, 0x8B, 8, 0, 0xFF])
        for type in [MediaType.json, .form] { #expect(hiding(bytes, type) == Data("<redacted>".utf8)) }
        for type in [nil, MediaType.octetStream, "text/plain", "image/png"] { #expect(hiding(bytes, type) == bytes) }
        #expect(Redaction.none.hiding(payload: bytes, mediaType: .json) == bytes)
    }

    @Test("bytes that are not text stay the same", arguments: [nil, MediaType.octetStream, "image/png", .text])
    func sameBytes(_ type: MediaType?) {
        let bytes = Data((0...255).map(UInt8.init) + (0...255).map(UInt8.init))
        #expect(hiding(bytes, type) == bytes)
    }

    @Test("a payload that ends with an incomplete character is not text")
    func incomplete() {
        let text = Redaction.none.shown(payload: Data("a👩".utf8.dropLast()), mediaType: .text, limit: 100)
        #expect(text == "4 bytes of binary data")
    }

    @Test(
        "a form crafted to be slow is redacted in linear time",
        arguments: ["&", "=", "a&", ";", "?a=", "&a=%2F%2F", "//", "@", "token=;", "&token=?", "{", Hostile.accents]
    )
    func hostile(_ piece: String) {
        Hostile.expectLinear(piece) { text in
            for type in [MediaType.form, .text] {
                #expect(!shown("token=hunter2&a=\(text)", type, limit: .max).utf8.contains("hunter2".utf8))
            }
            _ = shown("{", MediaType(rawValue: text), limit: .max)
            _ = Redaction.standard.hiding(
                payload: Data("{".utf8),
                mediaType: MediaType(rawValue: "a/b;charset=\(text)")
            )
        }
    }

    @Test("a payload without secrets stays the same", arguments: ["{\"a\":\n 1}", "x=1&y", "\u{1B}", "é"])
    func unchanged(_ text: String) {
        for type in [nil, MediaType.json, .form] {
            #expect(Redaction.standard.hiding(payload: Data(text.utf8), mediaType: type) == Data(text.utf8))
        }
    }
}
