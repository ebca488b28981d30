import Foundation
@testable import StartSmallCookies
import Testing

struct CookieHostTests {
    @Test(
        "RFC 6265bis 5.1.2: the host of a URL in its canonical form",
        arguments: [
            ("http://Example.COM/", "example.com"), ("http://example.com.:80/", "example.com."),
            ("https://xn--mnchen-3ya.de/", "xn--mnchen-3ya.de"), ("https://XN--mnchen-3ya.de/", "xn--mnchen-3ya.de"),
            ("http://a_b.test/", "a_b.test"),
            ("http://user:password@example.com:81/x?y#z", "example.com"), ("http://127.0.0.1:8080/", "127.0.0.1"),
            ("http://[::1]:8080/", "[::1]"), ("http://[FE80::A]/", "[fe80::a]"),
        ]
    )
    func canonical(_ url: String, _ host: String) {
        #expect(CookieOrigin(CookieFixture.url(url), CookieFixture.policy)?.host == host)
    }

    @Test(
        "RFC 6265bis 5.1.2: a URL without a host that can be canonicalized has no cookies",
        arguments: [
            "/relative", "file:///tmp", "ftp://example.com/", "mailto:a@example.com", "http:///x", "http://a..b/",
            "http://ex%61mple.com/", "https://m%C3%BCnchen.de/", "http://[fe80::1%25eth0]/", "data:,x",
            "http://.example.com/",
        ]
    )
    func none(_ url: String) {
        #expect(CookieOrigin(CookieFixture.url(url), CookieFixture.policy) == nil)
        let jar = CookieFixture.jar()
        #expect(jar.rejection(of: "a=b", from: url) == .noHost && jar.header(url) == nil && jar.cookies.isEmpty)
    }

    @Test(
        "RFC 6265bis 5.1.3: domain matching",
        arguments: [
            ("example.com", "example.com", true), ("www.example.com", "example.com", true),
            ("a.b.example.com", "example.com", true), ("example.com", "www.example.com", false),
            ("badexample.com", "example.com", false), ("example.com.evil.test", "example.com", false),
            ("example.com.", "example.com", false), ("example.com", "example.com.", false),
            ("www.example.com", ".example.com", false), ("www.example.com", "", false), ("", "", true),
            ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "0.0.1", false), ("127.0.0.1", "1", false),
            ("1.127.0.0.1", "127.0.0.1", false), ("[::1]", "[::1]", true), ("[a::b.c]", "c]", false),
            ("x.0x7f", "0x7f", false), ("127.0.0.1.", "0.0.1.", false),
        ]
    )
    func matching(_ host: String, _ domain: String, _ isMatch: Bool) {
        #expect(CookieHost.matches(host, domain: domain) == isMatch)
    }

    @Test("the domains above a host, the nearest one first; none above an address")
    func chain() {
        #expect(CookieHost.chain("a.b.c") == ["a.b.c", "b.c", "c"])
        #expect(CookieHost.chain("a.b.") == ["a.b.", "b."])
        #expect(CookieHost.chain("a") == ["a"])
        #expect(CookieHost.chain("1.2.3.4") == ["1.2.3.4"] && CookieHost.chain("[1::2.3]") == ["[1::2.3]"])
    }
}

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
            let jar = CookieFixture.jar(from: ("https://h.test/a%20b/c/d?e=/f/g#/h/i", "a=b\(attribute)"))
            #expect(jar.cookies.first?.path == "/a%20b/c")
        }
        #expect(CookieFixture.jar(from: ("https://h.test", "a=b")).cookies.first?.path == "/")
        #expect(CookieFixture.jar(from: ("https://h.test?x", "a=b")).header("https://h.test") == "a=b")
    }
}
