import Foundation
import StartSmall
import Testing

/// Strategies from one page to the next: pure functions.
struct PaginationStrategyTests {
    private let url = "https://api.example.com/things"

    private func context<Page>(
        _ page: Page,
        at url: String,
        queries: [URLQueryItem] = [],
        links: String...,
        redirections: [Redirection] = []
    ) -> PageContext<Page> {
        let headers = HTTPHeaders(links.map { .init(name: "Link", value: $0) })
        return PageContext(
            page: page,
            number: 1,
            input: Input(url: URL(string: url)!, queries: queries, headers: ["Accept": "text/plain"]),
            response: Response(statusCode: .ok, headers: headers, redirections: redirections)
        )
    }

    /// Returns the URL of the next page, with its queries.
    private func called(_ next: Either<ConnectionError, Input>?) -> String? {
        next?.right.map { URIEncoding.appending($0.queries, to: $0.url.absoluteString) }
    }

    // By link.

    @Test(
        "the next link is resolved against the URL of its page",
        arguments: [
            ("<https://api.example.com/things?page=2>; rel=next", "https://api.example.com/things?page=2"),
            ("<?page=2>; rel=next", "https://api.example.com/things?page=2"),
            ("</other>; rel=\"last next\"", "https://api.example.com/other"),
            ("<?page=9>; rel=last, <?page=2>; REL=NEXT", "https://api.example.com/things?page=2"),
            ("<?page=2>; rel=next; anchor=\"?page=1&size=5\"", "https://api.example.com/things?page=2"),
        ]
    )
    func link(_ field: String, _ expected: String) {
        let context = context("", at: url + "?page=1", queries: [.init(name: "size", value: "5")], links: field)
        #expect(called(PaginationStrategy.link().next(context)) == expected)
    }

    @Test(
        "a page without a next link of its own is the last one",
        arguments: ["", "<?page=1>; rel=prev", "<?page=2>", "<?page=2>; rel=next; anchor=\"/other\"", "junk"]
    )
    func lastLink(_ field: String) {
        #expect(PaginationStrategy.link().next(context("", at: url, links: field)) == nil)
    }

    @Test("anchors are resolved up to a maximum number, and against no URL that is too long")
    func anchors() {
        let other = [String](repeating: "<>; rel=next; anchor=x", count: WebLink.maximumAnchors).joined(separator: ", ")
        let own = "<?page=2>; rel=next; anchor=\"?page=1\""
        let first = context("", at: url + "?page=1#top", links: "\(own), \(other)")
        #expect(called(PaginationStrategy.link().next(first)) == url + "?page=2")
        let last = context("", at: url + "?page=1#top", links: "\(other), \(own)")
        #expect(PaginationStrategy.link().next(last) == nil)
        let itself = context("", at: url + "?page=1#top", links: "\(other), <?page=2>; rel=next; anchor=\"\"")
        #expect(called(PaginationStrategy.link().next(itself)) == url + "?page=2")
        let long = context(
            "",
            at: url + "?page=1&" + String(repeating: "a", count: WebLink.maximumTargetLength),
            links: own
        )
        #expect(PaginationStrategy.link().next(long) == nil)
    }

    @Test("many links with other anchors take no longer than linear time")
    func hostileAnchors() {
        Hostile.expectLinear("<>;rel=next;anchor=y,") { text in
            #expect(PaginationStrategy.link().next(context("", at: url + "?" + text, links: text)) == nil)
            #expect(PaginationStrategy.link().next(context("", at: url + "?" + text.prefix(7000), links: text)) == nil)
        }
    }

    @Test("another relation can be followed")
    func relation() {
        let context = context("", at: url, links: "<?page=0>; rel=prev")
        #expect(called(PaginationStrategy.link("prev").next(context)) == url + "?page=0")
    }

    @Test("the next request has the method, payload and headers of the request before it")
    func linkKeepsRequest() {
        let context = context("", at: url, links: "<?page=2>; rel=next")
        let next = PaginationStrategy.link().next(context)?.right
        #expect(next?.headers == context.input.headers)
        #expect(next?.methodAndPayload == context.input.methodAndPayload)
    }

    @Test("a next link without a valid URL is an error, not the end")
    func badLink() {
        let next = PaginationStrategy.link().next(context("", at: url, links: "<https://[?token=secret>; rel=next"))
        guard case .malformedURL(let info)? = next?.left else {
            Issue.record("\(String(describing: next))")
            return
        }
        #expect(!info.contains("secret"))
    }

    @Test("after a redirect, links are resolved against its target")
    func redirected() {
        let there = Redirection(from: Fixture.url, statusCode: .found, to: URL(string: "https://b.example/x/y")!)
        let context = context("", at: url, links: "<z>; rel=next", redirections: [there])
        #expect(called(PaginationStrategy.link().next(context)) == "https://b.example/x/z")
    }

    @Test("credentials in the URL are kept for a page of the same origin, and for no other")
    func userInfo() {
        let here = "https://user:password@api.example.com/things"
        let own = context("", at: here, links: "<https://api.example.com/things?page=2>; rel=next")
        #expect(called(PaginationStrategy.link().next(own)) == here + "?page=2")
        let foreign = context("", at: here, links: "<https://other.example/>; rel=next")
        #expect(called(PaginationStrategy.link().next(foreign)) == "https://other.example/")
    }

    // By number.

    @Test(
        "a number is counted on from its current value",
        arguments: [
            ("", [], "?page=2"),
            ("?page=5", [], "?page=6"),
            ("?size=5&page=5&q=a%2Bb", [], "?size=5&q=a%2Bb&page=6"),
            ("?p%61ge=5", [], "?page=6"),
            ("", [URLQueryItem(name: "page", value: "5"), URLQueryItem(name: "q", value: "a")], "?q=a&page=6"),
            ("?page=-1", [], "?page=0"),
        ]
    )
    func number(_ query: String, _ queries: [URLQueryItem], _ expected: String) {
        let context = context([1], at: url + query, queries: queries)
        #expect(called(PaginationStrategy.number().next(context)) == url + expected)
    }

    @Test("offsets are increased by the size of a page")
    func offset() {
        let strategy = PaginationStrategy<[Int]>.number(query: "offset", first: 0, step: 50)
        #expect(called(strategy.next(context([1], at: url))) == url + "?offset=50")
        #expect(called(strategy.next(context([1], at: url + "?offset=50"))) == url + "?offset=100")
    }

    @Test("an empty page is the last one, or the page for which the custom rule is true")
    func lastNumber() {
        #expect(PaginationStrategy.number().next(context([Int](), at: url)) == nil)
        #expect(PaginationStrategy.number(isLast: { $0 == "end" }).next(context("end", at: url)) == nil)
        #expect(PaginationStrategy.number(isLast: { $0 == "end" }).next(context("", at: url)) != nil)
    }

    @Test("a number without a successor is an error", arguments: ["?page=\(Int.max)", "?page=two", "?page=", "?page"])
    func uncountable(_ query: String) {
        #expect(PaginationStrategy.number().next(context([1], at: url + query))?.left?.name == "malformedURL")
    }

    // By cursor.

    @Test("a query item replaces all items of its name, in the URL and beside it, and all others stay")
    func settingQuery() throws {
        let first = Input(
            url: try #require(URL(string: "https://a.example/?page=1&q=a%2Bb&p%61ge=9#x")),
            queries: [.init(name: "page", value: "7"), .init(name: "size", value: "5")]
        )
        let second = first.settingQuery("page", to: "2")
        #expect(second.url.absoluteString == "https://a.example/?q=a%2Bb#x")
        #expect(second.queries == [.init(name: "size", value: "5"), .init(name: "page", value: "2")])
        #expect(second.settingQuery("page", to: "2") == second)
    }

    @Test("a cursor replaces the one before, whatever characters it has")
    func cursor() {
        let strategy = PaginationStrategy<String>.cursor(query: "after") { $0 }
        #expect(
            called(strategy.next(context("a&b=c#d", at: url + "?after=x&size=5")))
                == url + "?size=5&after=a%26b%3Dc%23d"
        )
    }

    @Test("no cursor, or an empty one, is the end", arguments: [nil, ""])
    func lastCursor(_ cursor: String?) {
        #expect(PaginationStrategy<String?>.cursor(query: "after", \.self).next(context(cursor, at: url)) == nil)
    }
}
