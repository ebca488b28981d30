import Foundation
import StartSmall
import StartSmallURLSession
import StartSmallTesting
import Testing

/// The description of a connector, which draws its stack.
struct ConnectorDescriptionTests {
    @Test("the stack is drawn from the outside in, with the names of the wrappers and of the engine")
    func drawn() {
        let server = URL(string: "https://api.example.com")!
        let app = Connector.standard(over: .stub(.status(.ok))).wrapped(
            by: .timeout(untilHead: .seconds(120)),
            .bearer("t", to: .origin(server)),
            .headers(["Accept": "text/plain", "Authorization": "t"])
        )
        #expect(
            app.description == """
                1. timeout(untilHead:)
                2. bearer(to:)
                3. headers(credentials)
                4. redirect
                5. limitPayload
                stub
                """
        )
        #expect(
            app.wrappers == [
                "timeout(untilHead:)", "bearer(to:)", "headers(credentials)", "redirect", "limitPayload",
            ]
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
                == "1. retry\na\\nb"
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
    }

    @Test("a wrapper without a name is unknown, also one that returns its own connector")
    func unknown() {
        let plain = Wrapper { input, next in await next(input) }
        let replacing = Wrapper(wrapping: { connector in
            Connector { input, context in await connector.connect(input, context) }
        })
        let app = Connector.stub(.status(.ok)).wrapped(by: plain, .requestID(), replacing, .retry(.never))
        #expect(app.description == "1. unknown\n2. requestID\n3. unknown\n4. retry\nstub")
    }

    @Test("a wrapper that consists of others is drawn as these, or as one if it has a name")
    func composed() {
        let composed: @Sendable (Connector) -> Connector = {
            $0.wrapped(by: .requestID(), Wrapper { input, next in await next(input) })
        }
        let stub = Connector.stub(.status(.ok)).wrapped(by: .limitPayload(bytes: 100))
        let inside = "limitPayload\nstub"
        #expect(stub.wrapped(by: Wrapper(wrapping: composed)).description == "1. requestID\n2. unknown\n3. \(inside)")
        #expect(stub.wrapped(by: Wrapper("mine", wrapping: composed)).description == "1. mine\n2. \(inside)")
        let renamed = Wrapper("yours", wrapping: composed).named("mine")
        #expect(stub.wrapped(by: renamed).description == "1. mine\n2. \(inside)")
        #expect(stub.wrapped(by: Wrapper(wrapping: { $0 })).description == "1. unknown\n2. \(inside)")
        let standard = stub.wrapped(by: Wrapper(wrapping: { .standard(over: $0) }))
        #expect(standard.description == Connector.standard(over: stub).description)
    }
}
