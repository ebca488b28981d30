import Foundation
import StartSmall
import StartSmallAuth
import StartSmallTesting
import TestSupport
import Testing

/// A wrapper that adds credentials, with a fixed secret or a function that provides it.
enum Credential: CaseIterable, Sendable {
    case basic, bearer, providedBearer, field, providedField, item, providedItem, refreshToken

    static let providing = [providedBearer, providedField, providedItem]

    /// The value that a request has for the secret `hunter2`.
    var value: String {
        switch self {
        case .basic: "Basic bWU6aHVudGVyMg=="
        case .bearer, .providedBearer, .refreshToken: "Bearer hunter2"
        case .field, .providedField, .item, .providedItem: "hunter2"
        }
    }

    /// A request that has its own credentials, whose name has another case or is in the URL.
    var own: Input {
        switch self {
        case .basic, .bearer, .providedBearer, .refreshToken:
            Input(url: Fixture.url, headers: ["authorization": "own"])
        case .field, .providedField: Input(url: Fixture.url, headers: ["X-API-KEY": ""])
        case .item, .providedItem: Input(url: URL(string: "https://h/?api%5Fkey=own")!)
        }
    }

    func wrapper(
        to scope: CredentialScope = .anyOrigin,
        _ provide: @escaping @Sendable () async throws -> String? = { "hunter2" }
    ) -> Wrapper {
        switch self {
        case .basic: .basic(user: "me", password: "hunter2", to: scope)
        case .bearer: .bearer("hunter2", to: scope)
        case .providedBearer: .bearer(to: scope, provide)
        case .field: .apiKey("hunter2", in: .header("X-API-Key"), to: scope)
        case .providedField: .apiKey(in: .header("X-API-Key"), to: scope, provide)
        case .item: .apiKey("hunter2", in: .query("api_key"), to: scope)
        case .providedItem: .apiKey(in: .query("api_key"), to: scope, provide)
        case .refreshToken:
            .refreshToken(
                in: TokenStore(load: { try await provide().map { AccessToken($0) } }, save: { _ in }),
                to: scope
            ) {
                token,
                _ in Fetched<TransformError<Never>, AccessToken>.right(token)
            }
        }
    }

    /// The credentials of a request.
    func values(of input: Input?) -> [String?] {
        switch self {
        case .basic, .bearer, .providedBearer, .refreshToken: input?.headers.values(of: "Authorization") ?? []
        case .field, .providedField: input?.headers.values(of: "X-API-Key") ?? []
        case .item, .providedItem: input?.queries.filter { $0.name == "api_key" }.map(\.value) ?? []
        }
    }
}

struct CredentialsTests {
    @Test("every request has the credentials, for any method", arguments: Credential.allCases, RecordedCall.methods)
    func attached(_ credential: Credential, _ method: HTTPMethodAndPayload) async {
        let input = Input(url: Fixture.url, queries: [.init(name: "q", value: "1")], methodAndPayload: method)
        let recorded = await RecordedCall(of: input, through: credential.wrapper())
        #expect(credential.values(of: recorded.request) == [credential.value])
        #expect(recorded.request?.queries.first == input.queries.first)
        #expect(recorded.request?.methodAndPayload == method)
    }

    @Test(
        "a request with its own credentials is not changed, and no function is called",
        arguments: Credential.allCases
    )
    func unchanged(_ credential: Credential) async {
        let asked = Recorder<Void>()
        let wrapper = credential.wrapper {
            asked.append(())
            return "hunter2"
        }
        #expect(await RecordedCall(of: credential.own, through: wrapper).sent == [credential.own])
        #expect(asked.elements.isEmpty)
    }

    @Test("with a scope, another origin gets no credentials", arguments: Credential.allCases, Origins.all)
    func scope(_ credential: Credential, _ origin: (url: String, isHome: Bool)) async throws {
        let asked = Recorder<Void>()
        let wrapper = credential.wrapper(to: .origin(Origins.home)) {
            asked.append(())
            return "hunter2"
        }
        let input = Input(url: try #require(URL(string: origin.url)))
        let recorded = await RecordedCall(of: input, through: wrapper)
        #expect(credential.values(of: recorded.request).isEmpty == !origin.isHome)
        #expect(asked.elements.isEmpty || origin.isHome)
    }

    @Test("a scope that is no origin fails every call, with that reason", arguments: Credential.allCases, Origins.none)
    func noOrigin(_ credential: Credential, _ home: (url: String, shown: String)) async throws {
        let scope = CredentialScope.origin(try #require(URL(string: home.url)))
        for url in Origins.all.map(\.0) {
            let input = Input(url: try #require(URL(string: url)))
            let recorded = await RecordedCall(of: input, through: credential.wrapper(to: scope))
            #expect(recorded.output == .noResponse(.missingCredentials(debugInfo: home.shown)))
            #expect(recorded.sent.isEmpty)
        }
    }

    @Test("without a secret, or with an empty one, nothing is sent, and the error says so")
    func missing() async {
        let (token, key) = ("the bearer token is missing or empty", "the API key is missing or empty")
        for (wrapper, text) in [
            (Wrapper.bearer { nil }, token), (.bearer { "" }, token), (.apiKey("", in: .header("X-API-Key")), key),
            (.apiKey(in: .query("api_key")) { nil }, key),
        ] {
            let recorded = await RecordedCall(through: wrapper)
            #expect(recorded.output == .noResponse(.missingCredentials(debugInfo: text)))
            #expect(recorded.sent.isEmpty)
        }
    }

    @Test("credentials that can't be sent are an error that does not contain them")
    func malformed() async {
        for wrapper in [
            Wrapper.bearer("hunter2\n"), .bearer { "hunter2\n" }, .basic(user: "m:e", password: "hunter2"),
            Credential.refreshToken.wrapper { "hunter2\n" },
        ] {
            let recorded = await RecordedCall(through: wrapper)
            #expect(recorded.output.connectionError?.name == "missingCredentials")
            #expect(!"\(recorded.output)".contains("hunter2"))
            #expect(recorded.sent.isEmpty)
        }
    }

    @Test("an error of the function is kept, and a connection error is not changed", arguments: Credential.providing)
    func thrown(_ credential: Credential) async {
        struct Locked: Error {}
        let lost = await RecordedCall(through: credential.wrapper { throw Fixture.lost })
        #expect(lost.output == .noResponse(Fixture.lost))
        let locked = await RecordedCall(through: credential.wrapper { throw Locked() })
        #expect(locked.output.connectionError?.debugInfo.hasSuffix("can't be loaded: Locked()") == true)
        #expect(lost.sent.isEmpty && locked.sent.isEmpty)
    }

    @Test("a call that is cancelled while its secret is fetched sends nothing", arguments: Credential.providing)
    func cancelled(_ credential: Credential) async {
        let recorded = await RecordedCall.cancelled { wait in
            credential.wrapper {
                await wait()
                return "late"
            }
        }
        #expect(recorded.output == .noResponse(.cancelled))
        #expect(recorded.sent.isEmpty)
    }

    /// Returns the tickets of the requests of a call that is redirected to another origin.
    private func tickets(_ wrappers: Wrapper...) async -> [String?] {
        let sent = Recorder<Input>()
        let moved = Output.status(.found, headers: ["Location": "https://evil.example/"])
        let stub = Connector.stub(sequence: [moved, .hasResponse(Fixture.ok)], recording: sent)
        _ = await WebAPI.call(with: Fixture.input, via: stub.wrapped(by: .all(wrappers)))
        return sent.elements.map { $0.headers["X-Ticket"] }
    }

    @Test("a scope is checked at the wrapper's position: redirects and base URLs further inside take the field along")
    func leadingElsewhere() async throws {
        let evil = try #require(URL(string: "https://evil.example/"))
        let key = Wrapper.apiKey("k", in: .header("X-Ticket"), to: .origin(Origins.home))
        #expect(await tickets(key, .redirect()) == ["k", "k"])
        #expect(await tickets(.redirect(), key) == ["k", nil])
        let dropping = Wrapper.redirect(RedirectPolicy(alsoDropping: ["X-Ticket"]))
        #expect(await tickets(key, dropping) == ["k", nil])
        #expect(await tickets(key, .baseURL(evil, others: .moved), dropping).first == "k")
    }

    @Test(
        "a common name of an API key is redacted in descriptions",
        arguments: [
            "X-API-Key", "api_key", "apikey", "api-key", "key", "appid", "access_key", "Ocp-Apim-Subscription-Key",
            "x-functions-key", "X-RapidAPI-Key", "X-Auth-Key", "hapikey", "X-Figma-Token", "xi-api-key", "sig",
        ]
    )
    func hidden(_ name: String) async {
        for location in [APIKeyLocation.header(name), .query(name)] {
            let recorded = await RecordedCall(through: .apiKey("hunter2", in: location))
            var dumped = ""
            dump(recorded.sent, to: &dumped)
            #expect(recorded.sent.count == 1)
            #expect(!"\(recorded.sent) \(dumped)".contains("hunter2"))
        }
    }
}

/// Origins that may, and may not, receive the credentials of one origin.
enum Origins {
    static let home = URL(string: "https://api.example.com/v3")!

    static let all = [
        ("https://api.example.com/things", true), ("HTTPS://API.example.com:443/", true),
        ("http://api.example.com/", false), ("https://api.example.com:8443/", false), ("https://example.com/", false),
        ("https://api.example.com.evil.example/", false), ("https://api.example.com@evil.example/", false),
        ("https://api%2Eexample.com/", false), ("/relative", false),
    ]

    /// URLs without an origin, and their error messages.
    static let none = [
        ("/v3", "the scope is not an absolute http or https URL: /v3"),
        ("api.example.com", "the scope is not an absolute http or https URL: api.example.com"),
        ("ftp://me:hunter2@a.example/", "the scope is not an absolute http or https URL: ftp://<redacted>@a.example/"),
    ]
}
