import Foundation
import StartSmall
import Testing

struct LinkHeaderTests {
    private func links(_ fields: String...) -> [WebLink] {
        Response(statusCode: .ok, headers: HTTPHeaders(fields.map { .init(name: "link", value: $0) })).links
    }

    private func parameters(_ field: String) -> [[String]] {
        links(field).flatMap { $0.parameters.map { [$0.name, $0.value] } }
    }

    @Test("the Link field of GitHub has two links, each with its relation")
    func gitHub() {
        let links = links(
            #"<https://api.github.com/repositories/1/issues?page=2>; rel="next", "#
                + #"<https://api.github.com/repositories/1/issues?page=9>; rel="last""#
        )
        #expect(links.map(\.reference.last) == ["2", "9"])
        #expect(links.map(\.relations) == [["next"], ["last"]])
    }

    @Test("a missing or empty field has no link", arguments: [[], [""], [" \t"], [","]])
    func empty(_ fields: [String]) {
        let headers = HTTPHeaders(fields.map { .init(name: "Link", value: $0) })
        #expect(Response(statusCode: .ok, headers: headers).links.isEmpty)
    }

    @Test("the links of several fields are in order")
    func severalFields() {
        #expect(links("</a>, </b>", "</c>").map(\.reference) == ["/a", "/b", "/c"])
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
            ("</>; REL=next", ["next"]),
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

    @Test("the case of a parameter's name has no meaning, in a field or in code")
    func names() {
        #expect(links("</>; Title=a").first?["TITLE"] == "a")
        #expect(WebLink(to: "/", parameters: [.init("Title", "a")]).title == "a")
    }

    @Test("of two parameters with the same name the first counts, and the other is kept")
    func twice() {
        let link = links("</>; rel=next; rel=prev").first
        #expect(link?.relations == ["next"])
        #expect(link?.parameters.count == 2)
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
            ("</>;;; a=1;", [["a", "1"]]),
            ("</>; =x; a=1", [["a", "1"]]),
        ]
    )
    func written(_ field: String, _ expected: [[String]]) {
        #expect(parameters(field) == expected)
    }

    @Test("a link also has a title, an anchor, languages, media and a type")
    func attributes() {
        let link = links(##"</>; title="A b"; anchor="#c"; hreflang=en; hreflang=ja; media=screen; type="text/html""##)[
            0
        ]
        #expect(link.title == "A b")
        #expect(link["anchor"] == "#c")
        #expect(link.languages == ["en", "ja"])
        #expect(link["media"] == "screen")
        #expect(link["type"] == "text/html")
    }

    @Test(
        "an encoded title takes precedence over a plain one, unless it can't be decoded (RFC 8187)",
        arguments: [
            ("UTF-8'en'%e2%82%ac%20rates", "€ rates"),
            ("utf-8''%E2%82%AC", "€"),
            ("iso-8859-1'en'%A3%20rates", "£ rates"),
            ("UTF-8''%EF%BB%BFa", "\u{FEFF}a"),
            ("UTF-8''%ff", "plain"),
            ("UTF-8''%e", "plain"),
            ("UTF-8''%", "plain"),
            ("UTF-8''a b", "plain"),
            ("UTF-8'en", "plain"),
            ("koi8-r''%c1", "plain"),
            ("", "plain"),
        ]
    )
    func encodedTitle(_ value: String, _ expected: String) {
        #expect(links("</>; title=plain; title*=\(value)").first?.title == expected)
    }

    @Test("an encoded title in quotes is decoded")
    func quotedEncodedTitle() {
        #expect(links(#"</>; title*="UTF-8''%e2%82%ac""#).first?.title == "€")
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

    @Test(
        "parsing takes linear time in the length of the fields",
        arguments: [
            "<", "<>", "<>,", ";", "</>;", "\"", "\\", "</>;a=\"\\", "</>;a=b;", "%", "a", "</>;a*=UTF-8''%41",
            Hostile.accents,
        ]
    )
    func hostile(_ pattern: String) {
        Hostile.expectLinear(pattern) { field in
            let starts = ["", "</>; title*=\"UTF-8''", "</>; rel=\"", "</>; title*=\"", "</>;", "</>; anchor=\"", "<"]
            for start in starts {
                for link in links(start + field) {
                    _ = (link.isOf("next"), link["rel"], link.languages, link.title)
                    _ = link == WebLink(to: "/")
                }
            }
        }
    }

    @Test("a link's description hides credentials")
    func description() {
        let link = WebLink(to: "/a?token=secret", parameters: [.init("rel", "next")])
        #expect("\(link)" == "</a?token=<redacted>>; rel=next")
        #expect(!String(reflecting: link).contains("secret"))
        var dumped = ""
        dump(link, to: &dumped)
        #expect(!dumped.contains("secret"))
    }

    @Test("equal links are one element of a set, and links that only look alike are two")
    func set() {
        #expect(Set([WebLink(to: "/a"), WebLink(to: "/a"), WebLink(to: "/b")]).count == 2)
        #expect(Set([WebLink(to: "\u{E9}"), WebLink(to: "e\u{301}")]).count == 2)
    }
}
