import Foundation
import TestSupport
import Testing

import StartSmallSupport
@testable import StartSmallCore
@testable import StartSmallStreams

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
            ("<>; rel=next; anchor=x, <?page=2>; rel=next; anchor=\"\"", "https://api.example.com/things?page=2"),
        ]
    )
    func link(_ field: String, _ expected: String) {
        let context = context("", at: url + "?page=1", queries: [.init(name: "size", value: "5")], links: field)
        #expect(called(PaginationStrategy.link().next(context)) == expected)
    }

    @Test(
        "a page without a next link of its own is the last one",
        arguments: [
            "", "<?page=1>; rel=prev", "<?page=2>", "junk", "<?page=2>; rel=next; anchor=\"/other\"",
            // Its own anchor, too: no API sends one.
            "<?page=2>; rel=next; anchor=\"/things\"",
        ]
    )
    func lastLink(_ field: String) {
        #expect(PaginationStrategy.link().next(context("", at: url, links: field)) == nil)
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

struct PaginationLoopDetectorTests {
    private func input(_ url: String, _ queries: [URLQueryItem] = []) throws -> Input {
        Input(url: try #require(URL(string: url)), queries: queries)
    }

    private func rejections(to urls: [String], alsoAt others: [String]) throws -> [String?] {
        let origins = others.compactMap { URL(string: $0).flatMap(Origin.init) }
        var pages = PaginationLoopDetector(limit: 10, origins: Set(origins))
        return try urls.map { url in
            switch pages.check(try input(url)) {
            case nil: nil
            case .repeated: "repeated"
            case .otherOrigin: "otherOrigin"
            case .tooMany: "tooMany"
            case .noResponse: "noResponse"
            }
        }
    }

    private static let first = "https://a.example/1"

    private static let cases: [(urls: [String], others: [String], found: [String?])] = [
        ([first, "https://a.example:443/2", "HTTPS://A.example/3"], [], [nil, nil, nil]),
        // With any fragment.
        ([first, "https://a.example/2", first], [], [nil, nil, "repeated"]),
        ([first, "https://a.example/2", first + "#x"], [], [nil, nil, "repeated"]),
        ([first, "https://b.example/", "https://c.example/"], ["https://b.example"], [nil, nil, "otherOrigin"]),
        // After a relative first URL, absolute ones only at an allowed origin.
        (["/1", "/2", "?page=3"], [], [nil, nil, nil]), (["/1", "https://a.example/2"], [], [nil, "otherOrigin"]),
        (["/1", "//a.example/2"], [], [nil, "otherOrigin"]),
        (["/1", "https://a.example/2"], ["https://a.example"], [nil, nil]),
        ((1...12).map { "/\($0)" }, [], Array(repeating: nil, count: 10) + ["tooMany", "tooMany"]),
    ]

    private static let elsewhere: [(urls: [String], others: [String], found: [String?])] = [
        "https://b.example/", "http://a.example/", "https://a.example:444/", "https://sub.a.example/",
        "ftp://a.example/", "/relative", "//b.example/",
    ].map { ([first, $0], [], [nil, "otherOrigin"]) }

    @Test(
        "a page is rejected that was visited, has an origin that is not allowed, or is over the limit, and no other",
        arguments: cases + elsewhere
    )
    func pages(_ urls: [String], _ others: [String], _ expected: [String?]) throws {
        #expect(try rejections(to: urls, alsoAt: others) == expected)
    }

    @Test("queries count, in the URL and beside it")
    func queries() throws {
        var pages = PaginationLoopDetector(limit: 10, origins: [])
        let first = pages.check(try input("https://a.example/?page=1"))
        let second = pages.check(try input("https://a.example/", [.init(name: "page", value: "2")]))
        let again = pages.check(try input("https://a.example/", [.init(name: "page", value: "1")]))
        #expect(first == nil)
        #expect(second == nil)
        #expect(again == .repeated(try #require(URL(string: "https://a.example/?page=1"))))
    }

    /// Returns whether each of three inputs to one URL, with the cursors 1, 2 and 1 elsewhere, is rejected.
    private func rejections(_ say: (String, inout Input) -> Void) throws -> [Bool] {
        var pages = PaginationLoopDetector(limit: 10, origins: [])
        return try ["1", "2", "1"].map { cursor in
            var input = try input("https://a.example/things")
            say(cursor, &input)
            return pages.check(input) != nil
        }
    }

    @Test("one URL with another payload, or with another cursor in its headers, is another page")
    func cursors() throws {
        let payloads = try rejections { cursor, input in
            input.methodAndPayload = .post(payload: Payload(.data(Data(cursor.utf8)), mediaType: .json))
        }
        let headers = try rejections { cursor, input in input.headers["X-Cursor"] = cursor }
        #expect(payloads == [false, false, true] && headers == [false, false, true])
    }

    @Test("after a wrapper completed a URL, pages of its origin are allowed, but not that URL again")
    func completed() throws {
        var pages = PaginationLoopDetector(limit: 3, origins: [])
        let first = try input("/1")
        var found = [pages.check(first)]
        pages.remember(first, calledAt: try #require(URL(string: "https://a.example/v3/1")))
        for url in ["https://a.example/v3/1", "https://b.example/2", "https://a.example/v3/2", "/3", "/4"] {
            found.append(pages.check(try input(url)))
        }
        let (again, other) = (try input("https://a.example/v3/1").url, try input("https://b.example/2").url)
        #expect(found == [nil, .repeated(again), .otherOrigin(other), nil, nil, .tooMany(limit: 3)])
    }
}

extension PaginationLoopDetector {
    fileprivate mutating func check(_ input: Input) -> PaginationError<Never>.Reason? { rejection(of: input) }
}

struct PaginationErrorTests {
    private typealias Failure = PaginationError<TransformError<Never>>

    // swift-format-ignore: NeverForceUnwrap
    private static let url = URL(string: "https://u:hunter2@a.example/list?page=2&token=hunter2")!
    private static let shown = "https://<redacted>@a.example/list?page=2&token=<redacted>"

    private static let reasons: [(Failure.Reason, String)] = [
        (.noResponse(.cancelled), "cancelled: the task was cancelled"),
        (.failed(.unexpectedStatusCode(Response(statusCode: .gone))), "unexpectedStatusCode: (410 Gone, 0 bytes)"),
        (.repeated(url), "the next page was already fetched: \(shown)"),
        (.otherOrigin(url), "the next page has another origin: \(shown)"),
        (.tooMany(limit: 3), "more than 3 pages"),
    ]

    @Test("page and reason are described on one line, without credentials, in every description", arguments: reasons)
    private func told(reason: Failure.Reason, text: String) {
        let failure = Failure(page: 2, reason: reason)
        var dumped = ""
        dump([failure], to: &dumped)
        dump(reason, to: &dumped)
        #expect("\(failure)" == "page 2: \(text)")
        #expect(String(reflecting: failure) == "page 2: \(text)")
        #expect(String(reflecting: reason) == text)
        #expect(dumped.contains(text) && !dumped.contains("hunter2"))
    }
}
