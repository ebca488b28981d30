import Foundation
import StartSmall
import Testing

private func url(_ template: String, _ value: URITemplate.Value) throws -> Either<ConnectionError, String> {
    try URITemplate(template).url(["x": value, "z": ""]).map(\.absoluteString)
}

struct URITemplateStructureTests {
    @Test(
        "a path segment that values make empty, . or .. is refused",
        arguments: [
            ("/{x}", ""), ("/{x}", "."), ("/{x}", ".."), ("/{x}/a", ""), ("/a/{x}?b", ".."), ("/{x}#b", ""),
            ("/{x}{x}", "."), ("/.{x}", "."), ("/{x}.", "."), ("/.{x}", ""), ("/%2e{x}", "."), ("/%2E{x}", ""),
            ("https://h/{x}", ".."), ("{x}", ""), ("/{x}", nil), ("/a/{x}/b", nil), ("/{x}{?x}", ""), ("/{x:2}", "..a"),
            ("/{x}", [""]), ("/{x*}", [".."]), ("https://{x}/", ""), ("/{x};a", ".."), ("/{x};a", ""), ("/{x}{;z}", ""),
            ("/{x}{;x}", ".."), ("/.{x};a", "."),
        ] as [(String, URITemplate.Value)]
    )
    func vanishing(_ template: String, _ value: URITemplate.Value) throws {
        #expect(try url(template, value).left?.name == "malformedURL")
    }

    @Test(
        "any other path segment, and any value in the query, is allowed",
        arguments: [
            ("/{x}", "...", "/..."), ("/{x}", "%2e", "/%252e"), ("/{x}", " ", "/%20"), ("/{x}", "/", "/%2F"),
            ("/a{x}", "", "/a"), ("/a{x}", "..", "/a.."), ("/?{x}", "", "/?"), ("/?a=/{x}/", "..", "/?a=/../"),
            ("/#{x}", ".", "/#."), ("/../{x}", "a", "/../a"), ("//{x}", "a", "//a"), ("/./a?{x}", "", "/./a?"),
            ("/{x}", "\u{2024}", "/%E2%80%A4"), ("/{?x}", "..", "/?x=.."), ("/{#x}", "..", "/#.."),
            ("/{#x}", "a/../b", "/#a/../b"), ("/a{?x}", "", "/a?x="), ("/{x,x}", "", "/,"),
            ("/{x}", "a/../b", "/a%2F..%2Fb"), ("/{x};a", "..b", "/..b;a"), ("/a/;v={x}", "1", "/a/;v=1"),
            ("/a;v={x}", "", "/a;v="), ("/{x}", "..;a", "/..%3Ba"),
        ] as [(String, URITemplate.Value, String)]
    )
    func staying(_ template: String, _ value: URITemplate.Value, _ expected: String) throws {
        #expect(try url(template, value) == .right(expected))
    }

    @Test(
        "segments that a value adds with {/x} may not be empty, . or .. either",
        arguments: [
            ("/a{/x}", ""), ("/a{/x}", ".."), ("/a{/x*}", ["b", ""]), ("/a{/x*}", ["", "b"]),
            ("/a{/x*}", ["b", "..", "c"]), ("/a{/x*}/b", ["."]), ("/a{/x}.", "."), ("/{.x}", ""), ("/{.x}", "."),
            ("/a{/x,z}", "b"), ("{/x}", ""),
        ] as [(String, URITemplate.Value)]
    )
    func pathExpressions(_ template: String, _ value: URITemplate.Value) throws {
        #expect(try url(template, value).left?.name == "malformedURL")
    }

    @Test(
        "{/x*} and {+x} expand to a path of many segments",
        arguments: [
            ("https://h{/x*}", ["a b", "c/d"], "https://h/a%20b/c%2Fd"),
            ("https://h/{+x}", "a b/c", "https://h/a%20b/c"),
            ("https://h/{+x}", "a//b/", "https://h/a//b/"), ("https://h{+x}", "/a", "https://h/a"),
            ("https://h{+x}/b", "", "https://h/b"), ("https://h/{+x}", "...", "https://h/..."),
            ("https://h/{+x}", "a?b=../c", "https://h/a?b=../c"), ("https://h/{+x}", "a#/../b", "https://h/a#/../b"),
            ("https://h/a?next={+x}", "/../b", "https://h/a?next=/../b"),
            ("{+x}/users", "https://h/v3", "https://h/v3/users"),
            ("{+x}", "/a/b", "/a/b"), ("https://h{+x}", "?a=@b", "https://h?a=@b"), ("/a{+x}", "/b", "/a/b"),
            ("https://h/a{+x}", "@b:c", "https://h/a@b:c"), ("https://h/{+x}", "[", "https://h/%5B"),
        ] as [(String, URITemplate.Value, String)]
    )
    func reserved(_ template: String, _ value: URITemplate.Value, _ expected: String) throws {
        #expect(try url(template, value) == .right(expected))
    }

    @Test(
        "a value in {+x} may neither climb out of its path nor vanish",
        arguments: [
            ("https://h/a/{+x}", "..%2fb"), ("https://h/a/{+x}", "b/..;/c"), ("https://h/a/{+x}", "..%5cb"),
            ("https://h/a/{+x}", ".."), ("https://h/a/{+x}", "b/../c"), ("https://h/a/{+x}", "b/.."),
            ("https://h/a/{+x}", "../b"), ("https://h/a/{+x}", "%2e%2E/b"), ("https://h/a/{+x}", ".%2e"),
            ("https://h/a{+x}", "/../b"), ("https://h/.{+x}", "./b"), ("https://h/a/{+x}.", "."),
            ("https://h/a/{+x}", ""), ("https://h/a/{+x}/b", nil), ("https://h/a/{+x}", "/b"),
            ("/{+x}", "/evil.example"), ("{+x}/..{z}", "https://h"), ("https://h/{+x}", "..?a"),
            ("https://h/{+x}", ".#a"),
        ] as [(String, URITemplate.Value)]
    )
    func climbing(_ template: String, _ value: URITemplate.Value) throws {
        #expect(try url(template, value).left?.name == "malformedURL")
    }

    @Test(
        "a value in {+x} never changes the host",
        arguments: [
            ("https://api.example.com{+x}", "@evil.example/"), ("https://api.example.com{+x}", ".evil.example"),
            ("https://api.example.com{+x}", ":80@evil.example"), ("https://{+x}/", "evil.example"),
            ("//api.example.com{+x}", "@evil.example/"), ("https://{+x}.example.com/", "evil.example/"),
            ("https://joe{+x}", "@evil.example"), ("https://h{+x}", "\\@evil.example"),
            ("https://{z}h{+x}", "@evil.example"),
        ]
    )
    func hosts(_ template: String, _ value: String) throws {
        let error = try url(template, .string(value)).left
        #expect(error?.debugInfo == "{+x} must not change the host: \(template)")
        // A host that begins in one value may not continue in another one.
        let two = try URITemplate("{+base}{+path}")
        #expect(two.url(["base": "https://h", "path": "/a"]).right?.absoluteString == "https://h/a")
        #expect(two.url(["base": "https://h", "path": value]).left?.name == "malformedURL")
    }
}
