import Foundation
import StartSmall
import StartSmallSupport
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
        #expect(media(text).charset.flatMap(Charset.encoding) == encoding)
        #expect(media(text).parameter("Charset")?.lowercased() == charset)
    }

    @Test(
        "a media range contains the media types that match it",
        arguments: [
            ("text/plain", "TEXT/plain; charset=utf-8", true), ("text/*", "text/html", true),
            ("*/*", "image/png", true), ("text/plain;q=0.5", "text/plain", true),
            ("text/plain;charset=utf-8", "text/plain;charset=UTF-8;a=b", true),
            ("text/plain;charset=utf-8", "text/plain", false), ("text/*", "texture/html", false),
            ("text/html", "text/*", false), ("*/html", "text/html", false), ("text/html", "text/html;", true),
            ("text/html;charset=utf-8", "Text/HTML;Charset=\"UTF-8\"", true), ("text/html", "text/plain", false),
            ("a/b;c=1;d=2", "a/b; d=2; c=\"1\"", true), ("a/b;c=1;c=2", "a/b;c=1", true),
            ("a/b;c=1", "a/b;c=1;c=2", true), ("a/b;c=x", "a/b;c=X", false),
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
        #expect(!media(composed).contains(media(apart)))
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
