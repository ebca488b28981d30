import Foundation
import GitHubAPI
import StartSmall
import StartSmallTesting
import Testing

/// The Swift blocks of Sources/StartSmall/StartSmall.docc/Wrappers.md and Engines.md, in order.
struct WrappersExamples {
    private static let phrase = Output.hasResponse(Response(statusCode: .ok, payload: Data("Design for failure.".utf8)))

    @Test("the first wrapper is the outermost")
    func order() async {
        let trace = Recorder<String>()
        let stub = Connector.stub(Self.phrase)

        let connector = stub.wrapped(by: .traced("outer", in: trace), .traced("inner", in: trace))

        _ = await GitHubZen.fetch(via: connector)
        #expect(trace.elements == ["→ outer", "→ inner", "← inner", "← outer"])
    }

    @Test("a wrapper around the engine sees each request, and one around the standard connector each call")
    func aroundTheEngine() async {
        let trace = Recorder<String>()
        let moved = Output.status(.found, headers: ["Location": "https://api.example.com/zen"])
        let stub = Connector.stub(sequence: [moved, Self.phrase])

        let engine = stub.wrapped(by: .traced("request", in: trace))
        let app = Connector.standard(over: engine).wrapped(by: .traced("call", in: trace))

        _ = await GitHubZen.fetch(via: app)
        #expect(trace.elements.filter { $0.hasPrefix("→") } == ["→ call", "→ request", "→ request"])
    }

    @Test("a listener receives all events of a call")
    func listen() async {
        let observed = Recorder<String>()
        let stub = Connector.stub(Self.phrase)

        let listener = Listener { event, call in observed.append("\(call) \(event.name)") }
        let connector = stub.wrapped(by: .listen(to: listener))

        _ = await GitHubZen.fetch(via: connector)
        #expect(
            observed.elements.map { $0.split(separator: " ").last } == [
                "started", "received", "transformed", "succeeded", "ended",
            ]
        )
    }

    @Test("a redirect is followed, without the app's own credential")
    func redirect() async {
        let sent = Recorder<Input>()
        let moved = Response(statusCode: .movedPermanently, headers: ["Location": "https://elsewhere.example/zen"])
        let stub = Connector.stub(sequence: [.hasResponse(moved), Self.phrase], recording: sent)

        let policy = RedirectPolicy(limit: 5, alsoDropping: ["X-Ticket"])
        let connector = stub.wrapped(by: .redirect(policy))

        let zen = Endpoint.response(.get("https://api.github.com/zen", headers: ["X-Ticket": "secret"]))
        let fetched = await zen.fetch(via: connector)
        #expect(fetched.right?.redirections.map(\.to.absoluteString) == ["https://elsewhere.example/zen"])
        #expect(sent.elements.map { $0.headers["X-Ticket"] } == ["secret", nil])
    }

    @Test("the standard connector has a limit of redirects")
    func redirectOfStandard() async {
        let moved = Output.status(.found, headers: ["Location": "/zen"])
        let stub = Connector.stub(moved)

        let app = Connector.standard(over: stub, redirecting: RedirectPolicy(limit: 5))

        let fetched = await GitHubZen.fetch(via: app)
        guard case .tooManyRedirects(_, limit: 5)? = fetched.connectionError else {
            Issue.record("\(fetched)")
            return
        }
    }

    @Test("the standard connector takes connection options, over every engine")
    func standardWithOptions() async throws {
        let pins = ["sha256//" + Data(count: 32).base64EncodedString()]

        let options = ConnectionOptions(connectTimeout: .seconds(5), publicKeyPins: pins)
        let app = Connector.standard(over: .engine(options: options))

        // Without TLS, there is no key to compare.
        try await LoopbackServer.serving(.stub(Self.phrase)) { server in
            let output = await WebAPI.call(with: Input(url: server.url), via: app)
            #expect(output.response != nil)
        }
    }

    @Test("an address policy refuses a server of the own machine, and fixed addresses are no exception")
    func guardedAddresses() async throws {
        let options = ConnectionOptions(
            proxy: .none,
            addressPolicy: .publicOnly(alsoAllowing: ["10.1.0.0/16"]),
            resolve: ["api.example.com": ["192.0.2.1"]]
        )
        let guarded = Connector.standard(over: .engine(options: options))

        try await LoopbackServer.serving(.stub(Self.phrase)) { server in
            let output = await WebAPI.call(with: Input(url: server.url), via: guarded)
            // An engine that can't enforce the policy makes no call at all.
            #expect(["requestRefused", "engineUnavailable"].contains(output.connectionError?.name))
        }
    }

    @Test("the standard connector can use any engine")
    func standardOverAnEngine() async {
        let sent = Recorder<Input>()
        let moved = Output.status(.found, headers: ["Location": "/zen"])
        let engine = Connector.stub(sequence: [moved, Self.phrase], recording: sent)
        let policy = RedirectPolicy(limit: 1)

        let app = Connector.standard(over: engine, redirecting: policy, limitingPayload: 200_000_000)

        let errorOrZen = await GitHubZen.fetch(via: app)
        #expect(errorOrZen.right != nil)
        #expect(sent.elements.map(\.payloadLimit) == [200_000_000, 200_000_000])
    }

    @Test("a download continues where it was interrupted")
    func resumeDownloads() async throws {
        let asked = Recorder<String?>()
        let server = Connector { input in
            asked.append(input.headers["Range"])
            let lost = ConnectionError.connectionLost(.init(domain: "stub", code: 1, text: "lost"))
            let rest = input.headers.contains("Range")
            let head = Response(
                statusCode: rest ? .partialContent : .ok,
                headers: rest ? ["Content-Range": "bytes 3-5/6", "ETag": "\"v1\""] : ["ETag": "\"v1\""]
            )
            return .open(head, [Data((rest ? "def" : "abc").utf8)], then: rest ? nil : lost)
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }

        let connector = server.wrapped(by: .resumeDownloads(random: { 0 }), .retry())

        _ = await Endpoint.download(.get("https://api.example.com/f"), to: file).fetch(via: connector)
        let content = try Data(contentsOf: file)
        #expect(content == Data("abcdef".utf8))
        #expect(asked.elements == [nil, "bytes=3-"])
    }

    @Test("a payload over the limit is an error with the bytes within the limit")
    func limitPayload() async {
        let stub = Connector.stub(Self.phrase)

        let connector = stub.wrapped(by: .limitPayload(bytes: 6))
        let errorOrZen = await GitHubZen.fetch(via: connector)

        guard case .payloadTooLarge(let response, limit: 6)? = errorOrZen.left?.left else {
            Issue.record("\(errorOrZen)")
            return
        }
        #expect(response.payload == Data("Design".utf8))
    }

    @Test("the standard connector can have a larger payload limit")
    func limitPayloadOfStandard() async {
        let sent = Recorder<Input>()
        let stub = Connector.stub(Self.phrase, recording: sent)

        let app = Connector.standard(over: stub, limitingPayload: 200_000_000)

        _ = await GitHubZen.fetch(via: app)
        #expect(sent.elements.map(\.payloadLimit) == [200_000_000])
    }

    @Test("a base URL is put before a relative URL")
    func baseURL() async throws {
        let sent = Recorder<Input>()
        let stub = Connector.stub(Self.phrase, recording: sent)
        let server = try #require(URL(string: "https://api.example.com/v3"))

        let connector = stub.wrapped(by: .baseURL(server))
        let zen = Endpoint.text(.get("/zen"))

        _ = await zen.fetch(via: connector)
        #expect(sent.elements.map(\.url.absoluteString) == ["https://api.example.com/v3/zen"])
    }

    @Test("an API can be pointed at a test server")
    func moved() async throws {
        let sent = Recorder<Input>()
        let stub = Connector.stub(Self.phrase, recording: sent)
        let testServer = try #require(URL(string: "http://127.0.0.1:8080"))

        let connector = stub.wrapped(by: .baseURL(testServer, others: .moved))

        _ = await GitHubZen.fetch(via: connector)
        #expect(sent.elements.map(\.url.absoluteString) == ["http://127.0.0.1:8080/zen"])
    }
}

extension Wrapper {
    static func traced(_ name: String, in trace: Recorder<String>) -> Wrapper {
        Wrapper { input, next in
            trace.append("→ \(name)")
            let output = await next(input)
            trace.append("← \(name)")
            return output
        }
    }
}
