import Foundation
import StartSmall
import StartSmallTesting
import Testing

struct BaseURLTests {
    /// The URL that is called, or nil if none is.
    private func called(_ url: String, base: String, others: Wrapper.OtherOrigins = .refused) async -> String? {
        let sent = Recorder<Input>()
        let connector = Connector.stub(.hasResponse(Fixture.ok), recording: sent)
            .wrapped(by: .baseURL(URL(string: base)!, others: others))
        _ = await WebAPI.call(with: Input(url: URL(string: url)!), via: connector)
        return sent.elements.first?.url.absoluteString
    }

    @Test(
        "D6 a relative URL is joined to the base with exactly one slash",
        arguments: ["https://a.example/v3", "https://a.example/v3/"],
        ["users/x", "/users/x"]
    )
    func joined(_ base: String, _ url: String) async {
        #expect(await called(url, base: base) == "https://a.example/v3/users/x")
    }

    @Test(
        "queries of the base come first",
        arguments: [
            ("https://a.example/?v=1", "/u?p=2", "https://a.example/u?v=1&p=2"),
            ("https://a.example?v=1", "/u", "https://a.example/u?v=1"),
            ("https://a.example", "/u?p=2#f", "https://a.example/u?p=2#f"),
        ]
    )
    func queries(_ base: String, _ url: String, _ expected: String) async {
        #expect(await called(url, base: base) == expected)
    }

    @Test("percent-encoded bytes stay as they are")
    func encoded() async {
        #expect(await called("/users/%2F%3F", base: "https://a.example/%20") == "https://a.example/%20/users/%2F%3F")
    }

    @Test(
        "an absolute URL of the base's origin is not touched",
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

    @Test("another origin can be moved to the base, as for a test server")
    func moved() async {
        let url = "https://api.github.com/users/octocat?x=1"
        #expect(
            await called(url, base: "http://127.0.0.1:8080", others: .moved)
                == "http://127.0.0.1:8080/users/octocat?x=1"
        )
    }
}
