import Foundation
@testable import StartSmall
import Testing

struct URLResolutionTests {
    @Test(
        "a reference is resolved against a URL, whether or not Foundation removes its dots",
        arguments: [
            ("", "https://h/a/b?c"), ("x", "https://h/a/x"), ("../x", "https://h/x"), ("?x=/./", "https://h/a/b?x=/./"),
            ("/a/./b", "https://h/a/b"), ("/.a", "https://h/.a"), ("//g/a/../b", "https://g/b"),
            ("https://g/a/../b", "https://g/b"), ("https://g/a.b", "https://g/a.b"), ("https:g", "https://h/a/g"),
            ("https://\u{E9}/x", "https://xn--9ca/x"), ("#f", "https://h/a/b?c#f"), ("a b", "https://h/a/a%20b"),
            ("//g/a/b\u{E9}", "https://g/a/b%C3%A9"),
        ]
    )
    func meaning(_ reference: String, _ expected: String) throws {
        let url = try #require(URL(string: "https://h/a/b?c")?.resolving(reference))
        #expect(url.absoluteString == expected)
        #expect(url.baseURL == nil)
        #expect(url.host() == URL(string: expected)?.host())
    }

    @Test(
        "a reference with a scheme, but without slashes, is read as in browsers (WHATWG URL 4.4)",
        arguments: [
            ("http:foo.com", "http://h/a/foo.com"), ("HTTP:foo.com", "http://h/a/foo.com"), ("http:/x", "http://h/x"),
            ("http:?x", "http://h/a/b?x"), ("http:#x", "http://h/a/b?c#x"), ("http:", "http://h/a/b?c"),
            ("http:../x", "http://h/x"), ("http:.", "http://h/a/"), ("http:x:y", "http://h/a/x:y"),
            ("http:https://g/", "http://h/a/https://g/"), ("http:a b", "http://h/a/a%20b"),
            ("https:foo.com", "https://foo.com"), ("https:foo.com/a?b", "https://foo.com/a?b"),
            ("HTTPS:/foo.com/", "https://foo.com/"), ("https:foo.com:8443/a/../b", "https://foo.com:8443/b"),
            ("http://g/x", "http://g/x"), ("https://g/x", "https://g/x"), ("httpx", "http://h/a/httpx"),
            ("x/http:y", "http://h/a/x/http:y"), ("?http:y", "http://h/a/b?http:y"),
        ]
    )
    func withoutSlashes(_ reference: String, _ expected: String) throws {
        let url = try #require(URL(string: "http://h/a/b?c")?.resolving(reference))
        #expect(url.absoluteString == expected)
    }

    @Test("a reference without slashes is resolved against a URL without a path", arguments: ["http:x", "http:/x"])
    func noPath(_ reference: String) throws {
        #expect(try #require(URL(string: "http://h")).resolving(reference)?.absoluteString == "http://h/x")
    }

    @Test("anything after a scheme is resolved in linear time", arguments: ["/", ":", "http:", ".", Hostile.accents])
    func hostile(_ pattern: String) throws {
        let base = try #require(URL(string: "http://h/a/b?c"))
        Hostile.expectLinear(pattern) { text in
            for start in ["http:", "https:", "https:/"] { _ = base.resolving(start + text) }
        }
    }

    @Test(
        "percent-encoded bytes stay unchanged, whatever else is encoded (RFC 3986 2.4)",
        arguments: [
            ("/a%20b c", "https://h/a%20b%20c"), ("/%2F%2f\u{E9}", "https://h/%2F%2f%C3%A9"),
            ("?q=%26 %3D", "https://h/a/b?q=%26%20%3D"), ("#%20 x", "https://h/a/b?c#%20%20x"),
            ("/a%20b?c d", "https://h/a%20b?c%20d"), ("/a b?c%20d#e%20f g", "https://h/a%20b?c%20d#e%20f%20g"),
            ("https://g/%41 b", "https://g/%41%20b"), ("//g/%41?[b]%5B", "https://g/%41?%5Bb%5D%5B"),
            ("https://\u{E9}/a%20b c", "https://xn--9ca/a%20b%20c"), ("https://\u{E9}/a%20b", "https://xn--9ca/a%20b"),
            ("x%20y z", "https://h/a/x%20y%20z"), ("/100% %41", "https://h/100%25%20%41"), ("/%zz", "https://h/%25zz"),
            ("/a%20b|c", "https://h/a%20b%7Cc"), ("/%25%2 %", "https://h/%25%252%20%25"),
            ("/a#b#c%20", "https://h/a#b%23c%20"),
            ("https://g", "https://g"), ("https://g?a%20 b", "https://g?a%20%20b"),
        ]
    )
    func escapes(_ reference: String, _ expected: String) throws {
        let url = try #require(URL(string: "https://h/a/b?c")?.resolving(reference))
        #expect(url.absoluteString == expected)
        #expect(url.resolving(url.absoluteString)?.absoluteString == expected)
    }

    @Test("dots at the top resolve to the top", arguments: ["..", "../", "../x", ".", "./x"])
    func top(_ reference: String) throws {
        let base = try #require(URL(string: "https://h/a"))
        let expected = reference.hasSuffix("x") ? "https://h/x" : "https://h/"
        #expect(base.resolving(reference)?.absoluteString == expected)
    }

    @Test("the dots of the base URL are removed too")
    func dotsOfBase() throws {
        let base = try #require(URL(string: "https://h/a/../b/./c"))
        #expect(base.resolving("?x")?.absoluteString == "https://h/b/c?x")
    }
}
