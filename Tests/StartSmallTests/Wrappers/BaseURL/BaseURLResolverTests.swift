import Foundation
import Testing

@testable import StartSmall

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
        "a:b", "/a:b", "./a:b", "?a:b", "http://[::1]/x", "http:///x", "https:/x",
    ]

    private static func random(_ random: inout some RandomNumberGenerator) -> String {
        (0..<Int.random(in: 1...6, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
    }

    /// Returns the relation of a URL to the base by the slow path through Foundation.
    private func relation(of url: URL, from base: URL) -> BaseURLResolver.OriginRelation {
        if Origin(url) == Origin(base) { return .sameOrigin }
        return url.scheme != nil || url.host != nil ? .otherOrigin : .relative
    }

    private func check(_ text: String, _ base: String) throws {
        guard let url = URL(string: text) else { return }
        let base = try #require(URL(string: base))
        let home = try #require(BaseURLResolver(base))
        #expect(home.relation(of: url) == relation(of: url, from: base), "\(text) from \(base)")
        #expect(
            home.joined(with: url)?.absoluteString == home.joinedByParts(with: url)?.absoluteString,
            "\(text) \(base)"
        )
    }

    @Test("unusual URLs are joined as text as they are by components", arguments: bases)
    func edges(_ base: String) throws {
        for text in Self.edges { try check(text, base) }
    }

    @Test("random URLs are joined as text as they are by components", arguments: bases)
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
        #expect(home.joined(with: url)?.absoluteString == home.joinedByParts(with: url)?.absoluteString)
    }

    @Test(
        "a base that is no absolute http URL is no base",
        arguments: ["/v3", "ftp://a.example/", "a.example", "https://"]
    )
    func none(_ base: String) throws {
        let url = try #require(URL(string: base))
        #expect(BaseURLResolver(url) == nil)
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
