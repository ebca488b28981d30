import Foundation
import StartSmall
import Testing
@testable import StartSmallStreams

struct LinkHeaderTests {
    private func links(_ fields: String...) -> [WebLink] {
        Response(statusCode: .ok, headers: HTTPHeaders(fields.map { .init(name: "link", value: $0) })).links
    }

    private func parameters(_ field: String) -> [[String]] {
        links(field).flatMap { $0.parameters.map { [$0.name, $0.value] } }
    }

    @Test(
        "commas and semicolons belong to the target inside of <>, and to a value inside of quotes",
        arguments: [
            #"</a,b;c=">; rel="x,y;z", </d>"#,
            #"</a,b;c=">;rel="x,y;z",</d>"#,
            #"  </a,b;c=">  ;  rel  =  "x,y;z"  ,  </d>  "#,
        ]
    )
    func marks(_ field: String) {
        let links = links(field)
        #expect(links.map(\.reference) == ["/a,b;c=\"", "/d"])
        #expect(links.first?["rel"] == "x,y;z")
    }

    @Test(
        "a link has several relations, compared case-insensitively",
        arguments: [
            (#"</>; rel="Next  LAST""#, ["next", "last"]),
            ("</>; rel=NEXT", ["next"]),
            ("</>; REL=next; rel=prev", ["next"]),
            (#"</>; rel="next https://example.com/Rel""#, ["next", "https://example.com/rel"]),
            ("</>", []),
            (#"</>; rel="""#, []), ("</>; rel=\"next \u{301}prev\"", ["next", "\u{301}prev"]),
        ]
    )
    func relations(_ field: String, _ expected: [String]) {
        #expect(links(field).first?.relations == expected)
        for relation in expected { #expect(links(field).first?.isOf(relation.uppercased()) == true) }
        #expect(links(field).first?.isOf("prev") == false)
    }

    @Test("the links of several fields are in order, and the case of a parameter's name has no meaning")
    func names() {
        #expect(links("</a>, </b>", "</c>").map(\.reference) == ["/a", "/b", "/c"])
        #expect(links("</>; Title=a").first?["TITLE"] == "a")
        #expect(WebLink(to: "/", parameters: [.init("Title", "a")]).title == "a")
    }

    @Test("the description and the dump of a link hide credentials")
    func redaction() {
        let link = WebLink(to: "/a?token=b", parameters: [.init("rel", "next")])
        var dumped = ""
        dump(link, to: &dumped)
        #expect("\(link)" == "</a?token=<redacted>>; rel=next" && !dumped.contains("token=b"))
    }

    @Test(
        "parameters are parsed as servers write them",
        arguments: [
            ("</>; a", [["a", ""]]),
            ("</>; a=", [["a", ""]]),
            ("</>; a= b c ", [["a", "b c"]]),
            ("</>; A=B", [["a", "B"]]),
            (#"</>; a="b\"c\\d\e""#, [["a", #"b"c\de"#]]),
            (#"</>; a="open"#, [["a", "open"]]),
            (#"</>; a="open\"#, [["a", "open"]]),
            ("</>;;; a=1;", [["a", "1"]]), ("</>; rel=a; rel=b", [["rel", "a"], ["rel", "b"]]),
            ("", []), (" \t", []), (",", []),
            ("</>; =x; a=1", [["a", "1"]]),
        ]
    )
    func written(_ field: String, _ expected: [[String]]) {
        #expect(parameters(field) == expected)
    }

    @Test("a link also has a title, an anchor, a language, media and a type")
    func attributes() {
        let field = ##"</>; title="A b"; anchor="#c"; hreflang=en; media=screen; type="text/html""##
        let link = links(field)[0]
        #expect(link.title == "A b")
        #expect(link["anchor"] == "#c")
        #expect(link["hreflang"] == "en")
        #expect(link["media"] == "screen")
        #expect(link["type"] == "text/html")
    }

    @Test(
        "an encoded title takes precedence over a plain one, unless it can't be decoded (RFC 8187)",
        arguments: [
            ("UTF-8'en'%e2%82%ac%20rates", "€ rates"),
            ("utf-8''%E2%82%AC", "€"), ("\"UTF-8''%e2%82%ac\"", "€"),
            ("iso-8859-1'en'%A3%20rates", "£ rates"),
            ("UTF-8''%EF%BB%BFa", "\u{FEFF}a"),
            ("UTF-8''%ff", "plain"),
            ("UTF-8''%e", "%e"),
            ("UTF-8''%", "%"),
            ("UTF-8''a b", "a b"),
            ("UTF-8'en", "plain"),
            ("koi8-r''%c1", "plain"),
            ("", "plain"),
        ]
    )
    func encodedTitle(_ value: String, _ expected: String) {
        #expect(links("</>; title=plain; title*=\(value)").first?.title == expected)
    }

    @Test(
        "a malformed link is left out, and the other links of its field and of other fields are kept",
        arguments: ["x", "<", "</b", "</b>; \u{0}=\u{7F}; \u{FFFD}", "<>>", "x=\"<"]
    )
    func broken(_ rest: String) {
        let references = links("\(rest.contains("<") ? "" : rest), </a>, \(rest)", "</z>").map(\.reference)
        #expect(references.first == "/a")
        #expect(references.last == "/z")
    }

    @Test(
        "malformed text in a link is skipped, and the rest of the link and the next link are kept",
        arguments: [
            "</b>; a=\"b\" c; rel=next, </d>", "</b> c; rel=next, </d>", "</b>; rel=next; a b=c, </d>",
            "</b>\"; rel=next, </d>", "</b>; rel=\"next\"c=d, </d>",
        ]
    )
    func brokenInside(_ field: String) {
        #expect(links(field).map(\.reference) == ["/b", "/d"])
        #expect(links(field).first?.relations == ["next"])
    }

    // MARK: - Targets

    private let page = URL(string: "https://api.example.com/v1/things?page=1#top")!

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
            ("", "https://api.example.com/v1/things?page=1#top"), ("https://[", nil),
        ] as [(String, String?)]
    )
    func targets(_ reference: String, _ expected: String?) {
        #expect(WebLink(to: reference).target(from: page)?.absoluteString == expected)
    }

    @Test("a target that is too long is nil")
    func tooLong() {
        let longest = "/" + String(repeating: "a", count: WebLink.maximumTargetLength - 1)
        #expect(WebLink(to: longest).target(from: page) != nil)
        #expect(WebLink(to: longest + "a").target(from: page) == nil)
    }

    @Test("the base of a response is the URL that was called, with its queries, or that answered after redirects")
    func base() throws {
        let input = Input(url: URL(string: "https://api.example.com/a?b=1")!, queries: [.init(name: "c", value: "2")])
        let there = URL(string: "https://other.example/z")!
        let redirection = Redirection(from: input.url, statusCode: .found, to: there)
        #expect(Response(statusCode: .ok).base(of: input).absoluteString == "https://api.example.com/a?b=1&c=2")
        #expect(Response(statusCode: .ok, redirections: [redirection]).base(of: input) == there)
        #expect(Response(statusCode: .ok, redirections: [redirection], url: page).base(of: input) == page)
    }
}
