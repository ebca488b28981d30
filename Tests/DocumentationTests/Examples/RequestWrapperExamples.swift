import Foundation
import StartSmall
import StartSmallAuth
import StartSmallDiagnostics
import StartSmallForms
import StartSmallMetrics
import StartSmallTesting
import Testing

/// The Swift blocks of Sources/StartSmall/StartSmall.docc/Wrappers.md on wrappers that change or validate one request
/// or response, and on tokens; the one on trace context is in StartSmallMetrics.md.
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

    @Test("user and password are sent to one server only")
    func basic() async throws {
        let server = try #require(URL(string: "https://api.example.com"))

        let connector = stub.wrapped(by: .basic(user: "Aladdin", password: "open sesame", to: .origin(server)))

        _ = await zen.fetch(via: connector)
        _ = await Endpoint.text(.get("https://elsewhere.example")).fetch(via: connector)
        #expect(header("Authorization") == ["Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", nil])
    }

    @Test("a server is told of the attempt and of the time that is left")
    func attemptHeaders() async {
        let told = stub.wrapped(by: .timeout(.seconds(60)), .retry(), .attemptHeaders(), .redirect())

        _ = await zen.fetch(via: told)
        #expect(header("X-Retry-Count") == ["0"])
        #expect(header("X-Timeout-Ms").count == 1)
    }

    @Test("an API gets its version with each request")
    func queries() async throws {
        let server = try #require(URL(string: "https://api.example.com"))

        let versioned = stub.wrapped(by: .queries(["api-version": "2026-11-01"], to: .origin(server)))

        _ = await zen.fetch(via: versioned)
        #expect(sent.elements.map(\.queries) == [[URLQueryItem(name: "api-version", value: "2026-11-01")]])
    }

    @Test("a long payload is compressed, and has the digest of the bytes that are sent, which are signed")
    func gzipPayloads() async {
        let sign: @Sendable (Input) -> HTTPHeaders = {
            ["X-Signature": "of \($0.headers["Content-Digest"] ?? "nothing")"]
        }

        let small = stub.wrapped(by: .retry(), .gzipPayloads(from: 4_096), .contentDigest(), .headers(.override, sign))

        let text = String(repeating: "start small ", count: 1_000)
        _ = await Endpoint.text(.post("https://api.example.com/notes", payload: .text(text))).fetch(via: small)
        #expect(header("Content-Encoding") == ["gzip"])
        #expect(header("X-Signature") == ["of \(header("Content-Digest").first??.description ?? "")"])
    }

    @Test("a deprecated endpoint is reported once")
    func deprecations() async throws {
        let noted = Recorder<String>()
        let stub = Connector.stub(.status(.ok, headers: ["Sunset": "Sat, 06 Nov 2094 08:49:37 GMT"]))

        let warnings = Listener { event in
            guard let notice = event.reported(DeprecationNotice.self) else { return }
            noted.append("\(notice.endpoint) ends at \(notice.sunset.map { HTTPDate.text($0) } ?? "an unknown time")")
        }
        let watched = stub.wrapped(by: .deprecations(), .listen(to: warnings))

        for _ in 1...2 { _ = await zen.fetch(via: watched) }
        #expect(noted.elements == ["GET https://api.example.com/zen ends at Sat, 06 Nov 2094 08:49:37 GMT"])
    }

    @Test("an SDK names itself, and then the app")
    func userAgent() async {
        let app = UserAgentProduct("Acme", version: "2.1")

        let sdk = stub.wrapped(by: .userAgent([UserAgentProduct("Bookshelf", version: "1.0"), app]))

        _ = await zen.fetch(via: sdk)
        #expect(header("User-Agent") == ["Bookshelf/1.0 Acme/2.1"])
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

    /// A replacement for the storage of an app's secrets.
    private actor Keychain {
        private var kept: AccessToken? = AccessToken("old", refreshToken: "r")

        func token() throws -> AccessToken? { kept }

        func keep(_ token: AccessToken?) throws { kept = token }
    }

    @Test("a rejected token is refreshed, and the call is retried")
    func refreshToken() async {
        let keychain = Keychain()
        let sent = Recorder<Input>()
        let server = Connector.stub(
            sequence: [.status(.unauthorized), .json(#"{"access_token": "new"}"#), .text("hello")],
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
        let server = Connector.stub(sequence: [.json(#"{"access_token": "new"}"#), .text("hello")], recording: sent)
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
}

private func signature(of input: Input) async throws -> String {
    "\(input.methodAndPayload.method) \(input.url.path)"
}

extension Wrapper {
    /// Calls three times, as a retry does.
    fileprivate static let threeTimes = Wrapper { input, next in
        for _ in 1...2 { _ = await next(input) }
        return await next(input)
    }
}
