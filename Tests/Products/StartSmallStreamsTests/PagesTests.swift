import Foundation
import StartSmall
import StartSmallStreams
import StartSmallTesting
import TestSupport
import Testing

struct PagesTests {
    private let sent = Recorder<Input>()
    private let numbers = Endpoint.json([Int].self, .get("https://api.example.com/p1"))

    /// Serves pages `/p1`, `/p2`, … of two numbers each, the last one without a link.
    private func server(pages: Int) -> Connector {
        .stub(recording: sent) { input in
            let page = Int(input.url.path().dropFirst(2)) ?? 0
            let link: HTTPHeaders = page < pages ? ["Link": "</p\(page + 1)>; rel=next"] : [:]
            return .json("[\(page * 10), \(page * 10 + 1)]", headers: link)
        }
    }

    private var paths: [String] { sent.elements.map { $0.url.path() } }

    private func pages(limit: Int = 10, via connector: Connector) -> PageStream<TransformError<Never>, [Int]> {
        numbers.pages(by: .link(), limit: limit).stream(via: connector)
    }

    @Test("all pages are returned in order, and then nil")
    func pages() async {
        let elements = await all(pages(via: server(pages: 3)))
        #expect(elements == [.right([10, 11]), .right([20, 21]), .right([30, 31])])
        #expect(paths == ["/p1", "/p2", "/p3"])
    }

    @Test("an empty page among others has no items, and does not end the pages")
    func emptyPage() async {
        let stub = Connector.stub(routes: [
            "GET /p1": .json("[]", headers: ["Link": "</p2>; rel=next"]),
            "GET /p2": .json("[1]"),
        ])
        #expect(await all(numbers.pages(by: .link()).items(via: stub)) == [.right(1)])
    }

    @Test("a page is fetched when it is requested, and not before")
    func lazy() async throws {
        var iterator = numbers.pages(by: .link()).items(via: server(pages: 3)).makeAsyncIterator()
        #expect(paths.isEmpty)
        _ = try await iterator.next()
        _ = try await iterator.next()
        #expect(paths == ["/p1"])
        _ = try await iterator.next()
        #expect(paths == ["/p1", "/p2"])
    }

    @Test("a failure is the last element, contains the number of its page, and no call is made after it")
    func failure() async {
        let gone = Response(statusCode: .gone)
        let outputs: [Output] = [.json("[1]", headers: ["Link": "</p2>; rel=next"]), .hasResponse(gone), .json("[2]")]
        let failure = PaginationError(page: 2, reason: .failed(TransformError<Never>.unexpectedStatusCode(gone)))
        #expect(await all(pages(via: .stub(sequence: outputs, recording: sent))) == [.right([1]), .left(failure)])
        #expect(sent.elements.count == 2)
    }

    @Test("a loop of pages is a failure, and the repeated page is not fetched again")
    func circle() async throws {
        let stub = Connector.stub(.json("[1]", headers: ["Link": "</p1>; rel=next"]), recording: sent)
        let url = try #require(URL(string: "https://api.example.com/p1"))
        #expect(await all(pages(via: stub)) == [.right([1]), .left(PaginationError(page: 2, reason: .repeated(url)))])
        #expect(sent.elements.count == 1)
    }

    @Test("another origin is a failure, and gets no credentials")
    func otherOrigin() async throws {
        let link: HTTPHeaders = ["Link": "<https://evil.example/p2>; rel=next"]
        let stub = Connector.stub(.json("[1]", headers: link), recording: sent)
        let url = try #require(URL(string: "https://evil.example/p2"))
        #expect(
            await all(pages(via: stub)) == [.right([1]), .left(PaginationError(page: 2, reason: .otherOrigin(url)))]
        )
        #expect(sent.elements.count == 1)
    }

    @Test("links may lead to the origin at which a wrapper called a page, and to none that a redirect led to")
    func originsOfWrappers() async throws {
        let other = try #require(URL(string: "https://other.example/p1"))
        let engine = Connector { input in
            let isLast = input.headers["X-Page"] == "/p2"
            let links: HTTPHeaders = isLast ? [:] : ["Link": "<https://other.example/p2>; rel=next"]
            return .hasResponse(Response(statusCode: .ok, headers: links, payload: Data("[1]".utf8), url: input.url))
        }
        let mirror = Wrapper { input, next in
            await next(
                input.with {
                    $0.headers["X-Page"] = $0.url.path()
                    $0.url = other
                }
            )
        }
        #expect(await all(pages(via: engine.wrapped(by: mirror))) == [.right([1]), .right([1])])
        let redirecting = Wrapper { input, next in
            input.url == other ? await next(input) : .status(.found, headers: ["Location": other.absoluteString])
        }
        let failure = PaginationError<TransformError<Never>>.Reason.otherOrigin(
            try #require(URL(string: "https://other.example/p2"))
        )
        let elements = await all(pages(via: engine.wrapped(by: .redirect(), redirecting)))
        #expect(elements == [.right([1]), .left(PaginationError(page: 2, reason: failure))])
    }

    @Test("endless pages are a failure at the limit, after all pages up to it")
    func tooMany() async {
        let elements = await all(pages(limit: 3, via: server(pages: .max)))
        #expect(elements.count == 4)
        #expect(elements.last == .left(PaginationError(page: 4, reason: .tooMany(limit: 3))))
        #expect(sent.elements.count == 3)
    }

    @Test("pages are a value: no call is made before a connector is given, and the first request can be changed")
    func value() async {
        var pages = numbers.pages(by: .link())
        pages.first = pages.first.with { $0.headers["Prefer"] = "wait=1" }
        #expect(sent.elements.isEmpty)
        #expect(await all(pages.stream(via: server(pages: 2))) == [.right([10, 11]), .right([20, 21])])
        #expect(await all(pages.items(via: server(pages: 1))) == [.right(10), .right(11)])
        #expect(sent.elements.map { $0.headers["Prefer"] } == ["wait=1", "wait=1", "wait=1"])
    }

    @Test("each iteration starts at the first page, and remembers no visited page")
    func twice() async {
        let pages = pages(via: server(pages: 2))
        #expect(await all(pages) == all(pages))
        #expect(paths == ["/p1", "/p2", "/p1", "/p2"])
    }

    @Test("cancelling the iterating task ends the items, also within a page")
    func cancelledItems() async {
        let items = numbers.pages(by: .link()).items(via: server(pages: 3))
        let task = Task {
            var seen = 0
            for await _ in items {
                seen += 1
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return seen
        }
        #expect(await task.value == 1)
    }

    @Test("a custom strategy has the page, its number, its input and its response")
    func ownWay() async {
        let strategy = PaginationStrategy<[Int]> { context in
            guard context.number < 3, context.response.statusCode == .ok, !context.page.isEmpty else { return nil }
            var input = context.input
            input.url = URL(string: "https://api.example.com/p\(context.number + 1)") ?? input.url
            return .right(input)
        }
        let elements = await all(numbers.pages(by: strategy).stream(via: server(pages: 0)))
        #expect(elements == [.right([10, 11]), .right([20, 21]), .right([30, 31])])
    }

    @Test(
        "inside of .baseURL, links are resolved against the URL that was called, of which a loop is detected",
        arguments: ["https://a.example", "https://a.example/v3"],
        ["%@/issues?page=2", "/v3/issues?page=2", "?page=2", "issues?page=2"]
    )
    func baseURL(_ base: String, _ link: String) async {
        let link = link.replacingOccurrences(of: "%@", with: base)
        let connector = Connector.stub(.json("[1]", headers: ["Link": "<\(link)>; rel=next"]), recording: sent)
            .wrapped(by: .baseURL(URL(string: base)!))
        let elements = await all(Endpoint.json([Int].self, .get("/issues")).pages(by: .link()).stream(via: connector))
        let second = link.hasPrefix("/") ? "https://a.example/v3/issues?page=2" : "\(base)/issues?page=2"
        #expect(sent.elements.map(\.url.absoluteString) == ["\(base)/issues", second])
        #expect(elements.last == .left(PaginationError(page: 3, reason: .repeated(URL(string: second)!))))
    }
}
