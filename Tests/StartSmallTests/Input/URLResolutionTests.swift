import Foundation
@testable import StartSmall
import Testing

struct URLResolutionTests {
    @Test(
        "a reference is what it means from a URL, whether Foundation is asked to look for dots or not",
        arguments: [
            ("", "https://h/a/b?c"), ("x", "https://h/a/x"), ("../x", "https://h/x"), ("?x=/./", "https://h/a/b?x=/./"),
            ("/a/./b", "https://h/a/b"), ("/.a", "https://h/.a"), ("//g/a/../b", "https://g/b"),
            ("https://g/a/../b", "https://g/b"), ("https://g/a.b", "https://g/a.b"), ("https:g", "https://g"),
            ("https://\u{E9}/x", "https://xn--9ca/x"), ("#f", "https://h/a/b?c#f"), ("a b", "https://h/a/a%20b"),
        ]
    )
    func meaning(_ reference: String, _ expected: String) throws {
        let url = try #require(URL(string: "https://h/a/b?c")?.resolving(reference))
        #expect(url.absoluteString == expected)
        #expect(url.baseURL == nil)
        #expect(url.host() == URL(string: expected)?.host())
    }

    @Test("one step up too many leads to the top", arguments: ["..", "../", "../x", ".", "./x"])
    func top(_ reference: String) throws {
        let base = try #require(URL(string: "https://h/a"))
        let expected = reference.hasSuffix("x") ? "https://h/x" : "https://h/"
        #expect(base.resolving(reference)?.absoluteString == expected)
    }

    @Test("the dots of the URL itself go, too")
    func dotsOfBase() throws {
        let base = try #require(URL(string: "https://h/a/../b/./c"))
        #expect(base.resolving("?x")?.absoluteString == "https://h/b/c?x")
    }
}
