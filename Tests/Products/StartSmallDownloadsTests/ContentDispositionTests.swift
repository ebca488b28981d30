import StartSmall
import StartSmallDownloads
import Testing

struct ContentDispositionTests {
    private func read(_ field: String) -> ContentDisposition? {
        Response(statusCode: .ok, headers: ["content-disposition": field]).contentDisposition
    }

    @Test(
        "the examples of RFC 6266 5 are parsed, an unknown type is kept, and text after a type is skipped",
        arguments: [
            ("Attachment; filename=example.html", "attachment", "example.html"),
            ("x; filename=a", "x", "a"), ("attachment \"x;y\" z; filename=a", "attachment", "a"),
            (#"INLINE; FILENAME= "an example.html""#, "inline", "an example.html"),
            ("attachment; filename*= UTF-8''%e2%82%ac%20rates", "attachment", "€ rates"),
            (
                #"attachment; filename="EURO rates"; filename*=utf-8''%e2%82%ac%20rates"#, "attachment", "€ rates"
            ),
        ]
    )
    func examples(_ field: String, _ type: String, _ name: String) {
        #expect(read(field)?.type == type)
        #expect(read(field)?.fileName == name)
    }

    @Test(
        "the encoded name takes precedence over the plain one, in any order, unless it can't be decoded (RFC 8187)",
        arguments: [
            ("filename*=UTF-8''%c3%a9; filename=plain", "é"), ("filename=plain; filename*=UTF-8''%c3%a9", "é"),
            ("filename=plain; filename*=UTF-8''%ff", "plain"), ("filename=plain; filename*=koi8-r''%c1", "plain"),
            ("filename=plain; filename*=", "plain"), ("filename*=\"UTF-8''%c3%a9\"", "é"),
            ("filename*=UTF-8''; filename=plain", "plain"), ("filename=; filename*=UTF-8''a", "a"),
            ("filename=plain; filename*=iso-8859-1''ß", "plain"),
            ("filename*=utf8''%c3%a9; filename=plain", "é"), ("filename=plain; filename*=UTF8'en'%c3%a9", "é"),
            ("filename=plain; filename*=utf8''%e9", "plain"),
        ]
    )
    func encoded(_ parameters: String, _ name: String) {
        #expect(read("attachment; \(parameters)")?.fileName == name)
    }

    @Test(
        "an encoded name that lacks some of its encoding is read as in browsers, and nothing is decoded twice",
        arguments: [
            ("report%20(1).pdf", "report (1).pdf", "report (1).pdf"), ("O'Neil%20file.txt", "O'Neil file.txt", nil),
            ("my file.txt", "my file.txt", nil), ("stra\u{DF}e.txt", "stra\u{DF}e.txt", nil),
            ("100%.txt", "100%.txt", nil), ("100%25.txt", "100%.txt", nil), ("%2541.txt", "%41.txt", nil),
            ("a%2.txt", "a%2.txt", nil), ("%zz%41", "%zzA", nil), ("a%2Fb", "a/b", "b"), ("a%5Cb", "a\\b", "b"),
            ("..%2f..%2fetc", "../../etc", "etc"), ("a%00b", "a\0b", "ab"), ("%252F", "%2F", "%2F"),
            ("a%E2%80%AEfdp.exe", "a\u{202E}fdp.exe", "afdp.exe"), ("%2e%2e", "..", nil as String?),
        ]
    )
    func lenient(_ written: String, _ name: String, _ safe: String?) {
        for field in ["attachment; filename*=UTF-8''\(written)", "attachment; filename*=\"UTF-8'en'\(written)\""] {
            #expect(read(field)?.fileName == name)
            #expect(read(field)?.safeFileName == safe ?? (name == ".." ? nil : name))
        }
    }

    @Test("a name of which nothing safe remains does not hide the other one")
    func unsafe() {
        #expect(read("attachment; filename=a.txt; filename*=UTF-8''%2e%2e")?.safeFileName == "a.txt")
        #expect(read("attachment; filename=\"a%2Fb.txt\"")?.safeFileName == "a%2Fb.txt")
    }

    @Test(
        "parameters are parsed as servers write them",
        arguments: [
            (#"filename="a \"b\" \\c""#, #"a "b" \c"#), ("filename=my file.txt", "my file.txt"),
            ("filename=my file.txt ; x=y", "my file.txt"), ("filename = a", "a"),
            ("x=\"a;filename=b\"; filename=c", "c"),
            ("; ;; filename=a;", "a"), ("filename=a; filename=b", "a"), ("filename=\"open", "open"),
            ("filename=\"open\\", "open"), ("=x; filename=a", "a"), ("x y; filename=a", "a"),
            ("filename=a,b", "a,b"), ("filename=\"a\" b; x=y", "a"), ("filename", nil), ("filename=", ""), ("", nil),
        ] as [(String, String?)]
    )
    func parameters(_ parameters: String, _ name: String?) {
        #expect(read("attachment; \(parameters)")?.fileName == name)
    }

    @Test(
        "a field that does not begin with a type is no disposition",
        arguments: ["", " ", ";", "; filename=a", "a=b", "a =b", "é", "a/b; filename=c", "a\"b\""]
    )
    func none(_ field: String) {
        #expect(read(field) == nil)
    }

    @Test("a name that leads to another folder is kept in fileName, and sanitized in safeFileName")
    func safe() {
        let climbing = read(#"attachment; filename="../../etc/passwd""#)
        #expect(climbing?.fileName == "../../etc/passwd")
        #expect(climbing?.safeFileName == "passwd")
        #expect(read("attachment; filename*=UTF-8''..%2f..%2fa%00.txt")?.safeFileName == "a.txt")
        #expect(read("attachment; filename=..")?.safeFileName == nil)
        #expect(read("attachment")?.safeFileName == nil)
    }
}
