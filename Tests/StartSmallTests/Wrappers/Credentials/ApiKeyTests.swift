import Foundation
import StartSmall
import StartSmallTesting
import Testing

struct ApiKeyTests {
    private static let places: [APIKeyLocation] = [.header("X-API-Key"), .query("api_key")]

    private func key(of input: Input?, in place: APIKeyLocation) -> [String?] {
        switch place {
        case .header(let name): input?.headers.values(of: name) ?? []
        case .query(let name): input?.queries.filter { $0.name == name }.map(\.value) ?? []
        }
    }

    @Test("every request has the key at its location, for any method", arguments: places, RecordedCall.methods)
    func attached(_ place: APIKeyLocation, _ method: HTTPMethodAndPayload) async {
        let input = Input(url: Fixture.url, queries: [.init(name: "q", value: "1")], methodAndPayload: method)
        for wrapper in [Wrapper.apiKey("hunter2", in: place), .apiKey(in: place) { "hunter2" }] {
            let recorded = await RecordedCall(of: input, through: wrapper)
            #expect(key(of: recorded.request, in: place) == ["hunter2"])
            #expect(recorded.request?.queries.first == input.queries.first)
            #expect(recorded.request?.methodAndPayload == method)
        }
    }

    @Test("a request with its own key is not changed, and the provider is not called", arguments: places)
    func unchanged(_ place: APIKeyLocation) async throws {
        let asked = Recorder<Void>()
        let asking = Wrapper.apiKey(in: place) {
            asked.append(())
            return "hunter2"
        }
        let url = try #require(URL(string: "https://h/?api%5Fkey=own"))
        for input in [
            Input(url: url, headers: ["x-api-key": "own"]),
            Input(url: Fixture.url, queries: [.init(name: "api_key", value: nil)], headers: ["X-API-KEY": ""]),
        ] {
            #expect(await RecordedCall(of: input, through: asking).sent == [input])
        }
        #expect(asked.elements.isEmpty)
    }

    @Test("with `only`, another origin gets no credentials", arguments: places, Origins.all)
    func only(_ place: APIKeyLocation, _ origin: (url: String, isHome: Bool)) async throws {
        let input = Input(url: try #require(URL(string: origin.url)))
        let (fixed, asked) = (
            Wrapper.apiKey("hunter2", in: place, to: .origin(Origins.home)),
            Wrapper.apiKey(in: place, to: .origin(Origins.home)) { "hunter2" }
        )
        for wrapper in [fixed, asked] {
            let recorded = await RecordedCall(of: input, through: wrapper)
            #expect(key(of: recorded.request, in: place).isEmpty == !origin.isHome)
        }
    }

    @Test("an `only` that is no origin fails every call, with that reason", arguments: places, Origins.none)
    func noOrigin(_ place: APIKeyLocation, _ home: (url: String, shown: String)) async throws {
        let only = try #require(URL(string: home.url))
        let asking = Wrapper.apiKey(in: place, to: .origin(only)) { "hunter2" }
        for wrapper in [.apiKey("hunter2", in: place, to: .origin(only)), asking] {
            let recorded = await RecordedCall(through: wrapper)
            #expect(recorded.output == .noResponse(.missingCredentials(debugInfo: home.shown)))
            #expect(recorded.sent.isEmpty)
        }
    }

    @Test("`only` is checked at the wrapper's position: redirects and base URLs further inside take the field along")
    func leadingElsewhere() async throws {
        let evil = try #require(URL(string: "https://evil.example/"))
        let moved = Output.status(.found, headers: ["Location": evil.absoluteString])
        func keys(_ name: String, _ policy: RedirectPolicy = .init(), _ wrappers: Wrapper...) async -> [String] {
            let sent = Recorder<Input>()
            let stub = Connector.stub(sequence: [moved, .hasResponse(Fixture.ok)], recording: sent)
            let key = Wrapper.apiKey("k", in: .header(name), to: .origin(Origins.home))
            let connector = Connector.standard(over: stub, redirecting: policy).wrapped(by: [key] + wrappers)
            _ = await WebAPI.call(with: Fixture.input, via: connector)
            return sent.elements.map { "\($0.url.host() ?? ""): \($0.headers[name] ?? "none")" }
        }
        #expect(await keys("X-API-Key") == ["api.example.com: k", "evil.example: none"])
        #expect(await keys("X-Ticket") == ["api.example.com: k", "evil.example: k"])
        let policy = RedirectPolicy(alsoDropping: ["X-Ticket"])
        #expect(await keys("X-Ticket", policy) == ["api.example.com: k", "evil.example: none"])
        #expect(await keys("X-Ticket", policy, .baseURL(evil, others: .moved)).first == "evil.example: k")
    }

    @Test("without a key, or with an empty one, nothing is sent, and the error says so", arguments: places)
    func missing(_ place: APIKeyLocation) async {
        for wrapper in [Wrapper.apiKey("", in: place), .apiKey(in: place) { nil }] {
            let recorded = await RecordedCall(through: wrapper)
            #expect(recorded.output == .noResponse(.missingCredentials(debugInfo: "the API key is missing or empty")))
            #expect(recorded.sent.isEmpty)
        }
    }

    @Test("an error of the provider is the call's error")
    func thrown() async {
        let recorded = await RecordedCall(through: .apiKey(in: .header("X-API-Key")) { throw Fixture.lost })
        #expect(recorded.output == .noResponse(Fixture.lost))
        #expect(recorded.sent.isEmpty)
    }

    @Test("of two wrappers, the outer one sets the key", arguments: places)
    func order(_ place: APIKeyLocation) async {
        let recorded = await RecordedCall(through: .apiKey("outer", in: place), .apiKey("inner", in: place))
        #expect(key(of: recorded.request, in: place) == ["outer"])
    }

    @Test("a redirect to another origin removes a header with a known name, and any query item")
    func redirect() async {
        func keys(_ place: APIKeyLocation, _ policy: RedirectPolicy) async -> [[String?]] {
            let sent = Recorder<Input>()
            let moved = Response(statusCode: .found, headers: ["Location": "https://evil.example/"])
            let stub = Connector.stub(sequence: [.hasResponse(moved), .hasResponse(Fixture.ok)], recording: sent)
            let connector = stub.wrapped(by: .apiKey("k", in: place), .redirect(policy))
            _ = await WebAPI.call(with: Fixture.input, via: connector)
            return sent.elements.map { key(of: $0, in: place) }
        }
        #expect(await keys(.header("X-API-Key"), RedirectPolicy()) == [["k"], []])
        #expect(await keys(.header("X-Ticket"), RedirectPolicy()) == [["k"], ["k"]])
        #expect(await keys(.header("X-Ticket"), RedirectPolicy(alsoDropping: ["x-ticket"])) == [["k"], []])
        #expect(await keys(.query("api_key"), RedirectPolicy()) == [["k"], []])
    }

    @Test(
        "a common name of an API key is redacted in descriptions",
        arguments: [
            "X-API-Key", "api_key", "apikey", "api-key", "key", "appid", "access_key", "Ocp-Apim-Subscription-Key",
            "x-functions-key", "X-RapidAPI-Key", "X-Auth-Key", "hapikey", "X-Figma-Token", "xi-api-key", "sig",
        ]
    )
    func hidden(_ name: String) async {
        for place in [APIKeyLocation.header(name), .query(name)] {
            let recorded = await RecordedCall(through: .apiKey("hunter2", in: place))
            var dumped = ""
            dump(recorded.sent, to: &dumped)
            #expect(!"\(recorded.sent) \(dumped)".contains("hunter2"))
            #expect(key(of: recorded.request, in: place) == ["hunter2"])
        }
    }

    @Test("the key reaches a server", arguments: places)
    func wire(_ place: APIKeyLocation) async throws {
        let arrived = try await RecordedCall.onTheWire(through: .apiKey("a b", in: place))
        switch place {
        case .header(let name): #expect(arrived?.headers[name] == "a b")
        case .query: #expect(arrived?.url.query(percentEncoded: true) == "api_key=a%20b")
        }
    }
}
