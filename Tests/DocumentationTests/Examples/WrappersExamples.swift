import Foundation
import GitHubAPI
import StartSmall
import StartSmallDiagnostics
import StartSmallDownloads
import StartSmallTesting
import Testing

/// The Swift blocks of Sources/StartSmall/StartSmall.docc/Wrappers.md and Engines.md, in order.
@Suite(.timeLimit(.minutes(1))) struct WrappersExamples {
    private static let phrase = Output.hasResponse(Response(statusCode: .ok, payload: Data("Design for failure.".utf8)))

    @Test("the first wrapper is the outermost, and one around the engine sees each request")
    func order() async {
        let trace = Recorder<String>()
        let moved = Output.status(.found, headers: ["Location": "https://api.example.com/zen"])
        let stub = Connector.stub(sequence: [Self.phrase, moved, Self.phrase])

        let connector = stub.wrapped(by: .traced("outer", in: trace), .traced("inner", in: trace))

        _ = await GitHubZen.endpoint.fetch(via: connector)
        #expect(trace.elements == ["→ outer", "→ inner", "← inner", "← outer"])

        let engine = stub.wrapped(by: .traced("request", in: trace))
        let app = Connector.standard(over: engine).wrapped(by: .traced("call", in: trace))

        _ = await GitHubZen.endpoint.fetch(via: app)
        #expect(trace.elements.dropFirst(4).filter { $0.hasPrefix("→") } == ["→ call", "→ request", "→ request"])
    }

    @Test(
        "a limit of all attempts, and one of each attempt, are two stacks, and a base URL is put before a relative URL"
    )
    func stacks() async throws {
        let sent = Recorder<Input>()
        let stub = Connector.stub(Self.phrase, recording: sent)
        let server = try #require(URL(string: "https://api.example.com/v3"))

        let wrong = stub.wrapped(by: .timeout(.seconds(10)), .retry())
        let right = stub.wrapped(by: .timeout(.seconds(60)), .retry(), .timeout(.seconds(10)))

        #expect([wrong, right].map(\.wrappers.count) == [2, 3])

        let connector = stub.wrapped(by: .baseURL(server))
        let zen = Endpoint.text(.get("/zen"))

        _ = await zen.fetch(via: connector)
        #expect(sent.elements.map(\.url.absoluteString) == ["https://api.example.com/v3/zen"])
    }

    @Test("a listener receives all events of a call")
    func listen() async {
        let observed = Recorder<String>()
        let stub = Connector.stub(Self.phrase)

        let listener = Listener { event, call in observed.append("\(call) \(event.name)") }
        let connector = stub.wrapped(by: .listen(to: listener))

        _ = await GitHubZen.endpoint.fetch(via: connector)
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

    @Test("downloads are resumed outside of retries and redirects")
    func resumeDownloads() {
        let engine = Connector.stub(Self.phrase)

        let app = Connector.standard(over: engine).wrapped(by: .resumeDownloads(), .retry())

        #expect(app.wrappers == ["resumeDownloads", "retry", "redirect", "limitPayload"])
        #expect(app.check() == [])
    }

    @Test("the payload of an error may be larger and slower than by default")
    func limitErrorPayloads() async throws {
        let server = Connector { _ in
            var response = Response(statusCode: .notFound)
            response.content = .body(ResponseBody(Data(count: 2_000_000)))
            return .hasResponse(response)
        }
        let input = Input(url: try #require(URL(string: "https://api.example.com/none")))

        let patient = server.wrapped(by: .limitPayload(ofErrors: 5_000_000, within: .seconds(60)))

        #expect(await WebAPI.call(with: input, via: server).connectionError?.name == "payloadTooLarge")
        #expect(await WebAPI.call(with: input, via: patient).response?.payload.count == 2_000_000)
    }

    @Test("a call is retried with a default policy, or with a custom backoff and condition")
    func own() async {
        let clock = ManualClock()
        let stub = Connector.stub(sequence: [.status(.notFound), .status(.serviceUnavailable), Self.phrase])

        let pending = RetryCondition { input, output in
            RetryCondition.isSafeToReplay(input) && output.response?.statusCode == .notFound
        }
        let untilThere = RetryPolicy(
            condition: pending,
            backoff: Backoff { attempt in attempt.number < 10 ? .seconds(1) : nil }
        )
        let polling = stub.wrapped(by: .retry(untilThere, clock: clock))

        async let fetched = GitHubZen.endpoint.fetch(via: polling)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(1))
        #expect(await fetched.failure?.response.statusCode == .serviceUnavailable)

        let standardOrPending = RetryPolicy.exponential(attempts: 5, condition: .standard.or(pending))

        let get = Input(url: URL(string: "https://api.example.com/")!)
        for status in [HTTPStatus.notFound, .badGateway] {
            #expect(standardOrPending.retries(get, after: .status(status)))
        }

        let connector = stub.wrapped(by: .retry(.exponential(attempts: 3)), .timeout(.seconds(10)))

        #expect(await GitHubZen.endpoint.fetch(via: connector).right?.text == "Design for failure.")
    }

    @Test("a policy for an API of a language model retries a POST as the server says, and a lock that was not free")
    func hinted() {
        let generous = RetryPolicy.exponential(
            attempts: 4,
            condition: .standard.or(.throttled).or(.lockTimeout),
            serverHints: .anyMethod
        )
        let url = URL(string: "https://api.example.com/")!
        let post = Input(url: url, methodAndPayload: .post(payload: nil))
        let overloaded = Output.status(.internalServerError, headers: ["X-Should-Retry": "true"])

        #expect(generous.retries(post, after: overloaded))
        #expect(generous.retries(Input(url: url), after: .status(.conflict)))
        #expect(!RetryPolicy.standard.retries(post, after: overloaded))
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

    @Test("an engine can wait for minutes")
    func longRunning() async throws {
        let patient = Connector.standard(over: .engine(options: .longRunning))

        try await LoopbackServer.serving(.stub(Self.phrase)) { server in
            let output = await WebAPI.call(with: Input(url: server.url), via: patient)
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

    @Test("an HTTP Archive has each network request of a call")
    func archive() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let moved = Output.status(.found, headers: ["Location": "/zen"])
        let app = Connector.standard(over: .stub(sequence: [moved, Self.phrase]))

        let recorded = app.wrapped(by: .har(to: file))

        let errorOrZen = await GitHubZen.endpoint.fetch(via: recorded)
        #expect(errorOrZen.right != nil)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains(#""redirectURL":"/zen""#) && text.contains("Design for failure."))
    }

    @Test("the standard connector can use any engine")
    func standardOverAnEngine() async {
        let sent = Recorder<Input>()
        let moved = Output.status(.found, headers: ["Location": "/zen"])
        let engine = Connector.stub(sequence: [moved, Self.phrase], recording: sent)
        let policy = RedirectPolicy(limit: 1)

        let app = Connector.standard(over: engine, redirecting: policy, limitingPayload: 200_000_000)

        let errorOrZen = await GitHubZen.endpoint.fetch(via: app)
        #expect(errorOrZen.right != nil)
        #expect(sent.elements.map(\.payloadLimit) == [200_000_000, 200_000_000])
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
