import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// The description of a connector, which draws its stack.
struct ConnectorDescriptionTests {
    @Test("the stack is drawn from the outside in, with the parameters and the engine")
    func drawn() {
        let app = Connector.standard(over: .stub(.status(.ok))).wrapped(
            by: .idempotencyKey(),
            .retry(.exponential(attempts: 3)),
            .timeout(.milliseconds(2500)),
            .timeout(untilHead: .seconds(120)),
            .baseURL(URL(string: "https://api.example.com/v3")!),
            .bearer("t", to: .origin(URL(string: "https://api.example.com")!)),
            .apiKey("k", in: .header("X-API-Key")),
            .headers(["Accept": "text/plain", "Accept-Language": "ja"]),
            .limitConcurrency(4, waiting: 10)
        )
        #expect(
            app.description == """
                1. idempotencyKey
                2. retry(attempts ≤ 3)
                3. timeout(2.5 s)
                4. timeout(untilHead: 120 s)
                5. baseURL(https://api.example.com/v3)
                6. bearer(to https://api.example.com)
                7. apiKey(header X-API-Key)
                8. headers(Accept, Accept-Language)
                9. limitConcurrency(4, waiting ≤ 10)
                10. redirect(limit 20), in Connector.standard
                11. limitPayload(64 MiB), in Connector.standard
                12. resumeDownloads, in Connector.standard
                stub
                """
        )
    }

    @Test("engines have names, and a custom connector may have one")
    func engines() {
        #if os(Linux) && !APPLE_BRANCH
            #expect(Connector.curl().description == "curl")
        #endif
        #expect(Connector.urlSession().description == "urlSession")
        #expect(Connector.silent().description == "silent")
        #expect(Connector { _ in .status(.ok) }.description == "connector")
        #expect(Connector { _ in .status(.ok) }.named("mine").description == "mine")
        #expect(
            Connector { _ in .status(.ok) }.wrapped(by: .retry(.never)).named("a\nb").description
                == "1. retry(attempts ≤ 1)\na\\nb"
        )
    }

    @Test("no credential is drawn, wherever it is")
    func noCredentials() {
        let secret = "hunter2hunter2hunter2"
        let url = URL(string: "https://user:\(secret)@api.example.com/?api_key=\(secret)")!
        let app = Connector.stub(.status(.ok)).wrapped(
            by: .bearer(secret),
            .bearer(secret, to: .origin(url)),
            .basic(user: secret, password: secret),
            .basic(user: "u", password: secret, to: .origin(url)),
            .apiKey(secret, in: .query("key"), to: .origin(url)),
            .headers(["Authorization": "Bearer \(secret)", "X-Ticket": secret, "Authorization: \(secret)": ""]),
            .baseURL(url),
            .userAgent("a", comment: secret)
        )
        #expect(app.description.split(separator: "\n").count == 9)
        #expect(!app.description.contains(secret))
        #expect(!app.check().description.contains(secret))
        #expect(!"\(app.check())".contains(secret))
    }

    @Test("a wrapper without a declaration is unknown, also one that returns its own connector")
    func unknown() {
        let plain = Wrapper { input, next in await next(input) }
        let replacing = Wrapper(wrapping: { connector in
            Connector { input, context in await connector.connect(input, context) }
        })
        let app = Connector.stub(.status(.ok)).wrapped(by: plain, .requestID(), replacing, .retry(.never))
        #expect(app.description == "1. unknown\n2. requestID\n3. unknown\n4. retry(attempts ≤ 1)\nstub")
    }

    @Test("a wrapper that consists of others is drawn as these, or as one if it has a declaration")
    func composed() {
        let composed: @Sendable (Connector) -> Connector = {
            $0.wrapped(by: .requestID(), Wrapper { input, next in await next(input) })
        }
        let stub = Connector.stub(.status(.ok)).wrapped(by: .limitPayload(bytes: 100))
        let inside = "limitPayload(100 bytes)\nstub"
        #expect(stub.wrapped(by: Wrapper(wrapping: composed)).description == "1. requestID\n2. unknown\n3. \(inside)")
        let declared = Wrapper(WrapperDeclaration("mine", ["a", "b"]), wrapping: composed)
        #expect(stub.wrapped(by: declared).description == "1. mine(a, b)\n2. \(inside)")
        #expect(stub.wrapped(by: Wrapper(wrapping: { $0 })).description == stub.description)
        let standard = stub.wrapped(by: Wrapper(wrapping: { .standard(over: $0) }))
        #expect(standard.description == Connector.standard(over: stub).description)
        #expect(standard.description.contains("1. redirect(limit 20), in Connector.standard\n"))
    }

    @Test("a wrapper can be declared as another one, with its behavior unchanged")
    func redeclared() async {
        let declaration = WrapperDeclaration("stamp", changes: [.header("X-Stamp")])
        let sent = Recorder<Input>()
        let app = Connector.stub(.status(.ok), recording: sent)
            .wrapped(by: .headers(["X-Stamp": "1"]).declared(as: declaration))
        _ = await WebAPI.call(with: Fixture.input, via: app)
        #expect(app.description == "1. stamp\nstub")
        #expect(sent.elements.first?.headers["X-Stamp"] == "1")
    }

    @Test("listeners are kept, and wrapping in two steps draws the same as in one")
    func twoSteps() {
        let stub = Connector.stub(.status(.ok))
        let log = EventLog()
        let once = stub.wrapped(by: .listen(to: log.listener), .retry(), .requestID())
        let twice = stub.wrapped(by: .requestID()).wrapped(by: .listen(to: log.listener), .retry())
        #expect(once.description == twice.description)
        #expect(once.description == "1. listen\n2. retry(attempts ≤ 3)\n3. requestID\nstub")
    }

    @Test(
        "durations are displayed in seconds",
        arguments: [
            (Duration.seconds(10), "10 s"), (.milliseconds(500), "0.5 s"), (.microseconds(1), "1e-06 s"),
            (.seconds(3600), "3600 s"), (.zero, "0 s"), (.seconds(-1), "-1 s"),
        ]
    )
    func durations(duration: Duration, shown: String) {
        #expect(WrapperDeclaration.shown(duration) == shown)
    }
}
