import Foundation
import StartSmall
import StartSmallTesting
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

    private func all<S: AsyncSequence>(_ sequence: S) async -> [S.Element] where S.Failure == Never {
        var elements: [S.Element] = []
        for await element in sequence { elements.append(element) }
        return elements
    }

    private func pages(limit: Int = 10, via connector: Connector) -> Pages<TransformError<Never>, [Int]> {
        numbers.pages(by: .link(), limit: limit, via: connector)
    }

    @Test("all pages are returned in order, and then nil")
    func pages() async {
        let elements = await all(pages(via: server(pages: 3)))
        #expect(elements == [.right([10, 11]), .right([20, 21]), .right([30, 31])])
        #expect(paths == ["/p1", "/p2", "/p3"])
    }

    @Test("all items are returned in order")
    func items() async {
        #expect(await all(pages(via: server(pages: 2)).items) == [.right(10), .right(11), .right(20), .right(21)])
    }

    @Test("an empty page among others has no items, and does not end the pages")
    func emptyPage() async {
        let stub = Connector.stub(routes: [
            "GET /p1": .json("[]", headers: ["Link": "</p2>; rel=next"]),
            "GET /p2": .json("[1]"),
        ])
        #expect(await all(pages(via: stub).items) == [.right(1)])
    }

    @Test("a page is fetched when it is requested, and not before")
    func lazy() async throws {
        var iterator = pages(via: server(pages: 3)).items.makeAsyncIterator()
        #expect(paths.isEmpty)
        _ = try await iterator.next()
        _ = try await iterator.next()
        #expect(paths == ["/p1"])
        _ = try await iterator.next()
        #expect(paths == ["/p1", "/p2"])
    }

    @Test("a failure is the last element, and contains the number of its page")
    func failure() async {
        let gone = Response(statusCode: .gone)
        let stub = Connector.stub(sequence: [
            .json("[1]", headers: ["Link": "</p2>; rel=next"]), .hasResponse(gone),
        ])
        #expect(
            await all(pages(via: stub)) == [
                .right([1]), .left(PaginationError(page: 2, reason: .failed(.unexpectedStatusCode(gone)))),
            ]
        )
    }

    @Test("a lost connection is a failure, of items too")
    func lost() async {
        let stub = Connector.stub(sequence: [
            .json("[1]", headers: ["Link": "</p2>; rel=next"]), .noResponse(Fixture.lost),
        ])
        #expect(
            await all(pages(via: stub).items) == [
                .right(1), .left(PaginationError(page: 2, reason: .noResponse(Fixture.lost))),
            ]
        )
    }

    @Test("after a failure no element follows, and no call is made")
    func nothingAfterFailure() async {
        var iterator = pages(via: .stub(.noResponse(Fixture.lost), recording: sent)).makeAsyncIterator()
        for _ in 0..<3 { _ = await iterator.next() }
        #expect(await iterator.next() == nil)
        #expect(sent.elements.count == 1)
    }

    @Test("an input that could not be built is a failure of the first page")
    func unbuilt() async {
        let error = ConnectionError.malformedURL(debugInfo: "no")
        let pages = Endpoint.json([Int].self, .left(error)).pages(by: .link(), via: server(pages: 1))
        #expect(await all(pages) == [.left(PaginationError(page: 1, reason: .noResponse(error)))])
        #expect(sent.elements.isEmpty)
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

    @Test("an allowed other origin is followed")
    func allowedOrigin() async throws {
        let link: HTTPHeaders = ["Link": "<https://b.example/p2>; rel=next"]
        let stub = Connector.stub(sequence: [.json("[1]", headers: link), .json("[2]")])
        let origin = try #require(URL(string: "https://b.example").flatMap(Origin.init))
        let pages = numbers.pages(by: .link(), alsoAt: [origin], via: stub)
        #expect(await all(pages) == [.right([1]), .right([2])])
    }

    @Test("endless pages are a failure at the limit, after all pages up to it")
    func tooMany() async {
        let elements = await all(pages(limit: 3, via: server(pages: .max)))
        #expect(elements.count == 4)
        #expect(elements.last == .left(PaginationError(page: 4, reason: .tooMany(limit: 3))))
        #expect(sent.elements.count == 3)
    }

    @Test("as many pages as the limit are no failure")
    func exactly() async {
        #expect(await all(pages(limit: 3, via: server(pages: 3))).allSatisfy { $0.right != nil })
    }

    @Test("each iteration starts at the first page, and remembers no visited page")
    func twice() async {
        let pages = pages(via: server(pages: 2))
        #expect(await all(pages) == all(pages))
        #expect(paths == ["/p1", "/p2", "/p1", "/p2"])
    }

    @Test("cancelling the iterating task ends the pages")
    func cancelled() async {
        let waiting = Latch()
        let connector = Connector.silent(begun: waiting)
        let task = Task { await all(pages(via: connector)) }
        await waiting.wait()
        task.cancel()
        #expect(await task.value.isEmpty)
    }

    @Test("cancelling the iterating task ends the items, also within a page")
    func cancelledItems() async {
        let items = pages(via: server(pages: 3)).items
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

    @Test("a page that is cancelled by other code is a failure")
    func cancelledElsewhere() async {
        let elements = await all(pages(via: .stub(.noResponse(.cancelled))))
        #expect(elements == [.left(PaginationError(page: 1, reason: .noResponse(.cancelled)))])
    }

    @Test("for listeners, each page is a separate call, decoded as without pagination")
    func events() async {
        let log = EventLog()
        let stub = Connector.stub(sequence: [
            .json("[1]", headers: ["Link": "</p2>; rel=next"]), .json("no"),
        ])
        _ = await all(pages(via: stub.wrapped(by: .listen(to: log.listener))))
        #expect(
            log.calls.map { log.events(of: $0).map(\.name) } == [
                ["started", "received", "transformed", "succeeded", "ended"],
                ["started", "received", "malformed", "failed", "ended"],
            ]
        )
    }

    @Test("a custom strategy has the page, its number, its input and its response")
    func ownWay() async {
        let strategy = PaginationStrategy<[Int]> { context in
            guard context.number < 3, context.response.statusCode == .ok, !context.page.isEmpty else { return nil }
            var input = context.input
            input.url = URL(string: "https://api.example.com/p\(context.number + 1)") ?? input.url
            return .right(input)
        }
        let elements = await all(numbers.pages(by: strategy, via: server(pages: 0)))
        #expect(elements == [.right([10, 11]), .right([20, 21]), .right([30, 31])])
    }

    /// Returns the URLs that are called at a base for pages that begin with `/issues`, and the last failure.
    private func called(at base: String, _ links: [String: String]) async -> (urls: [String], last: String?) {
        let stub = Connector.stub(recording: sent) { input in
            let link: HTTPHeaders? = links[input.url.query() ?? ""].map { ["Link": "<\($0)>; rel=next"] }
            return .json("[1]", headers: link ?? [:])
        }
        let app = stub.wrapped(by: .baseURL(URL(string: base)!))
        let elements = await all(Endpoint.json([Int].self, .get("/issues")).pages(by: .link(), via: app))
        return (sent.elements.map(\.url.absoluteString), elements.last?.left.map { "\($0)" })
    }

    @Test(
        "inside of .baseURL, links are resolved against the effective URL",
        arguments: ["https://a.example", "https://a.example/v3"],
        ["%@/issues?page=2", "/v3/issues?page=2", "?page=2", "issues?page=2"]
    )
    func baseURL(_ base: String, _ link: String) async {
        let link = link.replacingOccurrences(of: "%@", with: base)
        let (urls, failure) = await called(at: base, ["": link])
        let second = link.hasPrefix("/") ? "https://a.example/v3/issues?page=2" : "\(base)/issues?page=2"
        #expect(urls == ["\(base)/issues", second])
        #expect(failure == nil)
    }

    @Test("inside of .baseURL, a loop is detected at once, and another origin is a failure")
    func baseURLGuards() async {
        let circle = await called(at: "https://a.example/v3", ["": "?page=2", "page=2": "/v3/issues"])
        #expect(circle.urls.count == 2)
        #expect(circle.last == "page 3: the next page was already fetched: https://a.example/v3/issues")
        let astray = await called(at: "https://a.example/v3", ["": "https://b.example/"])
        #expect(astray.last == "page 2: the next page has another origin: https://b.example/")
    }

    @Test("inside of .baseURL, pages by number stay relative")
    func baseURLNumbers() async throws {
        let stub = Connector.stub(recording: sent) { .json($0.queries.first?.value == "3" ? "[]" : "[1]") }
        let base = try #require(URL(string: "https://a.example/v3"))
        let app = stub.wrapped(by: .baseURL(base))
        let pages = Endpoint.json([Int].self, .get("/issues")).pages(by: .number(), via: app)
        #expect(await all(pages) == [.right([1]), .right([1]), .right([])])
        #expect(Set(sent.elements.map(\.url.absoluteString)) == ["https://a.example/v3/issues"])
    }

    @Test("a failure describes page and reason, without credentials")
    func description() throws {
        let url = try #require(URL(string: "https://evil.example/?token=secret"))
        typealias Failure = PaginationError<TransformError<Never>>
        let failure = Failure(page: 2, reason: .otherOrigin(url))
        let expected = "page 2: the next page has another origin: https://evil.example/?token=<redacted>"
        #expect("\(failure)" == expected)
        #expect(!String(reflecting: failure).contains("secret"))
        #expect("\(Failure(page: 4, reason: .tooMany(limit: 3)))" == "page 4: more than 3 pages")
        #expect("\(Failure(page: 3, reason: .repeated(url)))".hasSuffix("token=<redacted>"))
    }

    @Test("over a real server, pages are followed by link")
    func loopback() async throws {
        let items = try await LoopbackServer.serving(server(pages: 3)) { server in
            let first = Endpoint.json([Int].self, .get("\(server.url.absoluteString)/p1"))
            return await all(first.pages(by: .link(), via: .patient).items)
        }
        #expect(items.map(\.right) == [10, 11, 20, 21, 30, 31])
    }
}
