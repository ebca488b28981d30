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
            ("filename*=utf8''%c3%a9; filename=plain", "é"), ("filename=plain; filename*=UTF8'en'%c3%a9", "é"),
            ("filename=plain; filename*=utf8''%e9", "plain"),
        ]
    )
    func encoded(_ parameters: String, _ name: String) {
        #expect(read("attachment; \(parameters)")?.fileName == name)
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
