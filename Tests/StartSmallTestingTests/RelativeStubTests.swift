import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// Stubs of endpoints whose URLs are relative, behind a base URL.
struct RelativeStubTests {
    private func text(_ url: String) -> Endpoint<TransformError<Never>, String> { .text(.get(url)) }

    private func wrapped(_ connector: Connector, _ base: String) throws -> Connector {
        connector.wrapped(by: .baseURL(try #require(URL(string: base))))
    }

    @Test("several stubs of one URL answer in their order, and the last from then on")
    func turns() async throws {
        let order = Endpoint.text(.post("/orders"))
        let api = try wrapped(.stub(order.stub(status: .tooManyRequests), order.stub("placed")), "https://h")
        #expect(await order.fetch(via: api).failure?.response.statusCode == .tooManyRequests)
        #expect(await order.fetch(via: api).right == "placed")
        #expect(await order.fetch(via: api).right == "placed")
    }

    @Test(
        "a relative stub answers behind every base URL",
        arguments: ["https://h", "https://h/", "https://h/v1", "https://h/v1/", "http://127.0.0.1:8080/a/b"],
        ["/users/octocat", "users/octocat"]
    )
    func bases(_ base: String, _ url: String) async throws {
        let user = text(url)
        let api = try wrapped(.stub(user.stub("hi")), base)
        #expect(await user.fetch(via: api) == .right("hi"))
        #expect(await text("/users/other").fetch(via: api).connectionError?.name == "noDataOrNoResponse")
    }

    @Test("without a base URL it answers, too")
    func plain() async {
        let user = text("users")
        #expect(await user.fetch(via: .stub(user.stub("hi"))) == .right("hi"))
    }

    @Test(
        "its path is the end of the requested one, in whole segments, and its query is the same",
        arguments: [
            ("/users", "https://h/v1/users", true), ("/users", "https://h/v1/superusers", false),
            ("/users", "https://h/v1/users/", false), ("/users", "https://h/users/1", false),
            ("/users?page=1&size=2", "https://h/users?size=2&page=1", true),
            ("/users", "https://h/users?page=2", false), ("/users?page=2", "https://h/users", false),
            ("/a%2Fusers", "https://h/a/users", false), ("?a=b", "https://h/graphql?a=b", true),
            ("/", "https://h/v1/", true),
            ("/", "https://h/v1", false), ("/v1/users", "https://h/users", false),
        ]
    )
    func matching(_ stubbed: String, _ asked: String, _ fits: Bool) async {
        let output = await WebAPI.call(with: Sample.input(asked), via: .stub(text(stubbed).stub("hi")))
        #expect((output.response != nil) == fits, "\(output)")
    }

    @Test("of several that fit, the one with most segments answers, and the first of several with as many")
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

    @Test("the stub of an absolute URL answers on its own server alone")
    func absolute() async throws {
        let user = text("https://h/users")
        let stub = Connector.stub(user.stub("hi"))
        #expect(await user.fetch(via: stub) == .right("hi"))
        #expect(await text("https://other/users").fetch(via: stub).connectionError != nil)
        #expect(await text("users").fetch(via: try wrapped(stub, "https://h/v1")).connectionError != nil)
    }

    @Test("what is different is told of the path and the query, and not of the server")
    func unexpected() async throws {
        let api = try wrapped(.stub(text("/users?page=1").stub("hi")), "https://h")
        let error = await text("/users?page=2").fetch(via: api).connectionError
        #expect(error?.debugInfo.contains("stubbed → asked: query: − page=1; query: + page=2") == true)
        #expect(error?.debugInfo.contains("server") == false)
    }
}
