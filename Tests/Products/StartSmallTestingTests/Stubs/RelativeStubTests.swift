import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// Stubs of endpoints with relative URLs, used with a base URL.
struct RelativeStubTests {
    private func text(_ url: String) -> Endpoint<TransformError<Never>, String> { .text(.get(url)) }

    private func wrapped(_ connector: Connector, _ base: String) throws -> Connector {
        connector.wrapped(by: .baseURL(try #require(URL(string: base))))
    }

    @Test("several stubs of one URL answer in their order, and the last one answers all further calls")
    func turns() async throws {
        let order = Endpoint.text(.post("/orders"))
        let api = try wrapped(.stub(order.stub(.status(.tooManyRequests)), order.stub("placed")), "https://h")
        #expect(await order.fetch(via: api).failure?.response.statusCode == .tooManyRequests)
        #expect(await order.fetch(via: api).right == "placed")
        #expect(await order.fetch(via: api).right == "placed")
    }

    @Test(
        "a relative stub answers under every base URL",
        arguments: ["https://h", "https://h/", "https://h/v1", "https://h/v1/", "http://127.0.0.1:8080/a/b"],
        ["/users/octocat", "users/octocat"]
    )
    func bases(_ base: String, _ url: String) async throws {
        let user = text(url)
        let api = try wrapped(.stub(user.stub("hi")), base)
        #expect(await user.fetch(via: api) == .right("hi"))
        #expect(await text("/users/other").fetch(via: api).connectionError?.name == "noDataOrNoResponse")
    }

    @Test(
        "a relative stub matches whole segments at the end of the requested path, and the same query",
        arguments: [
            ("/users", "https://h/v1/users", true), ("/users", "https://h/v1/superusers", false),
            ("/users", "https://h/v1/users/", false), ("/users", "https://h/users/1", false),
            ("/users?page=1&size=2", "https://h/users?size=2&page=1", true),
            ("/users", "https://h/users?page=2", false), ("/users?page=2", "https://h/users", false),
            ("/a%2Fusers", "https://h/a/users", false), ("?a=b", "https://h/graphql?a=b", true),
            ("/", "https://h/v1/", true),
            ("/", "https://h/v1", false), ("/v1/users", "https://h/users", false),
            ("https://h/users", "https://h/users", true), ("https://h/users", "https://other/users", false),
            ("https://h/users", "https://h/v1/users", false),
        ]
    )
    func matching(_ stubbed: String, _ asked: String, _ fits: Bool) async {
        let output = await WebAPI.call(with: Sample.input(asked), via: .stub(text(stubbed).stub("hi")))
        #expect((output.response != nil) == fits, "\(output)")
    }

    @Test("of several matching stubs, the one with the most segments answers, and of equal ones the first")
    func mostSpecific() async throws {
        let stubs = Connector.stub(
            text("/users").stub("all"),
            text("/teams/users").stub("team"),
            text("/users").stub("never"),
            text("https://h/v1/teams/a/users").stub("absolute")
        )
        let api = try wrapped(stubs, "https://h/v1")
        #expect(await text("/users").fetch(via: api) == .right("all"))
        #expect(await text("/teams/users").fetch(via: api) == .right("team"))
        #expect(await text("/teams/a/users").fetch(via: api) == .right("absolute"))
    }

    @Test(
        "the error shows differences of the path's end and the query, and of nothing that is not compared",
        arguments: [
            ("/users?page=1", "/users?page=2", "query: − page=1; query: + page=2"),
            ("/users/a", "/users/b", "path: …/users/a → …/users/b"), ("/users", "/", "path: …/users → …/"),
            ("/a/users", "https://h/users", "path: …/a/users → …/users"),
        ]
    )
    func unexpected(_ stubbed: String, _ asked: String, _ differences: String) async throws {
        let base = URL(string: asked)?.scheme == nil ? "https://h/v1/api" : "https://h"
        let api = try wrapped(.stub(text(stubbed).stub("hi")), base)
        let request = text(asked).with { $0.headers["Accept"] = "text/plain" }
        let error = await request.fetch(via: api).connectionError
        #expect(error?.debugInfo.hasSuffix("stubbed → requested: \(differences)") == true, "\(error as Any)")
    }

    @Test("the nearest stub is the one with the fewest differences in the compared parts")
    func nearest() async throws {
        let near = Endpoint.text(.post("/users", payload: .text("abc"))).with { $0.headers["A"] = "1" }
        let far = Endpoint.text(.get("/teams"))
        let api = try wrapped(.stub(far.stub("far"), near.stub("near")), "https://h/v1")
        let posted = Endpoint.text(.post("/users?page=1", payload: .text("xyz")))
        let error = await posted.fetch(via: api).connectionError
        #expect(error?.debugInfo.hasSuffix("stubbed → requested: query: + page=1") == true, "\(error as Any)")
    }

    @Test(
        "items that a wrapper adds to the query are not compared, and those of the call are",
        arguments: [
            ("/users", "/users", true), ("/users?page=1", "/users?page=1", true),
            ("/users?v=1", "/users", true), ("/users?v=1", "/users?v=1", true), ("https://h/users", "/users", true),
            ("/users?page=1", "/users?page=2", false), ("/users", "/users?page=2", false),
            ("/users?page=1", "/users", false), ("/users", "/users?v=2", false), ("/users?v=2", "/users", false),
            ("/users", "/users?v=1", false), ("/users?page=1", "/users?page=1&page=1", false),
            ("https://h/users", "/users?page=2", false),
        ]
    )
    func added(_ stubbed: String, _ asked: String, _ fits: Bool) async throws {
        let (sent, unexpected) = (Recorder<Input>(), Recorder<Input>())
        let stub = Connector.stub(text(stubbed).stub("hi"), recording: sent, unexpected: unexpected)
        let key = Wrapper.apiKey("k", in: .query("key"))
        let api = try wrapped(stub.wrapped(by: .queries(["v": 1], to: .anyOrigin), key), "https://h")
        let error = await text(asked).fetch(via: api).connectionError
        #expect((error == nil) == fits, "\(error as Any)")
        #expect(unexpected.elements.count == (fits ? 0 : 1))
        let request = try #require(sent.elements.first)
        #expect(request.queries.map(\.name).contains("key") && request.options == RequestOptions())
        let differences = try error.map { try #require($0.debugInfo.components(separatedBy: "requested: ").last) }
        #expect(differences?.contains("key=") != true)
    }

    @Test("a call that a wrapper makes, and a redirect, are compared in the same way")
    func inner() async throws {
        let moved = text("/old").stub(.status(.found, headers: ["Location": "/new?page=1"]))
        let stub = Connector.stub(moved, text("/new?page=1").stub("new"), text("/other").stub("never"))
        let api = try wrapped(stub.wrapped(by: .queries(["v": 1], to: .anyOrigin), .redirect()), "https://h")
        #expect(await text("/old").fetch(via: api).right == "new")
        let repeating = stub.wrapped(by: .retry(), .queries(["v": 1], to: .anyOrigin))
        #expect(await text("/new?page=1").fetch(via: repeating).right == "new")
    }

    @Test("a stub that fits in whole takes precedence over one that fits without added items")
    func precedence() async throws {
        let stub = Connector.stub(text("/users").stub("without"), text("/users?v=1").stub("with"))
        let api = try wrapped(stub.wrapped(by: .queries(["v": 1], to: .anyOrigin)), "https://h")
        for _ in 0..<2 { #expect(await text("/users").fetch(via: api).right == "with") }
    }

    @Test("of the target of a redirect, all items count")
    func redirected() async throws {
        let moved = text("/old").stub(.status(.found, headers: ["Location": "/list?cursor=x"]))
        let api = try wrapped(Connector.stub(moved, text("/list").stub("no")).wrapped(by: .redirect()), "https://h")
        let error = await text("/old").fetch(via: api).connectionError
        #expect(error?.debugInfo.hasSuffix("query: + cursor=x") == true, "\(error as Any)")
    }

    @Test("a wrapper sees the request of the call, without a note of the stub")
    func seenByWrappers() async throws {
        let seen = Recorder<Input>()
        let recording = Wrapper { input, next in
            seen.append(input)
            return await next(input)
        }
        let user = text("https://h/users")
        #expect(await user.fetch(via: .stub(user.stub("hi")).wrapped(by: recording)).right == "hi")
        #expect(seen.elements.map(Either.right) == [user.input])
    }

    @Test("a dry run shows neither the note of the query nor an unread option")
    func dryRun() async throws {
        let user = text("https://h/users?page=1")
        let run = await Connector.stub(user.stub("hi")).dryRun(user.with(.retries(0)))
        #expect(run.request?.options.description == "retries")
        #expect(run.unreadOptions == ["retries"])
    }
}
