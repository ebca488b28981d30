import Foundation
@testable import StartSmallCore
import StartSmallHeaders
import Testing

struct URLResolutionTests {
    @Test(
        "a reference is resolved against a URL, whether or not Foundation removes its dots",
        arguments: [
            ("", "https://h/a/b?c"), ("x", "https://h/a/x"), ("../x", "https://h/x"), ("?x=/./", "https://h/a/b?x=/./"),
            ("/a/./b", "https://h/a/b"), ("/.a", "https://h/.a"), ("//g/a/../b", "https://g/b"),
            ("https://g/a/../b", "https://g/b"), ("https://g/a.b", "https://g/a.b"), ("https:g", "https://h/a/g"),
            ("https://xn--9ca/x", "https://xn--9ca/x"), ("#f", "https://h/a/b?c#f"), ("a b", "https://h/a/a%20b"),
            ("//g/a/b\u{E9}", "https://g/a/b%C3%A9"), ("app:a/./b", "app:a/./b"), ("app:.//g/./b", "app:.//g/./b"),
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

    @Test(
        "dots at the top, of the base URL and of a base URL without a path are removed",
        arguments: [
            ("http://h", "http:x", "http://h/x"), ("http://h", "http:/x", "http://h/x"),
            ("https://h/a", "..", "https://h/"), ("https://h/a", "../x", "https://h/x"),
            ("https://h/a", ".", "https://h/"), ("https://h/a", "./x", "https://h/x"),
            ("https://h/a/../b/./c", "?x", "https://h/b/c?x"),
        ]
    )
    func bases(_ base: String, _ reference: String, _ expected: String) {
        #expect(URL(string: base)?.resolving(reference)?.absoluteString == expected)
    }

    @Test(
        "percent-encoded bytes stay unchanged, whatever else is encoded (RFC 3986 2.4)",
        arguments: [
            ("/a%20b c", "https://h/a%20b%20c"), ("/%2F%2f\u{E9}", "https://h/%2F%2f%C3%A9"),
            ("?q=%26 %3D", "https://h/a/b?q=%26%20%3D"), ("#%20 x", "https://h/a/b?c#%20%20x"),
            ("/a%20b?c d", "https://h/a%20b?c%20d"), ("/a b?c%20d#e%20f g", "https://h/a%20b?c%20d#e%20f%20g"),
            ("https://g/%41 b", "https://g/%41%20b"), ("//g/%41?[b]%5B", "https://g/%41?%5Bb%5D%5B"),
            ("https://\u{E9}@g/a%20b c", "https://%C3%A9@g/a%20b%20c"), ("//u%40@g/a%20b", "https://u%40@g/a%20b"),
            ("x%20y z", "https://h/a/x%20y%20z"), ("/100% %41", "https://h/100%25%20%41"), ("/%zz", "https://h/%25zz"),
            ("/a%20b|c", "https://h/a%20b%7Cc"), ("/%25%2 %", "https://h/%25%252%20%25"),
            ("/a#b#c%20", "https://h/a#b%23c%20"), ("/a#\u{301}b", "https://h/a#%CC%81b"),
            ("https://g", "https://g"), ("https://g?a%20 b", "https://g?a%20%20b"),
        ]
    )
    func escapes(_ reference: String, _ expected: String) throws {
        let url = try #require(URL(string: "https://h/a/b?c")?.resolving(reference))
        #expect(url.absoluteString == expected)
        #expect(url.resolving(url.absoluteString)?.absoluteString == expected)
    }
}

struct TargetURLTests {
    private func target(_ url: String, _ hosts: String...) -> String? {
        let headers = HTTPHeaders(hosts.map { .init(name: "host", value: $0) })
        return URL(string: url).flatMap { Request(url: $0, headers: headers).targetURL?.absoluteString }
    }

    @Test(
        "host and port of a request's own Host replace those of the URL, and nothing else (RFC 9110 7.1)",
        arguments: [
            ("http://127.0.0.1:8080/a?b#c", "tenant-a", "http://tenant-a/a?b#c"),
            ("http://127.0.0.1:8080/a", "Tenant-A.Example:81", "http://tenant-a.example:81/a"),
            ("https://user:p@h/a", "b", "https://user:p@b/a"), ("https://h", "b", "https://b"),
            ("https://h?q=a@b/c:1", "b", "https://b?q=a@b/c:1"), ("https://h/", " b:443\t", "https://b:443/"),
            ("https://h:1/", "b:", "https://b/"),
            ("https://[::1]:1/a", "[2001:DB8::1]:8080", "https://[2001:db8::1]:8080/a"),
            ("https://h/", "a_b", "https://a_b/"), ("https://h/", "b:00080", "https://b:80/"),
        ]
    )
    func replaced(_ url: String, _ host: String, _ expected: String) {
        #expect(target(url, host) == expected)
    }

    @Test("without a Host, and without a host in the URL, it is the URL")
    func unchanged() {
        #expect(target("https://H/%7e?a") == "https://H/%7e?a")
        for url in ["/a", "data:,a", "mailto:a@b"] { #expect(target(url, "b") == url) }
    }

    @Test(
        "a Host that is malformed names no resource (RFC 9110 7.2)",
        arguments: [
            "", " ", ":80", "a/b", "a b", "u@a", "a,b", "a:b", "a:1:2", "a:65536", "a:-1", "a:+1", "[::1", "[::1]a",
            "[]x", "[]", "[]:80", "[a]", "[fe80::1%25eth0]", "u%40h", "\u{212A}", "::1", "a?b", "a#b", "a\\b", "\u{FC}",
            "a\u{0}", "a\r\nb", "a:99999999999999999999",
        ]
    )
    func malformed(_ host: String) {
        #expect(target("https://h/", host) == nil)
    }

    @Test("two Host fields name no resource, even if they are equal (RFC 9112 3.2)")
    func several() {
        #expect(target("https://h/", "a", "a") == nil)
    }
}
