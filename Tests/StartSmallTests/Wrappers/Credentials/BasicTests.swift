import Foundation
import StartSmall
import StartSmallTesting
import Testing

struct BasicTests {
    private static let basic = "Basic bWU6aHVudGVyMg=="

    @Test("every request has the credentials, for any method", arguments: RecordedCall.methods)
    func attached(_ method: HTTPMethodAndPayload) async {
        let input = Input(url: Fixture.url, methodAndPayload: method)
        let recorded = await RecordedCall(of: input, through: .basic(user: "me", password: "hunter2"))
        #expect(recorded.request?.headers == ["Authorization": Self.basic])
    }

    @Test("a request with its own credentials is not changed")
    func unchanged() async {
        let input = Input(url: Fixture.url, headers: ["authorization": "Bearer own"])
        #expect(await RecordedCall(of: input, through: .basic(user: "me", password: "x")).sent == [input])
    }

    @Test("of two wrappers, the outer one sets the credentials")
    func order() async {
        let recorded = await RecordedCall(
            through: .basic(user: "me", password: "hunter2"),
            .basic(user: "you", password: "x")
        )
        #expect(recorded.request?.headers.values(of: "Authorization") == [Self.basic])
    }

    @Test("with `only`, another origin gets no credentials", arguments: Origins.all)
    func only(_ url: String, _ isHome: Bool) async throws {
        let input = Input(url: try #require(URL(string: url)))
        let recorded = await RecordedCall(
            of: input,
            through: .basic(user: "me", password: "x", to: .origin(Origins.home))
        )
        #expect(recorded.request?.headers.contains("Authorization") == isHome)
    }

    @Test("an `only` that is no origin fails every call, with that reason", arguments: Origins.none)
    func noOrigin(_ url: String, _ shown: String) async throws {
        let home = try #require(URL(string: url))
        let recorded = await RecordedCall(through: .basic(user: "me", password: "x", to: .origin(home)))
        #expect(recorded.output == .noResponse(.missingCredentials(debugInfo: shown)))
        #expect(recorded.sent.isEmpty)
    }

    @Test("a colon in the user's name is a clear error, and nothing is sent")
    func colon() async {
        let recorded = await RecordedCall(through: .basic(user: "m:e", password: "hunter2"))
        #expect(recorded.output.connectionError?.name == "missingCredentials")
        #expect(recorded.output.connectionError?.debugInfo.contains("colon") == true)
        #expect(recorded.sent.isEmpty)
    }

    @Test("the credentials reach a server, and no event shows them")
    func wire() async throws {
        let log = EventLog()
        let wrapper = Wrapper.basic(user: "me", password: "hunter2")
        let arrived = try await RecordedCall.onTheWire(through: wrapper)
        #expect(arrived?.headers["Authorization"] == Self.basic)
        let recorded = await RecordedCall(through: .listen(to: log.listener), wrapper)
        #expect(!"\(recorded.sent) \(log.events)".contains(Self.basic))
    }
}

/// Origins that may, and may not, receive the credentials of one origin.
enum Origins {
    static let home = URL(string: "https://api.example.com/v3")!

    static let all = [
        ("https://api.example.com/things", true), ("HTTPS://API.example.com:443/", true),
        ("http://api.example.com/", false), ("https://api.example.com:8443/", false), ("https://example.com/", false),
        ("https://api.example.com.evil.example/", false), ("https://api.example.com@evil.example/", false),
        ("/relative", false),
    ]

    /// URLs without an origin, and their error messages.
    static let none = [
        ("/v3", "the scope is not an absolute http or https URL: /v3"),
        ("api.example.com", "the scope is not an absolute http or https URL: api.example.com"),
        ("ftp://me:hunter2@a.example/", "the scope is not an absolute http or https URL: ftp://<redacted>@a.example/"),
    ]
}
