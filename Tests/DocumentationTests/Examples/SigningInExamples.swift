import Foundation
import StartSmall
import StartSmallAuth
import StartSmallTesting
import Testing

/// The Swift blocks of Sources/StartSmall/StartSmall.docc/SigningIn.md, in order.
struct SigningInExamples {
    private let issuer = "https://server.example.com"
    private let secret = "7Fjfp0ZBr1KtDRbnfVdmIw"
    private let now: @Sendable () -> Date = { Date(timeIntervalSince1970: 1_311_280_970) }

    /// The URL of a text.
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    /// A server whose token endpoint has these answers.
    private func server(_ answers: String..., recording sent: Recorder<Input>? = nil) -> Connector {
        let metadata = """
            {"issuer": "https://server.example.com", "token_endpoint": "https://server.example.com/token"}
            """
        let count = Recorder<Void>()
        return .stub(recording: sent) { input in
            if input.url.path() == "/.well-known/oauth-authorization-server" { return .json(metadata) }
            if input.url.path() == "/device" { return .json(Self.device) }
            guard input.url.path() == "/token" else { return .status(.unauthorized) }
            count.append(())
            let answer = answers[min(count.elements.count, answers.count) - 1]
            return .json(answer, status: answer.contains("error") ? .badRequest : .ok)
        }
    }

    private static let bearer = #"{"access_token": "2YotnFZFEjr1zCsicMWpAA", "token_type": "Bearer", "expires_in": 60}"#
    private static let device = """
        {"device_code": "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS", "user_code": "WDJB-MJHT",
        "verification_uri": "https://example.com/device", "expires_in": 1800, "interval": 5}
        """

    @Test("a service gets a token, and sends it")
    func clientCredentials() async throws {
        let api = try url("https://api.example.com/")
        let sent = Recorder<Input>()
        let app = server(Self.bearer, recording: sent)

        let client = OAuthClient("s6BhdRkqt3", .secretInHeader(secret))
        let server = try await OAuthServerMetadata.endpoint(of: issuer).value(via: app)
        let service = app.wrapped(
            by: .oauth(client, at: server.tokenEndpoint, ["scope": "read"], in: .memory(), to: .origin(api)) {
                .clientCredentials
            }
        )

        _ = await Endpoint.text(.get(api)).fetch(via: service)
        #expect(
            sent.elements.suffix(2).map { $0.headers["Authorization"] } == [
                "Basic czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3", "Bearer 2YotnFZFEjr1zCsicMWpAA",
            ]
        )
    }

    @Test("a user signs in by a browser")
    func browser() async throws {
        let nonces = Recorder<String>()
        struct Browser {
            let nonces: Recorder<String>

            func open(_ page: URL) async throws -> URL {
                let state = Input(url: page).queryValues(of: "state").first ?? ""
                nonces.append(Input(url: page).queryValues(of: "nonce").first ?? "")
                return try #require(URL(string: "com.example.app:/cb?code=SplxlOBeZQQYbYS6WxSbIA&state=\(state)"))
            }
        }
        let (client, browser, store) = (OAuthClient("s6BhdRkqt3"), Browser(nonces: nonces), TokenStore.memory())
        let redirect = try url("com.example.app:/cb")
        let authorizationEndpoint = try url("https://server.example.com/authorize")
        let issuing = Wrapper { input, next in
            guard input.url.path() == "/token", let nonce = nonces.elements.last else { return await next(input) }
            let claims = """
                {"iss": "https://server.example.com", "aud": "s6BhdRkqt3", "sub": "248289761001", "nonce": "\(nonce)",
                "iat": 1311280970, "exp": 1311281970}
                """
            let body = Data(claims.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
            return .json(Self.bearer.replacing("}", with: #", "id_token": "e30.\#(body).c2ln"}"#))
        }
        let app = server().wrapped(by: issuing)
        let server = try await OAuthServerMetadata.endpoint(of: issuer).value(via: app)

        let request = AuthorizationRequest(client, redirect: redirect)
        let page = try request.url(at: authorizationEndpoint, ["scope": "openid email"]).get()
        let redirected = try await browser.open(page)
        let code = try request.code(in: redirected, from: server.issuer, promisesIssuer: server.promisesIssuer).get()
        let token = try await client.token(by: .code(code), at: server.tokenEndpoint).value(via: app)

        let user = JSONWebToken.idToken(token.idToken ?? "", from: issuer, to: client, nonce: request.nonce, now: now())
        try await store.save(token.accessToken(receivedAt: now(), identity: user.get().subject))

        #expect(nonces.elements == [request.nonce])
        #expect(try await store.load()?.expires == now().addingTimeInterval(60))
        #expect(try await store.load()?.identity == "248289761001")
    }

    @Test("a device shows a code, and polls")
    func deviceCode() async throws {
        let (client, clock, shown) = (OAuthClient("1406020730"), ManualClock(), Recorder<String>())
        let deviceEndpoint = try url("https://server.example.com/device")
        let app = server(#"{"error": "authorization_pending"}"#, Self.bearer)
        let server = try await OAuthServerMetadata.endpoint(of: issuer).value(via: app)
        let show: @Sendable (String) -> Void = { shown.append($0) }
        let (store, user, now) = (TokenStore.memory(), "me", now)
        let task = Task {
            let device = try await client.deviceAuthorization(at: deviceEndpoint, ["scope": "tv"]).value(via: app)
            show("\(device.userCode) at \(device.page)")
            let token = try await client.token(for: device, at: server.tokenEndpoint, via: app, clock: clock).get()
            try await store.save(token.accessToken(receivedAt: now(), identity: user))
        }
        for _ in 0..<2 {
            await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(5))
        }
        try await task.value
        #expect(try await store.load()?.value == "2YotnFZFEjr1zCsicMWpAA")
        #expect(shown.elements == ["WDJB-MJHT at https://example.com/device"])
    }

    @Test("a token stays fresh until the user has to sign in again")
    func refresh() async throws {
        let client = OAuthClient("s6BhdRkqt3")
        let tokenEndpoint = try url("https://server.example.com/token")
        let api = try url("https://api.example.com/")
        let store = TokenStore.memory(AccessToken("old", refreshToken: "tGzv3JOkF0XG5Qx2TlKWIA"))
        let app = server(Self.bearer, #"{"error": "invalid_grant"}"#)
        let shown = Recorder<Void>()
        let showSignIn = { shown.append(()) }

        let signedIn = app.wrapped(by: .oauth(client, at: tokenEndpoint, in: store, to: .origin(api)))

        for call in 0..<2 {
            let fetched = await Endpoint.text(.get(api)).fetch(via: signedIn)

            if fetched.connectionError?.refusal(RefreshFailure.self)?.needsSignIn == true { showSignIn() }

            #expect(shown.elements.count == call)
            #expect(try await store.load()?.value == "2YotnFZFEjr1zCsicMWpAA")
            #expect(try await store.load()?.refreshToken == "tGzv3JOkF0XG5Qx2TlKWIA")
        }
    }

    @Test("a client of another library gets a fresh token, once per refresh")
    func handover() async throws {
        let client = OAuthClient("s6BhdRkqt3")
        let tokenEndpoint = try url("https://server.example.com/token")
        let api = try url("https://api.example.com/")
        let store = TokenStore.memory(AccessToken("old", refreshToken: "r", expires: .distantPast))
        let sent = Recorder<Input>()
        let app = server(Self.bearer, recording: sent)

        enum Handover: RequestOption { typealias Value = Bool }

        let handover = Wrapper { input, next in
            guard input.options[Handover.self] == true else { return await next(input) }
            return .hasResponse(Response(statusCode: .noContent, headers: input.headers))
        }
        let signedIn = app.wrapped(by: .oauth(client, at: tokenEndpoint, in: store, to: .origin(api)), handover)
        let prepared = Endpoint.response(.get(api)).with(CallOption(Handover.self, true))
        let fields = try await prepared.value(via: signedIn).headers

        #expect(fields["Authorization"] == "Bearer 2YotnFZFEjr1zCsicMWpAA")
        #expect(sent.elements.map(\.url) == [tokenEndpoint])
    }

    @Test("the requests of a sign-in never have the stored token, and are sent while it can't be refreshed")
    func withoutStoredToken() async throws {
        let (client, sent) = (OAuthClient("s6BhdRkqt3"), Recorder<Input>())
        let endpoint = try url("https://server.example.com/token")
        let authorization = try url("https://server.example.com/authorize")
        let redirect = try url("com.example.app:/cb")
        let server = Connector.stub(.json(#"{"error": "invalid_grant"}"#, status: .badRequest), recording: sent)
        let store = TokenStore.memory(AccessToken("old", refreshToken: "r", expires: .distantPast))
        let app = server.wrapped(by: .oauth(client, at: endpoint, in: store, to: .origin(endpoint)))
        let failed = await Endpoint.text(.get(authorization)).fetch(via: app)
        #expect(failed.connectionError?.refusal(RefreshFailure.self)?.needsSignIn == true)
        #expect(sent.elements.count == 1)

        _ = await client.deviceAuthorization(at: endpoint).fetch(via: app)
        _ = await client.token(by: .deviceCode("c"), at: endpoint).fetch(via: app)
        _ = await client.revocation(of: "r", at: endpoint).fetch(via: app)
        let request = AuthorizationRequest(client, redirect: redirect)
        _ = await client.url(of: request, pushedTo: endpoint, at: authorization).fetch(via: app)
        _ = await OAuthServerMetadata.endpoint(of: issuer).fetch(via: app)
        _ = await ProtectedResourceMetadata.endpoint(of: issuer).fetch(via: app)

        #expect(sent.elements.count == 7 && sent.elements.allSatisfy { $0.headers["Authorization"] == nil })
        let begin = client.deviceAuthorization(at: endpoint)
        #expect(await server.dryRun(begin).unreadOptions == [])

        // A token may authorize this question (RFC 7662 2.1).
        try await store.save(AccessToken("new"))
        _ = await client.introspection(of: "t", at: endpoint).fetch(via: app)
        #expect(sent.elements.last?.headers["Authorization"] == "Bearer new")
    }

    @Test("a logout revokes the refresh token after the store is empty")
    func logout() async throws {
        let (client, sent) = (OAuthClient("s6BhdRkqt3"), Recorder<Input>())
        let revocationEndpoint = try url("https://server.example.com/revoke")
        let store = TokenStore.memory(AccessToken("old", refreshToken: "tGzv3JOkF0XG5Qx2TlKWIA"))
        let app = Connector.stub(.status(.ok), recording: sent)

        let token = try? await store.load()
        try await store.save(nil)
        if let token {
            let revocation = client.revocation(of: token.refreshToken ?? token.value, at: revocationEndpoint)
            _ = await revocation.fetch(via: app)
        }

        #expect(sent.elements.map(\.url) == [revocationEndpoint])
        #expect(try await store.load() == nil)
    }

    @Test("a resource names its server, which counts if the app knows it")
    func resource() async throws {
        let api = "https://api.example.com/"
        let app = Connector.stub { input in
            if input.url.path() == "/metadata" {
                let servers = #"["https://evil.example.com", "https://server.example.com"]"#
                return .json(#"{"resource": "https://api.example.com/", "authorization_servers": \#(servers)}"#)
            }
            let field = #"Bearer resource_metadata="https://api.example.com/metadata""#
            return .status(.unauthorized, headers: ["WWW-Authenticate": field])
        }

        let unauthorized = try await Endpoint.response(.get(api)).value(via: app)
        let metadata = unauthorized.resourceMetadata
        let resource = try await ProtectedResourceMetadata.endpoint(of: api, at: metadata).value(via: app)
        let issuer = resource.authorizationServers(among: ["https://server.example.com"]).first

        #expect(issuer == "https://server.example.com")
    }

    @Test("the expiry is read from a token")
    func expiry() {
        let token = AccessToken("e30.eyJleHAiOjEzMDA4MTkzODB9.c2ln")

        let expires = JSONWebToken(unverified: token.value)?.expires

        #expect(expires == Date(timeIntervalSince1970: 1_300_819_380))
    }

    @Test("a proof is sent with each request of a token that is bound to a key")
    func dpop() async throws {
        let (store, sent) = (TokenStore.memory(), Recorder<Input>())
        let (client, tokenEndpoint) = (OAuthClient("s6BhdRkqt3"), try url("https://server.example.com/token"))
        let api = try url("https://api.example.com")

        let redirect = try url("com.example.app:/cb")
        let request = AuthorizationRequest(client, redirect: redirect)
        let code = try request.code(in: url("\(redirect)?code=SplxlOBeZQQYbYS6WxSbIA&state=\(request.state)")).get()
        let app = server(Self.bearer.replacing("Bearer", with: "DPoP"), recording: sent)

        let proofs = DPoPKey(p256: Data(1...64)) { Data($0.suffix(64)) }

        let bound = app.wrapped(
            by: .oauth(client, at: tokenEndpoint, in: store, to: .origin(api), .dpop),
            .dpop(proofs)
        )
        let token = try await client.token(by: .code(code), at: tokenEndpoint, tokenType: "DPoP").value(via: bound)

        try await store.save(token.accessToken(receivedAt: now()))
        _ = await Endpoint.text(.get("https://api.example.com/me")).fetch(via: bound)
        #expect(sent.elements.map { $0.headers["Authorization"] } == [nil, "DPoP 2YotnFZFEjr1zCsicMWpAA"])
        #expect(sent.elements.allSatisfy { $0.headers["DPoP"]?.split(separator: ".").count == 3 })
    }

    @Test("a token is kept in a file of its user")
    func file() async throws {
        let token = AccessToken("t", refreshToken: "r")
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }

        let store = TokenStore.file(at: folder.appending(path: "token.json"))
        try await store.save(token)

        #expect(try await store.load() == token)
    }

    @Test("Digest is in its place in the standard connector")
    func digest() throws {
        let (camera, secret) = (try #require(URL(string: "https://camera.example")), "Circle of Life")

        let app = Connector.standard.wrapped(by: .digest(user: "Mufasa", password: secret, to: .origin(camera)))

        #expect(app.check() == [])
        #expect(app.description.hasPrefix("1. digest(to:)\n2. redirect"))
    }

    @Test("a delivery of a webhook is handled once, and a forged one is not handled")
    func webhook() {
        let (secret, previousSecret) = ("whsec_AAAA", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        let now = { Date(timeIntervalSince1970: 1_614_265_400) }
        let (handled, logged) = (Recorder<String?>(), Recorder<String>())
        let log: (String) -> Void = { logged.append($0) }
        func handle(_ body: Data, once id: String?) {
            if !handled.elements.contains(id) { handled.append(id) }
        }

        func answer(to body: Data, _ headers: HTTPHeaders) -> HTTPStatus {
            switch Webhook(.standard, secrets: [secret, previousSecret]).verified(body, headers: headers, now: now()) {
            case .right(let delivery):
                handle(body, once: delivery.id)
                return .ok
            case .left(let rejection):
                log("webhook: \(rejection)")
                return .badRequest
            }
        }

        let headers: HTTPHeaders = [
            "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330",
            "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        ]
        let body = Data(#"{"test": 2432232314}"#.utf8)
        #expect(answer(to: body, headers) == .ok)
        #expect(answer(to: body, headers) == .ok)
        #expect(answer(to: Data("{}".utf8), headers) == .badRequest)
        #expect(handled.elements == ["msg_p5jXN8AQM9LWM0D4loKWxJek"])
        #expect(logged.elements == ["webhook: wrongSignature"])
    }
}
