import Foundation
@testable import StartSmall
import Testing

private func media(_ text: String) -> MediaType {
    MediaType(rawValue: text)
}

struct MediaTypeParametersTests {
    @Test(
        "a media type is two tokens and parameters (RFC 9110 8.3.1)",
        arguments: [
            ("text/html", "text/html", []), ("TEXT/Html", "text/html", []), (" text/html\t", "text/html", []),
            ("text/html;charset=utf-8", "text/html", [("charset", "utf-8")]),
            ("Text/HTML;Charset=\"utf-8\"", "text/html", [("charset", "utf-8")]),
            ("text/html; charset=\"utf-8\"", "text/html", [("charset", "utf-8")]),
            ("a/b ; c=d\t;e=f", "a/b", [("c", "d"), ("e", "f")]), ("a/b;", "a/b", []),
            ("a/b; ; c=d;;", "a/b", [("c", "d")]), ("a/b;c=\"\"", "a/b", [("c", "")]),
            ("a/b;c=\"d;e=f, g\"", "a/b", [("c", "d;e=f, g")]), ("a/b;c=\"\\\"\\\\\\d\"", "a/b", [("c", "\"\\d")]),
            ("a/b;c=\"é\"", "a/b", [("c", "é")]), ("a/b;c=1;c=2", "a/b", [("c", "1"), ("c", "2")]),
            ("application/vnd.github.v3+json", "application/vnd.github.v3+json", []),
            ("multipart/form-data; boundary=a'b", "multipart/form-data", [("boundary", "a'b")]),
        ] as [(String, String, [(String, String)])]
    )
    func parsed(_ text: String, _ essence: String, _ parameters: [(String, String)]) {
        #expect(media(text).essence == essence)
        #expect(media(text).parameters == parameters.map { MediaType.Parameter($0.0, $0.1) })
    }

    @Test(
        "any other text is no media type",
        arguments: [
            "", " ", "text", "text/", "/html", "text/html/x", "text /html", "text/ html", "te xt/html", "text/html x",
            "text/html;charset", "text/html;=utf-8", "text/html;charset=", "text/html;charset =utf-8",
            "text/html;charset= utf-8", "text/html;a=\"b", "text/html;a=\"b\\", "text/html;a=\"b\"c", "text/html, a/b",
            "tëxt/html", "text/html;a=b c", "text/html;a=\"\r\"", "text/html;a=\"\\\n\"", "text/html\r\n", "\0/a",
            "text/html;ä=1",
        ]
    )
    func illegal(_ text: String) {
        #expect(media(text).essence == nil)
        #expect(media(text).parameters == [])
        #expect(media(text).charset == nil)
        #expect(!media(text).isEquivalent(to: media(text)))
        #expect(!media(text).contains(media(text)))
        #expect(media(text).setting("a", to: "b") == media(text))
    }

    @Test(
        "a charset is found in any case, and its encoding if it is known",
        arguments: [
            ("text/plain; charset=UTF-8", "utf-8", .utf8),
            ("text/plain; CHARSET=\"Shift_JIS\"", "shift_jis", .shiftJIS),
            ("text/plain; charset=latin1", "latin1", .isoLatin1), ("text/plain; charset=klingon", "klingon", nil),
            ("text/plain; charset=\"\"", "", nil), ("text/plain", nil, nil),
            ("text/plain; charset=us-ascii; charset=utf-8", "us-ascii", .ascii),
        ] as [(String, String?, String.Encoding?)]
    )
    func charsets(_ text: String, _ charset: String?, _ encoding: String.Encoding?) {
        #expect(media(text).charset == charset)
        #expect(media(text).encoding == encoding)
        #expect(media(text).parameter("Charset")?.lowercased() == charset)
    }

    @Test(
        "two media types are equivalent if they have the same meaning",
        arguments: [
            ("text/html;charset=utf-8", "Text/HTML;Charset=\"UTF-8\"", true), ("text/html", "text/html;", true),
            ("a/b;c=1;d=2", "a/b; d=2; c=\"1\"", true), ("a/b;c=1;c=2", "a/b;c=1", true), ("a/b;c=x", "a/b;c=X", false),
            ("text/html", "text/plain", false), ("text/html", "text/html;charset=utf-8", false),
        ]
    )
    func equivalent(_ one: String, _ other: String, _ expected: Bool) {
        #expect(media(one).isEquivalent(to: media(other)) == expected)
        #expect(media(other).isEquivalent(to: media(one)) == expected)
    }

    @Test(
        "a media range contains the media types that match it",
        arguments: [
            ("text/plain", "TEXT/plain; charset=utf-8", true), ("text/*", "text/html", true),
            ("*/*", "image/png", true), ("text/plain;q=0.5", "text/plain", true),
            ("text/plain;charset=utf-8", "text/plain;charset=UTF-8;a=b", true),
            ("text/plain;charset=utf-8", "text/plain", false), ("text/*", "texture/html", false),
            ("text/html", "text/*", false), ("*/html", "text/html", false),
        ]
    )
    func ranges(_ range: String, _ mediaType: String, _ expected: Bool) {
        #expect(media(range).contains(media(mediaType)) == expected)
    }

    @Test(
        "JSON is recognized by its name or its suffix",
        arguments: [
            ("application/json", true), ("Application/JSON; charset=utf-8", true), ("application/problem+json", true),
            ("text/json", true), ("application/vnd.api+JSON", true), ("application/jsonp", false), ("text/html", false),
            ("+json", false), ("application/json-seq", false),
        ]
    )
    func json(_ text: String, _ expected: Bool) {
        #expect(media(text).isJSON == expected)
    }

    @Test(
        "a parameter replaces the existing one, in quotes if necessary",
        arguments: [
            ("text/html", "charset", "utf-8", "text/html; charset=utf-8"),
            ("Text/HTML;Charset=\"utf-8\" ;a=b", "CHARSET", "us-ascii", "Text/HTML; a=b; charset=us-ascii"),
            ("a/b", "c", "d e", "a/b; c=\"d e\""), ("a/b", "c", "", "a/b; c=\"\""),
            ("a/b", "c", "\"\\", "a/b; c=\"\\\"\\\\\""), ("a/b", "c d", "e", "a/b"), ("a/b", "c", "\r\nX: 1", "a/b"),
        ]
    )
    func setting(_ text: String, _ name: String, _ value: String, _ expected: String) {
        #expect(media(text).setting(name, to: value).rawValue == expected)
    }

    @Test("media types are compared byte by byte, even if their letters look alike")
    func bytes() {
        let (composed, apart) = ("a/b;c=\"\u{E9}\"", "a/b;c=\"e\u{301}\"")
        #expect(!media(composed).isEquivalent(to: media(apart)) && !media(composed).contains(media(apart)))
        #expect(media(composed) != media(apart) && !(media(composed) == media(apart)))
        #expect(Set([media(composed), media(apart)]).count == 2)
        #expect(Set(media(composed).parameters + media(apart).parameters).count == 2)
    }

    @Test(
        "the extension of a file determines its media type, in any case",
        arguments: [
            ("a.png", "image/png"), ("a.b.JPG", "image/jpeg"), ("a.json", "application/json"),
            ("a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
            ("a.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
            ("a.pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
            ("a.tar", "application/x-tar"), ("a.tar.gz", "application/gzip"), ("a.jsonl", "application/jsonl"),
            ("a.wav", "audio/wav"), ("a.webm", "video/webm"), ("a.ogg", "audio/ogg"), ("a.bmp", "image/bmp"),
            ("a.ico", "image/vnd.microsoft.icon"), ("a.tif", "image/tiff"), ("a.TIFF", "image/tiff"),
            ("a.tsv", "text/tab-separated-values"), ("a.ics", "text/calendar"),
            ("a.unknown", "application/octet-stream"), ("png", "application/octet-stream"),
            (".png", "application/octet-stream"), ("a.", "application/octet-stream"), ("日本.txt", "text/plain"),
        ]
    )
    func files(_ name: String, _ mediaType: String) {
        #expect(MediaType.ofFile(at: URL(fileURLWithPath: "/tmp/\(name)")).rawValue == mediaType)
    }
}

struct CharsetTests {
    @Test(
        "the preferred name of an encoding maps back to the encoding",
        arguments: [
            String.Encoding.utf8, .ascii, .isoLatin1, .isoLatin2, .windowsCP1250, .windowsCP1251, .windowsCP1252,
            .windowsCP1253, .windowsCP1254, .macOSRoman, .shiftJIS, .japaneseEUC, .iso2022JP, .utf16, .utf16BigEndian,
            .utf16LittleEndian, .utf32, .utf32BigEndian, .utf32LittleEndian,
        ]
    )
    func names(_ encoding: String.Encoding) throws {
        let name = try #require(Charset.name(encoding))
        #expect(Charset.encoding(name.uppercased()) == encoding)
    }

    @Test(
        "a payload is decoded by the charset name that the server sends",
        arguments: [
            ("windows-31j", [0x87, 0x40], "①"), ("CP932", [0xFB, 0xFC], "髙"), ("ms932", [0x5C], "\\"),
            ("gbk", [0xD6, 0xD0, 0x81, 0x40], "中丂"), ("gb18030", [0x81, 0x30, 0x84, 0x36], "¥"),
            ("Big5", [0xA4, 0xA4], "中"), ("euc-kr", [0xC7, 0xD1, 0x8C, 0x63], "한똠"), ("iso-8859-15", [0xA4], "€"),
            ("koi8-r", [0xC1], "а"), ("windows-1255", [0xE0], "א"), ("windows-1256", [0xC7], "ا"),
            ("windows-1257", [0xE0], "ą"), ("windows-1258", [0xD0], "Đ"),
            ("koi8-u", [0xA4, 0xA6, 0xA7, 0xAD], "єіїґ"), ("GB2312", [0xC4, 0xE3, 0xBA, 0xC3], "你好"),
            ("ks_c_5601-1987", [0xB0, 0xA1], "가"), ("iso-8859-9", [0xDD, 0xFE, 0x80], "İş€"),
        ] as [(String, [UInt8], String)]
    )
    func read(_ name: String, _ bytes: [UInt8], _ text: String) throws {
        let encoding = try #require(Charset.encoding(name))
        #expect(String(data: Data(bytes), encoding: encoding) == text)
        #expect(Charset.data(text, in: encoding) == Data(bytes))
        #expect(Charset.name(encoding).flatMap(Charset.encoding) == encoding)
        let contentType: HTTPHeaders = ["Content-Type": "text/plain; charset=\(name)"]
        #expect(Response(statusCode: .ok, headers: contentType, payload: Data(bytes)).text() == .right(text))
    }

    @Test(
        "an invisible character that an encoding can't represent does not crash the process",
        arguments: Charset.encodings
    )
    func hidden(_ encoding: String.Encoding) {
        let texts = ["\u{34F}", "a\u{200D}b", "\u{FE0F}日", "\u{E0001}", "\u{200E}", "\u{AD}"]
        for text in texts {
            if let data = Charset.data(text, in: encoding) { #expect(String(data: data, encoding: encoding) == text) }
            _ = Either.text(text, encoding: encoding)
        }
    }
}

/// Encodings that Foundation decodes differently on Linux, or not at all.
struct CharsetTextTests {
    private func response(_ bytes: [UInt8], _ charset: String) -> Response {
        Response(statusCode: .ok, headers: ["Content-Type": "text/plain; charset=\(charset)"], payload: Data(bytes))
    }

    @Test(
        "EUC-JP is decoded and encoded",
        arguments: [
            ([0xA4, 0xA2], "あ"), ([0xC6, 0xFC, 0xCB, 0xDC, 0xB8, 0xEC], "日本語"), ([0x61, 0x8E, 0xB1, 0x62], "aｱb"),
            ([0xC9, 0xBD], "表"), ([0xA5, 0xF6], "ヶ"), ([0xF4, 0xA6], "熙"), ([0xB0, 0xA1, 0xB0, 0xFE], "亜蔭"), ([], ""),
        ]
    )
    func eucJP(bytes: [UInt8], text: String) {
        #expect(response(bytes, "EUC-JP").text(problem: Never.self).right == text)
        #expect(Charset.data(text, in: .japaneseEUC) == Data(bytes))
    }

    @Test(
        "invalid EUC-JP, and a text of UTF-16 or UTF-32 with an incomplete unit, are an error",
        arguments: [
            ("euc-jp", [0xA4]), ("euc-jp", [0x8E, 0x41]), ("euc-jp", [0x8F, 0xB0, 0xA1]), ("euc-jp", [0xA4, 0x41]),
            ("euc-jp", [0xFF, 0xA1]), ("euc-jp", [0x80]), ("utf-16", [0xFE, 0xFF, 0, 0x41, 0]),
            ("utf-16be", [0, 0x41, 0]), ("utf-16le", [0x41, 0, 0x42]), ("utf-32", [0, 0, 0xFE, 0xFF, 0, 0]),
            ("utf-32be", [0, 0, 0, 0x41, 0, 0]), ("utf-32le", [0x41, 0, 0]),
        ]
    )
    func incomplete(charset: String, bytes: [UInt8]) {
        #expect(response(bytes, charset).text(problem: Never.self).right == nil)
    }
}
