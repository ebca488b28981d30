import Foundation
import StartSmall
import StartSmallTesting
import Testing
import ParityTrait

struct BaseURLTests {
    /// Returns the called URL, or nil if none is called.
    private func called(_ url: String, base: String, others: CrossOriginPolicy = .refused) async -> String? {
        let sent = Recorder<Input>()
        let connector = Connector.stub(.hasResponse(Fixture.ok), recording: sent)
            .wrapped(by: .baseURL(URL(string: base)!, others: others))
        _ = await WebAPI.call(with: Input(url: URL(string: url)!), via: connector)
        return sent.elements.first?.url.absoluteString
    }

    @Test(
        "a relative URL is joined to the base with exactly one slash",
        .parity("D6"),
        arguments: ["https://a.example/v3", "https://a.example/v3/"],
        ["users/x", "/users/x"]
    )
    func joined(_ base: String, _ url: String) async {
        #expect(await called(url, base: base) == "https://a.example/v3/users/x")
    }

    @Test(
        "the base's query comes first",
        .parity("B14"),
        arguments: [
            ("https://a.example/?v=1", "/u?p=2", "https://a.example/u?v=1&p=2"),
            ("https://a.example?v=1", "/u", "https://a.example/u?v=1"),
            ("https://a.example", "/u?p=2#f", "https://a.example/u?p=2#f"),
            ("https://a.example/v3", "?p=2", "https://a.example/v3?p=2"),
        ]
    )
    func queries(_ base: String, _ url: String, _ expected: String) async {
        #expect(await called(url, base: base) == expected)
    }

    @Test("percent-encoded bytes are kept")
    func encoded() async {
        #expect(await called("/users/%2F%3F", base: "https://a.example/%20") == "https://a.example/%20/users/%2F%3F")
    }

    @Test(
        "an absolute URL of the base's origin is not changed",
        arguments: ["https://a.example/x", "HTTPS://A.example:443/x"]
    )
    func sameOrigin(_ url: String) async {
        #expect(await called(url, base: "https://a.example/v3") == url)
    }

    @Test(
        "an absolute URL of another origin is refused before anything is sent",
        arguments: ["http://a.example/", "//b.example/"]
    )
    func refused(_ url: String) async {
        #expect(await called(url, base: "https://a.example") == nil)
    }

    @Test("the refusal shows no credential")
    func redacted() async {
        let connector = Connector.stub(.hasResponse(Fixture.ok)).wrapped(by: .baseURL(Fixture.url))
        let input = Input(url: URL(string: "https://me:secret@b.example/?token=secret")!)
        let error = await WebAPI.call(with: input, via: connector).connectionError
        #expect(error?.name == "malformedURL")
        #expect(error?.description.contains("secret") == false)
    }

    @Test("another origin can be allowed")
    func allowed() async {
        #expect(await called("http://b.example/x", base: "https://a.example", others: .allowed) == "http://b.example/x")
    }

    @Test("another origin can be replaced by the base, as for a test server")
    func moved() async {
        let url = "https://api.github.com/users/octocat?x=1"
        #expect(
            await called(url, base: "http://127.0.0.1:8080", others: .moved)
                == "http://127.0.0.1:8080/users/octocat?x=1"
        )
    }

    @Test(
        "dot segments can't leave the base",
        arguments: [
            "/../x", "a/../../x", "./x", "/%2e%2E/x", "..", "/a/%2e./x", "../\u{301}x", "../%FF", "/%2e%2e/%FF",
            "/..;/x", "/a/..;a=1/x", "/.;", "/%2e%2e;x/x", "/..%3Bx/x", "/..%5Cx", "/a%5c..", "/..\\x", "..\\..\\x",
        ]
    )
    func dotSegments(_ url: String) async {
        #expect(await called(url, base: "https://a.example/v3/tenant") == nil)
    }

    @Test(
        "a `;` or `\\` that makes no dot segment is kept",
        arguments: ["/a;b=1/x", "/a..;b", "/a%5Cb", "/;..", "/...;"]
    )
    func noDotSegments(_ url: String) async {
        #expect(await called(url, base: "https://a.example/v3") == "https://a.example/v3\(url)")
    }

    @Test("any number of slashes at the end of the base becomes one", arguments: ["", "/", "//", "///"])
    func slashes(_ end: String) async {
        #expect(await called("/u/", base: "https://a.example/v3\(end)") == "https://a.example/v3/u/")
        #expect(await called("u//w", base: "https://a.example\(end)") == "https://a.example/u//w")
    }

    @Test("a base that is no http URL is an error for every URL", arguments: ["/v3", "ftp://a.example/", "a.example"])
    func noBase(_ base: String) async {
        #expect(await called("/x", base: base) == nil)
        #expect(await called("https://a.example/x", base: base) == nil)
    }

    @Test("a request keeps its method, headers and payload", arguments: RecordedCall.methods)
    func otherwiseUnchanged(_ method: HTTPMethodAndPayload) async throws {
        let relative = try #require(URL(string: "/x"))
        var input = Input(
            url: relative,
            queries: [.init(name: "a", value: nil)],
            headers: ["A": "1"],
            methodAndPayload: method
        )
        let base = try #require(URL(string: "https://a.example"))
        let sent = await RecordedCall(of: input, through: .baseURL(base)).sent
        input.url = try #require(URL(string: "https://a.example/x"))
        #expect(sent == [input])
    }

    @Test("of two wrappers, the outer one joins, and the inner one sees an absolute URL")
    func order() async throws {
        let (outer, inner) = (
            try #require(URL(string: "https://a.example/v3")), try #require(URL(string: "https://a.example/x"))
        )
        let input = Input(url: try #require(URL(string: "/u")))
        let sent = await RecordedCall(of: input, through: .baseURL(outer), .baseURL(inner)).sent
        #expect(sent.map(\.url.absoluteString) == ["https://a.example/v3/u"])
    }

    @Test("base, URL and items give one query at the server, in this order")
    func wire() async throws {
        let sent = Recorder<Input>()
        try await LoopbackServer.serving(.stub(.hasResponse(Fixture.ok), recording: sent)) { server in
            let base = server.url.appending(path: "v3/").appending(queryItems: [.init(name: "key", value: "1")])
            let input = Input(url: try #require(URL(string: "/u?page=2")), queries: [.init(name: "flag", value: nil)])
            _ = await WebAPI.call(with: input, via: .patient.wrapped(by: .baseURL(base)))
        }
        let url = try #require(sent.elements.first?.url)
        #expect(url.path(percentEncoded: true) == "/v3/u")
        #expect(url.query(percentEncoded: true) == "key=1&page=2&flag")
    }

    @Test("responses with the same content are equal, and still have their effective URL")
    func called() async throws {
        let base = try #require(URL(string: "https://a.example/v3"))
        let input = Input(url: try #require(URL(string: "/x")), queries: [.init(name: "a", value: "1")])
        let outer = try #require(URL(string: "https://a.example"))
        for wrappers in [[Wrapper.baseURL(base)], [.baseURL(base), .baseURL(outer)]] {
            let output = await WebAPI.call(with: input, via: .stub(.hasResponse(Fixture.ok)).wrapped(by: wrappers))
            #expect(output == .hasResponse(Fixture.ok))
            #expect(output.hashValue == Output.hasResponse(Fixture.ok).hashValue)
            #expect(output.response?.base(of: input).absoluteString == "https://a.example/v3/x?a=1")
        }
    }
}
