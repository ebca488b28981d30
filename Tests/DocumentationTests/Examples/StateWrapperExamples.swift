import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// The Swift blocks of Sources/StartSmall/StartSmall.docc/Wrappers.md on the wrappers with shared state, in order.
struct StateWrapperExamples {
    private static let ok = Output.text("hello")

    /// A replacement for the storage of an app's secrets.
    private actor Keychain {
        private var kept: AccessToken? = AccessToken("old", refreshToken: "r")

        func token() throws -> AccessToken? { kept }

        func keep(_ token: AccessToken) throws { kept = token }
    }

    @Test("a rejected token is refreshed, and the call is retried")
    func refreshToken() async {
        let keychain = Keychain()
        let sent = Recorder<Input>()
        let server = Connector.stub(
            sequence: [.status(.unauthorized), .json(#"{"access_token": "new"}"#), Self.ok],
            recording: sent
        )

        let store = TokenStore(load: { try await keychain.token() }, save: { try await keychain.keep($0) })
        let connector = server.wrapped(
            by: .refreshToken(in: store) { token, connector in
                await Endpoint.json(
                    OAuthTokenResponse.self,
                    .post(
                        "https://api.example.com/token",
                        payload: .form(["grant_type": "refresh_token", "refresh_token": token.refreshToken])
                    )
                )
                .map { $0.accessToken(receivedAt: Date(), inPlaceOf: token) }
                .fetch(via: connector)
            }
        )

        let text = await Endpoint.text(.get("https://api.example.com/hello")).fetch(via: connector)
        #expect(text == .right("hello"))
        #expect(sent.elements.map { $0.headers["Authorization"] } == ["Bearer old", nil, "Bearer new"])
        #expect(sent.elements[1].methodAndPayload.body == Data("grant_type=refresh_token&refresh_token=r".utf8))
    }

    @Test("a service requests its first token itself")
    func firstToken() async {
        let sent = Recorder<Input>()
        let server = Connector.stub(sequence: [.json(#"{"access_token": "new"}"#), Self.ok], recording: sent)
        let token = Endpoint.json(
            OAuthTokenResponse.self,
            .post("https://api.example.com/token", payload: .form(["grant_type": "client_credentials"]))
        )
        .map { $0.accessToken(receivedAt: Date()) }

        let service = server.wrapped(
            by: .refreshToken(in: .memory(), first: { await token.fetch(via: $0) }, by: { await token.fetch(via: $1) })
        )

        let text = await Endpoint.text(.get("https://api.example.com/hello")).fetch(via: service)
        #expect(text == .right("hello"))
        #expect(sent.elements.map { $0.headers["Authorization"] } == [nil, "Bearer new"])
    }

    @Test("a refresh can have its own retry")
    func retriedRefresh() async {
        let sent = Recorder<Input>()
        let connector = Connector.stub(
            sequence: [.status(.serviceUnavailable), .json(#"{"access_token": "new"}"#)],
            recording: sent
        )
        let refresh = Endpoint.json(OAuthTokenResponse.self, .post("https://api.example.com/token"))
        let clock = ManualClock()
        let waking = Task {
            await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(1))
        }

        let busy = RetryCondition { _, output in output.response?.statusCode == .serviceUnavailable }
        let patient = connector.wrapped(by: .timeout(.seconds(10)), .retry(RetryPolicy(condition: busy), clock: clock))
        let token = await refresh.fetch(via: patient)

        waking.cancel()
        #expect(token.right?.accessToken == "new")
        #expect(sent.elements.count == 2)
    }

    @Test("a call over the limit waits, and one more is refused")
    func limitConcurrency() async {
        let gate = Latch()
        let log = EventLog()
        let stub = Connector.stub { _ in
            await gate.wait()
            return Self.ok
        }

        let connector = stub.wrapped(by: .limitConcurrency(1, waiting: 1))

        let listened = connector.wrapped(by: .listen(to: log.listener))
        let endpoint = Endpoint.text(.get("https://api.example.com/hello"))
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<3 { group.addTask { await endpoint.fetch(via: listened).right == "hello" } }
            // The refused call ends first, since the others wait for the latch.
            let refused = await group.next()
            gate.open()
            return await group.reduce(into: [refused ?? true]) { $0.append($1) }
        }
        #expect(outcomes == [false, true, true])
        #expect(log.names.contains("waiting"))
    }

    @Test("a group reports the number of running calls and cancels them")
    func tracked() async {
        let stub = Connector.stub { _ in
            await Latch().wait()
            return .noResponse(.cancelled)
        }

        let group = CallGroup()
        let connector = stub.wrapped(by: .tracked(in: group))

        let spun = Recorder<Bool>()
        func spinner(_ isSpinning: Bool) {
            spun.append(isSpinning)
            if isSpinning { group.cancelAll() }
        }
        let call = Task { await Endpoint.text(.get("https://api.example.com/hello")).fetch(via: connector) }
        let watching = Task {
            for await count in group.changes {
                spinner(count > 0)
            }
        }
        #expect(await call.value == .left(.left(.cancelled)))
        watching.cancel()
        await watching.value
        #expect(spun.elements.contains(true))
    }

    @Test("a call is logged as lines or as a value")
    func log() async {
        let stub = Connector.stub(Self.ok)
        do {
            let connector = stub.wrapped(by: .log())
            #expect(await Endpoint.text(.get("https://api.example.com/hello")).fetch(via: connector) == .right("hello"))
        }
        let metrics = Recorder<LogEntry>()

        let connector = stub.wrapped(by: .log(.headers, entry: { entry in metrics.append(entry) }))

        _ = await Endpoint.text(.get("https://api.example.com/hello")).fetch(via: connector)
        #expect(metrics.elements.map(\.outcome?.status) == [.ok])
    }

    @Test("identical requests that are in flight at the same time become one")
    func shareInFlight() async {
        let (sent, answer, token) = (Recorder<Input>(), Latch(), "secret")
        let stub = Connector { input in
            sent.append(input)
            await answer.wait()
            return Self.ok
        }
        let connector = stub.wrapped(by: .bearer(token), .shareInFlight(ignoring: ["traceparent"]))

        let waiting = Recorder<String>()
        let listener = Listener { (event: Event) in
            waiting.append(event.name)
            if event.name == "shared" { answer.open() }
        }
        let text = Endpoint.text(.get("https://api.example.com/hello"))
        async let first = text.fetch(via: connector.wrapped(by: .listen(to: listener)))
        async let second = text.fetch(via: connector.wrapped(by: .listen(to: listener)))
        #expect(await [first, second] == [.right("hello"), .right("hello")])
        #expect(sent.elements.count == 1)
    }
}
