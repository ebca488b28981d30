import Foundation
@testable import StartSmallCookies
import Testing

struct CookieHostTests {
    @Test(
        "RFC 6265bis 5.1.2: the host of a URL in its canonical form",
        arguments: [
            ("http://Example.COM/", "example.com"), ("http://example.com.:80/", "example.com."),
            ("https://münchen.de/", "xn--mnchen-3ya.de"), ("https://MÜNCHEN.de", "xn--mnchen-3ya.de"),
            ("https://XN--mnchen-3ya.de/", "xn--mnchen-3ya.de"), ("http://a_b.test/", "a_b.test"),
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
            "http://ex%61mple.com/", "http://[fe80::1%25eth0]/", "data:,x", "http://.example.com/",
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

    @Test("RFC 6265bis 5.1.2: two spellings of a host have the same cookies")
    func spellings() {
        let jar = CookieFixture.jar(("https://MÜNCHEN.de/", "a=b"))
        #expect(jar.header("https://xn--MNCHEN-3ya.DE/") == "a=b")
        #expect(jar.header("https://xn--mnchen-3ya.de./") == nil)
    }

    @Test("the domains above a host, the nearest one first; none above an address")
    func chain() {
        #expect(CookieHost.chain("a.b.c") == ["a.b.c", "b.c", "c"])
        #expect(CookieHost.chain("a.b.") == ["a.b.", "b."])
        #expect(CookieHost.chain("a") == ["a"])
        #expect(CookieHost.chain("1.2.3.4") == ["1.2.3.4"] && CookieHost.chain("[1::2.3]") == ["[1::2.3]"])
    }
}
