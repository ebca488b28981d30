import Foundation
import StartSmallSupport
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmall

struct BaseURLTests {
    /// Returns the called URL, or nil if none is called.
    private func called(_ url: String, base: String, others: CrossOriginPolicy = .refused) async -> String? {
        let sent = Recorder<Input>()
        let connector = Connector.stub(.hasResponse(Fixture.ok), recording: sent)
            .wrapped(by: .baseURL(URL(string: base)!, others: others))
        _ = await WebAPI.call(with: Input(url: URL(string: url)!), via: connector)
        return sent.elements.first?.url.absoluteString
    }

    @Test(
        "a URL is joined to the base with exactly one slash, the base's query comes first, and encoded bytes are kept",
        .parity("B14"),
        .parity("D6"),
        arguments: [
            ("https://a.example/v3", "users/x", "https://a.example/v3/users/x"),
            ("https://a.example/v3", "/users/x", "https://a.example/v3/users/x"),
            ("https://a.example/v3/", "users/x", "https://a.example/v3/users/x"),
            ("https://a.example/v3///", "/u/", "https://a.example/v3/u/"),
            ("https://a.example//", "u//w", "https://a.example/u//w"),
            ("https://a.example/?v=1", "/u?p=2", "https://a.example/u?v=1&p=2"),
            ("https://a.example?v=1", "/u", "https://a.example/u?v=1"),
            ("https://a.example", "/u?p=2#f", "https://a.example/u?p=2#f"),
            ("https://a.example/v3", "?p=2", "https://a.example/v3?p=2"),
            ("https://a.example/%20", "/users/%2F%3F", "https://a.example/%20/users/%2F%3F"),
            ("https://a.example/v3", "https://a.example/x", "https://a.example/x"),
            ("https://a.example/v3", "HTTPS://A.example:443/x", "HTTPS://A.example:443/x"),
            ("https://a.example", "/a;b=1/x", "https://a.example/a;b=1/x"),
            ("https://a.example", "/a..;b", "https://a.example/a..;b"),
            ("https://a.example", "/a%5Cb", "https://a.example/a%5Cb"),
            ("https://a.example", "/;..", "https://a.example/;.."),
            ("https://a.example", "/...;", "https://a.example/...;"),
        ]
    )
    func joined(_ base: String, _ url: String, _ expected: String) async {
        #expect(await called(url, base: base) == expected)
    }

    @Test(
        "an absolute URL of another origin is refused before anything is sent",
        arguments: ["http://a.example/", "//b.example/"]
    )
    func refused(_ url: String) async {
        #expect(await called(url, base: "https://a.example") == nil)
    }

    @Test("the refusal shows no credential")
    func redacted() async {
        let connector = Connector.stub(.hasResponse(Fixture.ok)).wrapped(by: .baseURL(Fixture.url))
        let input = Input(url: URL(string: "https://me:secret@b.example/?token=secret")!)
        let error = await WebAPI.call(with: input, via: connector).connectionError
        #expect(error?.name == "malformedURL")
        #expect(error?.description.contains("secret") == false)
    }

    @Test("another origin can be allowed, or be replaced by the base, as for a test server")
    func otherOrigins() async {
        let (base, url) = ("http://127.0.0.1:8080", "https://api.github.com/users/octocat?x=1")
        #expect(await called(url, base: base, others: .allowed) == url)
        #expect(await called(url, base: base, others: .moved) == "http://127.0.0.1:8080/users/octocat?x=1")
    }

    @Test(
        "dot segments can't leave the base",
        arguments: [
            "/../x", "a/../../x", "./x", "/%2e%2E/x", "..", "/a/%2e./x", "../\u{301}x", "../%FF", "/%2e%2e/%FF",
            "/..;/x", "/a/..;a=1/x", "/.;", "/%2e%2e;x/x", "/..%3Bx/x", "/..%5Cx", "/a%5c..", "/..\\x", "..\\..\\x",
        ]
    )
    func dotSegments(_ url: String) async {
        #expect(await called(url, base: "https://a.example/v3/tenant") == nil)
    }

    @Test("a base that is no http URL is an error for every URL", arguments: ["/v3", "ftp://a.example/", "a.example"])
    func noBase(_ base: String) async {
        #expect(await called("/x", base: base) == nil)
        #expect(await called("https://a.example/x", base: base) == nil)
    }

    @Test("a response has the URL that was called, of the innermost base, unless it has its own")
    func called() async throws {
        let base = try #require(URL(string: "https://a.example/v3"))
        let input = Input(url: try #require(URL(string: "/x")), queries: [.init(name: "a", value: "1")])
        let outer = try #require(URL(string: "https://a.example"))
        for wrappers in [[Wrapper.baseURL(base)], [.baseURL(base), .baseURL(outer)]] {
            let connector = Connector.stub(.hasResponse(Fixture.ok)).wrapped(by: .all(wrappers))
            let output = await WebAPI.call(with: input, via: connector)
            #expect(output.response?.url?.absoluteString == "https://a.example/v3/x?a=1")
            var expected = Fixture.ok
            expected.url = URL(string: "https://a.example/v3/x?a=1")
            #expect(output == .hasResponse(expected) && output != .hasResponse(Fixture.ok))
            expected.url = Fixture.url
            let own = Connector.stub(.hasResponse(expected)).wrapped(by: .all(wrappers))
            #expect(await WebAPI.call(with: input, via: own) == .hasResponse(expected))
        }
    }
}

struct BaseURLResolverTests {
    private static let bases = [
        "https://a.example", "https://a.example/", "https://a.example/v3", "https://a.example/v3//",
        "https://a.example/v3?k=1", "https://a.example?k=1", "https://a.example/?", "https://a.example/v3?k=1#f",
        "HTTPS://A.example:443/%20/x", "http://me:pw@a.example:8080/v3/", "http://[::1]:80/v3", "http://ü.example/ü",
    ]

    /// Parts of random URLs: plain ones, and misleading ones.
    private static let parts = [
        "a", "users", "/", "/", "//", ".", "..", "%2e", "%2F", "?", "?", "#", "&", "=", ":", "@", "a.b", "-", "%20",
        "%",
        "ü", "\\", "[", "]", "+", ",", ";", "~", "https:", "//b.example", "https://a.example", "é", "\u{301}", " ",
    ]

    private static let edges = [
        "/", "?", "#", "/?", "?a", "/a", "a", "a/", "a?b?c", "/a?b=/../c", "/a/..b", "/a./b", "/.a", "//", "///a",
        "/a//b",
        "https://a.example", "https://a.example/", "https://a.example?x", "https://a.example#x",
        "https://a.example:443/x",
        "https://a.example:8443/x", "https://a.example.evil/", "https://a.example@evil/", "https://a.example\\@evil/",
        "https://a.example\u{301}/", "http://me:pw@a.example:8080/x", "http://me:pw@a.example:80/x", "mailto:a@b",
        "a:b", "/a:b", "./a:b", ":x", "::", ":/x", "?a:b", "http://[::1]/x", "http:///x", "https:/x",
    ]

    private static func random(_ random: inout some RandomNumberGenerator) -> String {
        (0..<Int.random(in: 1...6, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
    }

    /// Returns the base with the parts of a URL, put together by Foundation.
    private func joined(_ url: URL, to base: URL) -> URL? {
        guard var components = URLComponents(url: base.absoluteURL, resolvingAgainstBaseURL: true),
            let relative = URLComponents(url: url, resolvingAgainstBaseURL: false),
            url.scheme == nil || Authority(of: url.relativeString) != nil,
            !URIEncoding.hasDotSegments(Array(relative.percentEncodedPath.utf8)[...])
        else { return nil }
        let path = relative.percentEncodedPath.drop { $0 == "/" }
        if !relative.percentEncodedPath.isEmpty {
            var base = components.percentEncodedPath
            while base.hasSuffix("/") { base.removeLast() }
            components.percentEncodedPath = base + "/" + path
        }
        let queries = [components.percentEncodedQuery, relative.percentEncodedQuery].compactMap { $0 }
        components.percentEncodedQuery = queries.isEmpty ? nil : queries.joined(separator: "&")
        components.percentEncodedFragment = relative.percentEncodedFragment
        return components.url
    }

    private func check(_ text: String, _ base: String) throws {
        guard let url = URL(string: text) else { return }
        let base = try #require(URL(string: base))
        let home = try #require(BaseURLResolver(base))
        let isOfOrigin = Origin(url) == Origin(base)
        #expect((home.relation(of: url) == .sameOrigin) == isOfOrigin, "\(text) from \(base)")
        #expect(home.joined(with: url)?.absoluteString == joined(url, to: base)?.absoluteString, "\(text) \(base)")
    }

    @Test("unusual URLs are joined as by components", arguments: bases)
    func edges(_ base: String) throws {
        for text in Self.edges { try check(text, base) }
    }

    @Test("random URLs are joined as by components", arguments: bases)
    func any(_ base: String) throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 { try check(Self.random(&random), base) }
    }

    @Test("a URL that is relative to another one is joined by its own text")
    func nested() throws {
        let home = try #require(URL(string: "https://a.example/v3").flatMap(BaseURLResolver.init))
        let other = try #require(URL(string: "https://b.example/"))
        let url = try #require(URL(string: "/x", relativeTo: other))
        #expect(home.relation(of: url) == .otherOrigin)
        #expect(home.joined(with: url)?.absoluteString == "https://a.example/v3/x")
    }

    @Test("a reference of a megabyte is joined in one pass")
    func long() throws {
        let path = "/" + String(repeating: "a", count: 1_000_000)
        let home = try #require(URL(string: "https://a.example/v3").flatMap(BaseURLResolver.init))
        let url = try #require(URL(string: path))
        let isJoined = home.joined(with: url)?.absoluteString == "https://a.example/v3" + path
        #expect(isJoined)
    }
}
