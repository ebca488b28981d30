import Foundation
import StartSmallTesting
import Testing

@testable import StartSmallCore
@testable import StartSmallEngines

/// The check for URLs that are sent as they are, against the one that takes each URL apart.
@Suite("plain URLs") struct PlainURLTests {
    @Test(
        "a URL of scheme, host, port and target is plain, and one that is relative has that of its absolute form",
        arguments: [
            "http://a", "https://a/", "http://127.0.0.1:8080/user?a=b", "https://api.example.com/a%20b?c=%23",
            "https://a.example?q", "https://a:1", "https://a:65535/", "https://a_b~c-d/@:/?@",
        ]
    )
    func plain(_ url: String) throws {
        #expect(PlainURL.isPlain(url))
        let relative = try #require(URL(string: "users?page=2", relativeTo: URL(string: "https://h/v1/")))
        let plain = try #require(WireTarget(plain: Input(url: relative)))
        #expect(plain.url.absoluteString == "https://h/v1/users?page=2" && plain.url.baseURL == nil)
    }

    @Test("a plain URL has the target that the parts of the URL have", arguments: UInt64(0)..<64)
    func sameTarget(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "http://", "https://", "HTTP://", "a", "example.com", "[::1]", "%41", "user@", ":", "80", "65536", "/", "?",
            "#", "a=b", "%2F", "..", "@", "é", "//",
        ]
        for _ in 0..<200 {
            let text = (0..<Int(random.next() % 8)).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }
            guard let url = URL(string: text.joined()) else { continue }
            let input = Input(url: url)
            guard let plain = WireTarget(plain: input) else { continue }
            let parsed = try WireTarget(parsing: input)
            #expect(plain.url == parsed.url && plain.url.absoluteString == parsed.url.absoluteString)
            #expect(plain.authorization == nil && parsed.authorization == nil)
        }
    }
}
