@testable import StartSmallCookies
import Testing

struct CookiePathTests {
    @Test(
        "RFC 6265bis 5.1.4: the default path",
        arguments: [
            ("", "/"), ("/", "/"), ("x", "/"), ("/x", "/"), ("/x/", "/x"), ("/x/y", "/x"), ("/x/y/", "/x/y"),
            ("//", "/"), ("//x", "/"), ("/x//", "/x/"), ("/x%2Fy", "/"), ("x/y", "/"),
        ]
    )
    func defaultPath(_ path: String, _ expected: String) {
        #expect(CookiePath.defaultPath(of: path) == expected)
    }

    @Test(
        "RFC 6265bis 5.1.4: path matching, byte by byte",
        arguments: [
            ("/", "/", true), ("/x", "/", true), ("/x", "/x", true), ("/x/", "/x", true), ("/x/y", "/x", true),
            ("/x/y", "/x/", true), ("/x", "/x/", false), ("/xy", "/x", false), ("/", "/x", false), ("/X", "/x", false),
            ("/%78", "/x", false), ("/x%2Fy", "/x", false), ("/e\u{301}", "/e", false), ("/e\u{301}", "/é", false),
        ]
    )
    func matching(_ path: String, _ cookiePath: String, _ isMatch: Bool) {
        #expect(CookiePath.matches(path, cookiePath: cookiePath) == isMatch)
    }

    @Test("RFC 6265bis 5.1.4: the default path of a URL, and of a Path without a slash at its beginning")
    func ofURL() {
        for attribute in ["", "; Path=", "; Path=x", "; Path"] {
            let jar = CookieFixture.jar(("https://h.test/a%20b/c/d?e=/f/g#/h/i", "a=b\(attribute)"))
            #expect(jar.cookies.first?.path == "/a%20b/c")
        }
        #expect(CookieFixture.jar(("https://h.test", "a=b")).cookies.first?.path == "/")
        #expect(CookieFixture.jar(("https://h.test?x", "a=b")).header("https://h.test") == "a=b")
    }
}
