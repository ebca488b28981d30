import Foundation
import StartSmall
import StartSmallMetrics
import StartSmallTesting
import Testing

/// The Swift blocks of Sources/StartSmall/StartSmall.docc/Wrappers.md on wrappers that change or validate one request
/// or response.
struct RequestWrapperExamples {
    private let sent = Recorder<Input>()
    private let zen = Endpoint.text(.get("https://api.example.com/zen"))
    private var stub: Connector { .stub(.text("Design for failure."), recording: sent) }

    private func header(_ name: String) -> [String?] {
        sent.elements.map { $0.headers[name] }
    }

    @Test("headers can be fixed or computed")
    func headers() async {
        let connector = stub.wrapped(
            by: .headers(["Accept": "text/plain", "Accept-Language": "ja"]),
            .headers(.override) { input in ["X-Signature": try await signature(of: input)] }
        )
        let english = Endpoint.text(.get("https://api.example.com/zen", headers: ["Accept-Language": "en"]))

        _ = await english.fetch(via: connector)
        let headers: HTTPHeaders = ["Accept-Language": "en", "Accept": "text/plain", "X-Signature": "GET /zen"]
        #expect(sent.elements.map(\.headers) == [headers])
    }

    @Test("a user agent is a list of products")
    func userAgent() async {
        let connector = stub.wrapped(by: .userAgent("Acme", version: "1.2", comment: "Linux"))

        _ = await zen.fetch(via: connector)
        #expect(header("User-Agent") == ["Acme/1.2 (Linux)"])
    }

    @Test("user and password are sent to one server only")
    func basic() async throws {
        let server = try #require(URL(string: "https://api.example.com"))

        let connector = stub.wrapped(by: .basic(user: "Aladdin", password: "open sesame", to: .origin(server)))

        _ = await zen.fetch(via: connector)
        _ = await Endpoint.text(.get("https://elsewhere.example")).fetch(via: connector)
        #expect(header("Authorization") == ["Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", nil])
    }

    @Test("a request can have its own credentials")
    func authorized() async {
        let repositories = Endpoint.text(
            .get("https://api.example.com/user/repos").authorized(by: .basic(user: "me", password: "secret"))
        )

        _ = await repositories.fetch(via: stub.wrapped(by: .bearer("other")))
        #expect(header("Authorization") == ["Basic bWU6c2VjcmV0"])
    }

    @Test("a token is loaded for each call")
    func bearer() async {
        let keychain = Keychain(token: nil)

        let connector = stub.wrapped(by: .bearer { try await keychain.token() })
        let errorOrZen = await zen.fetch(via: connector)

        #expect(errorOrZen.left?.left == .missingCredentials(debugInfo: "the bearer token is missing or empty"))
        #expect(sent.elements.isEmpty)
    }

    @Test("an API key is sent in a header or a query item")
    func apiKey() async {
        let connector = stub.wrapped(by: .apiKey("secret", in: .header("X-API-Key")), .redirect())

        _ = await zen.fetch(via: connector)
        #expect(header("X-API-Key") == ["secret"])
    }

    @Test("a key in a header with an ordinary name is dropped on a redirect if the policy names the header")
    func apiKeyOfAnotherName() async {
        let moved = Output.status(.found, headers: ["Location": "https://elsewhere.example/zen"])
        let stub = Connector.stub(sequence: [moved, .text("Design for failure.")], recording: sent)

        let policy = RedirectPolicy(alsoDropping: ["X-Ticket"])
        let app = Connector.standard(over: stub, redirecting: policy)
            .wrapped(by: .apiKey("secret", in: .header("X-Ticket")))

        _ = await zen.fetch(via: app)
        #expect(header("X-Ticket") == ["secret", nil])
    }

    @Test("a request has an ID")
    func requestID() async throws {
        let connector = stub.wrapped(by: .requestID())

        _ = await zen.fetch(via: connector)
        let id = try #require(sent.elements.first?.headers["X-Request-ID"])
        #expect(UUID(uuidString: id) != nil)
    }

    @Test("all attempts have the same key, unless the wrappers are in the wrong order")
    func idempotencyKey() async {
        let order = Endpoint.text(.post("https://api.example.com/orders", payload: .text("one pizza")))

        let onePizza = stub.wrapped(by: .idempotencyKey(), .threeTimes)
        let threePizzas = stub.wrapped(by: .threeTimes, .idempotencyKey())

        _ = await order.fetch(via: onePizza)
        #expect(Set(header("Idempotency-Key")).count == 1)
        _ = await order.fetch(via: threePizzas)
        #expect(Set(header("Idempotency-Key")).count == 1 + 3)
    }

    @Test("a POST with a key in a custom field can be retried")
    func idempotencyKeyOfAnotherName() async {
        let clock = ManualClock()
        let stub = Connector.stub(sequence: [.status(.serviceUnavailable), .text("one pizza")], recording: sent)
        let order = Endpoint.text(.post("https://api.example.com/orders", payload: .text("one pizza")))

        let keyed = RetryCondition { input, output in
            let isSafe = RetryCondition.isSafeToReplay(input) || input.headers.contains("Order-Key")
            return isSafe && RetryCondition.isTransient(output)
        }
        let connector = stub.wrapped(
            by: .idempotencyKey(header: "Order-Key"),
            .retry(.exponential(attempts: 3, condition: keyed), clock: clock)
        )

        async let errorOrText = order.fetch(via: connector)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(1))
        #expect(await errorOrText.right == "one pizza")
        #expect(header("Order-Key").count == 2)
        #expect(Set(header("Order-Key")).count == 1)
    }

    @Test("a call continues the trace of its task")
    func traceparent() async {
        let connector = stub.wrapped(by: .traceparent())
        let incoming = TraceContext(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
        await TraceContext.$current.withValue(incoming) {
            _ = await zen.fetch(via: connector)
        }

        #expect(header("traceparent").first??.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-") == true)
    }

    @Test("queries can be encoded as a form")
    func queryEncoding() async {
        let connector = stub.wrapped(by: .queryEncoding(.form))
        let search = Endpoint.text(.get("https://api.example.com/search", queries: ["q": "start small", "exact": nil]))

        _ = await search.fetch(via: connector)
        #expect(sent.elements.map(\.url.absoluteString) == ["https://api.example.com/search?q=start+small&exact"])
    }

    @Test("a response that is not from the API is rejected")
    func validate() async {
        let connector = stub.wrapped(
            by: .validate { response in
                response.headers["X-Served-By"] == "api" ? nil : "not from the API, but from a hotspot"
            }
        )
        let errorOrZen = await zen.fetch(via: connector)

        guard case .rejected(let response, let reason)? = errorOrZen.left?.left else {
            Issue.record("\(errorOrZen)")
            return
        }
        #expect(response.payload == Data("Design for failure.".utf8))
        #expect(reason == "not from the API, but from a hotspot")
    }
}

private func signature(of input: Input) async throws -> String {
    "\(input.methodAndPayload.method) \(input.url.path)"
}

private struct Keychain: Sendable {
    let stored: String?

    init(token: String?) { stored = token }

    func token() async throws -> String? { stored }
}

extension Wrapper {
    /// Calls three times, as a retry does.
    fileprivate static let threeTimes = Wrapper { input, next in
        for _ in 1...2 { _ = await next(input) }
        return await next(input)
    }
}
