import Foundation
import StartSmall
import Testing

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
            "[]x", "[]", "[]:80", "::1", "a?b", "a#b", "a\\b", "\u{FC}", "a\u{0}", "a\r\nb", "a:99999999999999999999",
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
