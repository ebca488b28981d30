import Foundation
import StartSmall
import Testing

struct LinkTargetTests {
    private let base = URL(string: "https://api.example.com/v1/things?page=1#top")!

    @Test(
        "a target is resolved against the URL that was called (RFC 3986 5.2)",
        arguments: [
            ("https://other.example/x", "https://other.example/x"),
            ("//other.example/x", "https://other.example/x"),
            ("/x", "https://api.example.com/x"),
            ("x", "https://api.example.com/v1/x"),
            ("../x", "https://api.example.com/x"),
            ("http://a/b/../c", "http://a/c"), ("http://a/b/./c/..", "http://a/b/"),
            ("//a/../b//./c", "https://a/b//c"), ("http://a/../x?y=../z#../w", "http://a/x?y=../z#../w"),
            ("http://a/b/%2e%2e/c", "http://a/b/%2e%2e/c"), ("http://a/b../.c", "http://a/b../.c"),
            ("http://a", "http://a"),
            ("?page=2", "https://api.example.com/v1/things?page=2"),
        ]
    )
    func targets(_ reference: String, _ expected: String) {
        #expect(WebLink(to: reference).target(from: base)?.absoluteString == expected)
    }

    @Test("an empty reference is the page itself")
    func itself() {
        #expect(WebLink(to: "").target(from: base) == base)
    }

    @Test("a target that is too long is nil")
    func tooLong() {
        let longest = "/" + String(repeating: "a", count: WebLink.maximumTargetLength - 1)
        #expect(WebLink(to: longest).target(from: base) != nil)
        #expect(WebLink(to: longest + "a").target(from: base) == nil)
    }

    @Test("a target that is not a URL is nil")
    func noURL() {
        #expect(WebLink(to: "https://[").target(from: base) == nil)
    }

    @Test("the base of a response is the URL that was called, with its queries")
    func called() {
        let input = Input(url: URL(string: "https://api.example.com/a?b=1")!, queries: [.init(name: "c", value: "2")])
        let response = Response(statusCode: .ok)
        #expect(response.base(of: input).absoluteString == "https://api.example.com/a?b=1&c=2")
    }

    @Test("after redirects, the base of a response is the URL that answered")
    func redirected() {
        let there = URL(string: "https://other.example/z")!
        let redirection = Redirection(from: Fixture.url, statusCode: .found, to: there)
        let response = Response(statusCode: .ok, redirections: [redirection])
        #expect(response.base(of: Fixture.input) == there)
    }
}
