import Foundation
import StartSmall
import StartSmallCore
import StartSmallSupport
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallAuth

/// An authorization server, an API that knows its tokens, and a store.
private struct World: Sendable {
    static let api = Fixture.url("https://api.example.com/")
    static let client = OAuthClient("app")
    static let start = Date(timeIntervalSince1970: 1_000)

    /// The forms that the token endpoint got.
    let forms = Recorder<[String]>()

    /// The `Authorization` fields that the API got.
    let sent = Recorder<String?>()

    /// The answers of the token endpoint, in order; then there is a new token for each form.
    let answers: Locked<[Output]>
    let rejected = Locked<Set<String>>([])
    let now = Locked(Self.start)
    let store: TokenStore

    init(_ token: AccessToken? = nil, _ answers: Output...) {
        (store, self.answers) = (.memory(token), Locked(answers))
    }

    static func error(_ code: String, _ status: HTTPStatus = .badRequest) -> Output {
        .json(#"{"error": "\#(code)"}"#, status: status)
    }

    static func token(_ value: String, refreshToken: String? = nil, type: String = "Bearer") -> Output {
        let refresh = refreshToken.map { #", "refresh_token": "\#($0)""# } ?? ""
        return .json(#"{"access_token": "\#(value)", "token_type": "\#(type)", "expires_in": 60\#(refresh)}"#)
    }

    var server: Connector {
        Connector { input in
            guard input.url.path() == "/token" else {
                let field = input.headers["Authorization"]
                sent.append(field)
                if let client = input.headers["X-Client"], let number = field.flatMap({ Int($0.dropFirst(8)) }) {
                    #expect(forms.elements[number - 1].last == "client_id=\(client)", "a token of another client")
                }
                let isRejected = rejected.withLock { rejected in
                    rejected.contains { field?.hasSuffix(" \($0)") == true }
                }
                return isRejected ? .status(.unauthorized) : .hasResponse(Fixture.ok)
            }
            let (fields, error) = await input.form()
            if let error { return .noResponse(error) }
            forms.append(fields)
            let count = forms.elements.count
            return answers.withLock { $0.isEmpty ? Self.token("t\(count)") : $0.removeFirst() }
        }
    }

    func app(
        _ client: OAuthClient = client,
        _ parameters: Queries = ["scope": "read", "resource": "r"],
        _ policy: RefreshPolicy = RefreshPolicy(),
        to scope: CredentialScope = .origin(api),
        at endpoint: URL = OAuth.tokenEndpoint,
        first: (@Sendable () async throws -> OAuthGrant)? = nil
    ) -> Connector {
        server.wrapped(
            by: .oauth(
                client,
                at: endpoint,
                parameters,
                in: store,
                to: scope,
                policy,
                first: first,
                clock: ManualClock(),
                now: { now.withLock(\.self) }
            )
        )
    }

    func service() -> Connector { app { .clientCredentials } }

    /// The source of a service's tokens.
    static func source(_ client: OAuthClient, _ parameters: Queries) -> TokenSource {
        TokenSource(of: client, at: OAuth.tokenEndpoint, parameters, to: .origin(api), isForClient: true)
    }

    func call(_ app: Connector) async -> Output { await WebAPI.call(with: Input(url: Self.api), via: app) }

    func failure(_ app: Connector) async -> RefreshFailure? { await call(app).connectionError?.refusal() }
}

@Suite(.timeLimit(.minutes(1))) struct OAuthTests {
    private let expired = AccessToken("old", refreshToken: "r1", expires: World.start)

    // A service.

    @Test("fifty calls without a token request one, and each is sent with it; ten seconds before it expires, the next")
    func service() async throws {
        let world = World()
        let service = world.service()
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { await world.call(service) } }
            for await output in group { #expect(output == .hasResponse(Fixture.ok)) }
        }
        let form = ["grant_type=client_credentials", "scope=read", "resource=r", "client_id=app"]
        #expect(world.forms.elements == [form])
        for (seconds, token) in [(49.0, "t1"), (50, "t2"), (60, "t2")] {
            world.now.withLock { $0 = World.start + seconds }
            _ = await world.call(service)
            #expect(world.sent.elements.last == "Bearer \(token)")
        }
        #expect(world.forms.elements == [form, form])
    }

    @Test("a service with a refresh token refreshes without the scope, and only invalid_grant leads to a new grant")
    func invalidGrant() async throws {
        let refresh = ["grant_type=refresh_token", "refresh_token=r1", "resource=r", "client_id=app"]
        let others: [Output] = [
            World.error("invalid_client"), World.error("invalid_request"), World.error("unauthorized_client"),
            World.error("temporarily_unavailable", .serviceUnavailable), World.error("invalid_grant2"),
            .status(.badRequest),
            .status(.serviceUnavailable), .json("{"), .json("{}"), World.token("t", type: "mac"),
            .text("invalid_grant"),
            .noResponse(.cancelled), .noResponse(.timedOut(.init(domain: "test", code: 1, text: ""))), World.token(""),
        ]
        for answer in others {
            let world = World(expired, answer)
            let failure = await world.failure(world.service())
            #expect(failure != nil && failure?.needsSignIn == false, "\(answer)")
            #expect(world.forms.elements == [refresh] && world.sent.elements.isEmpty)
        }
        for status in [HTTPStatus.badRequest, .ok, .unauthorized] {
            let world = World(expired, World.error("invalid_grant", status))
            #expect(await world.call(world.service()) == .hasResponse(Fixture.ok))
            #expect(world.forms.elements.map(\.first) == [refresh.first, "grant_type=client_credentials"])
            #expect(world.sent.elements == ["Bearer t2"])
            #expect(try await world.store.load()?.refreshToken == nil)
        }
        let world = World(expired, World.token("t", refreshToken: "r2"))
        _ = await world.call(world.service())
        #expect(try await world.store.load()?.refreshToken == "r2")
    }

    @Test("a grant is made anew for each request, and one of a user, or an error, ends the call")
    func grants() async {
        struct Locked: Error {}
        let (world, count) = (World(), Recorder<Void>())
        let bearer = world.app {
            count.append(())
            return .jwtBearer("a\(count.elements.count)")
        }
        for _ in 0..<2 {
            _ = await world.call(bearer)
            world.now.withLock { $0 += 60 }
        }
        #expect(world.forms.elements.map { $0[1] } == ["assertion=a1", "assertion=a2"])
        let code = AuthorizationCode(value: "c", redirect: OAuth.redirect, verifier: "v")
        for grant in [OAuthGrant.code(code), .deviceCode("c"), .refresh("c")] {
            let world = World()
            guard case .noToken(nil, _)? = await world.failure(world.app(first: { grant })) else {
                Issue.record("\(grant)")
                continue
            }
            #expect(world.forms.elements.isEmpty && world.sent.elements.isEmpty)
        }
        guard case .noResponse(.missingCredentials)? = await world.failure(World().app(first: { throw Locked() }))
        else {
            Issue.record("an error of the app is no failure")
            return
        }
        let cancelled = await World().failure(World().app(first: { throw CancellationError() }))
        #expect(cancelled == .noResponse(.cancelled))
    }

    // A user.

    @Test("without a token, and without a grant, calls are sent as they are")
    func signedOut() async {
        let world = World()
        #expect(await world.call(world.app()) == .hasResponse(Fixture.ok))
        #expect(world.sent.elements == [nil] && world.forms.elements.isEmpty)
    }

    @Test("after invalid_grant, each call needs a sign-in, and the server is not asked again before there is one")
    func signIn() async throws {
        let world = World(expired, World.error("invalid_grant"))
        let app = world.app()
        for _ in 0..<10 {
            let failure = await world.failure(app)
            #expect(failure?.needsSignIn == true && failure?.description.contains("invalid_grant") == true)
        }
        #expect(world.forms.elements.count == 1 && world.sent.elements.isEmpty)
        try await world.store.save(AccessToken("new"))
        #expect(await world.call(app) == .hasResponse(Fixture.ok))
        try await world.store.save(AccessToken("old", refreshToken: "r2", expires: World.start))
        #expect(await world.call(app) == .hasResponse(Fixture.ok))
        #expect(world.sent.elements == ["Bearer new", "Bearer t2"])
    }

    @Test("after any other failure, the next call asks the server again, with the same refresh token")
    func another() async {
        let world = World(
            expired,
            .status(.serviceUnavailable),
            .noResponse(.timedOut(.init(domain: "test", code: 1, text: "")))
        )
        let app = world.app()
        for _ in 0..<2 { #expect(await world.failure(app)?.needsSignIn == false) }
        #expect(await world.call(app) == .hasResponse(Fixture.ok))
        #expect(Set(world.forms.elements).count == 1 && world.forms.elements.count == 3)
    }

    @Test("a token without a refresh token is sent until the server rejects it; then each call needs a sign-in")
    func noRefreshToken() async {
        let world = World(AccessToken("old", expires: World.start))
        let app = world.app()
        #expect(await world.call(app) == .hasResponse(Fixture.ok))
        world.rejected.withLock { $0 = ["old"] }
        for _ in 0..<10 {
            let output = await world.call(app)
            #expect(
                output.connectionError?.refusal() == RefreshFailure.noToken(nil, reason: "there is no refresh token")
            )
        }
        #expect(world.forms.elements.isEmpty)
    }

    // Sources.

    @Test(
        "a token of another server, client or resource, or of a user, is never sent, and a new grant replaces only its own kind"
    )
    func sources() async throws {
        let resources: [Queries] = [["resource": "r"], ["resource": "s"], ["audience": "s"], [:]]
        let clients = [OAuthClient("app"), OAuthClient("other")]
        let endpoints = [OAuth.tokenEndpoint, Fixture.url("https://other.example.com/token")]
        struct Source: Hashable {
            let client, endpoint, resource: Int
            let isService: Bool
        }
        var sources: [Source] = []
        for client in clients.indices {
            for (endpoint, resource) in [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0)] {
                for isService in [true, false] {
                    sources.append(Source(client: client, endpoint: endpoint, resource: resource, isService: isService))
                }
            }
        }
        for owner in sources {
            for user in sources {
                let world = World(AccessToken("old", refreshToken: "r1", expires: World.start))
                func app(_ source: Source) -> Connector {
                    let (client, endpoint) = (clients[source.client], endpoints[source.endpoint])
                    if source.isService {
                        return world.app(client, resources[source.resource], at: endpoint) { .clientCredentials }
                    }
                    return world.app(client, resources[source.resource], at: endpoint)
                }
                #expect(await world.call(app(owner)) == .hasResponse(Fixture.ok))
                let saved = try await world.store.load()
                #expect(saved?.source?.isForClient == owner.isService)
                let output = await world.call(app(user))
                let isSame = owner == user
                if isSame || user.isService && owner.isService {
                    #expect(output == .hasResponse(Fixture.ok))
                    #expect(world.sent.elements == ["Bearer t1", isSame ? "Bearer t1" : "Bearer t2"])
                    #expect(
                        world.forms.elements.last?.first
                            == (isSame ? "grant_type=refresh_token" : "grant_type=client_credentials")
                    )
                } else {
                    #expect(output.connectionError?.refusal() == RefreshFailure.otherSource)
                    #expect(world.sent.elements == ["Bearer t1"] && world.forms.elements.count == 1)
                    #expect(try await world.store.load() == saved)
                }
            }
        }
    }

    /// A token that an app requests itself at the token endpoint, and that has expired.
    private func requested(
        _ grant: OAuthGrant,
        _ parameters: Queries = [],
        inPlaceOf old: AccessToken? = nil
    ) async throws -> AccessToken {
        let server = World(nil, World.token("t", refreshToken: "r1")).server
        let response = try await World.client.token(by: grant, at: OAuth.tokenEndpoint, parameters).value(via: server)
        return response.accessToken(receivedAt: World.start - 60, inPlaceOf: old)
    }

    private func failure(of token: AccessToken, isService: Bool) async -> RefreshFailure? {
        let world = World(token)
        let failure = await world.failure(isService ? world.service() : world.app())
        #expect(world.sent.elements == (failure == nil ? ["Bearer t1"] : []))
        #expect(failure != nil || world.forms.elements.first?[1] == "refresh_token=r1")
        return failure
    }

    @Test("a token that an app requests itself goes to no other server or client, and that of a user to no service")
    func requested() async throws {
        for grant in [OAuthGrant.deviceCode("d"), .refresh("r0"), .clientCredentials, .jwtBearer("a")] {
            let token = try await requested(grant)
            let staging = Fixture.url("https://staging.example.com/token")
            for (client, endpoint) in [("other", OAuth.tokenEndpoint), ("app", staging)] {
                for isService in [true, false] {
                    let world = World(token)
                    let other = OAuthClient(client)
                    let user = world.app(other, at: endpoint)
                    let app = isService ? world.app(other, at: endpoint) { .clientCredentials } : user
                    let failure = await world.failure(app)
                    // What a grant without a user gave, another one replaces.
                    let isReplaced = isService && grant.isForClient == true
                    #expect(failure == (isReplaced ? nil : .otherSource), "\(grant)")
                    #expect(world.sent.elements == (isReplaced ? ["Bearer t1"] : []))
                    #expect(world.forms.elements.allSatisfy { $0[0] == "grant_type=client_credentials" })
                }
            }
            #expect(await failure(of: token, isService: false) == nil)
            #expect(await failure(of: token, isService: true) == (grant.isForClient == false ? .otherSource : nil))
        }
    }

    @Test("a token that an app requests itself for a resource goes to no other one, also after a refresh by the app")
    func requestedForResource() async throws {
        for (parameters, isRight) in [
            ([], true), (["resource": "r"], true), (["resource": "s"], false), (["audience": "r"], false),
            (Queries([URLQueryItem(name: "resource", value: "s"), URLQueryItem(name: "resource", value: "r")]), false),
        ] as [(Queries, Bool)] {
            let token = try await requested(.deviceCode("d"), parameters)
            #expect(await failure(of: token, isService: false) == (isRight ? nil : .otherSource), "\(parameters)")
            // The response of a refresh names no resource, and no user.
            for refreshed in [
                try await requested(.refresh("r0"), inPlaceOf: token),
                OAuthTokenResponse(accessToken: "t", refreshToken: "r1", expiresIn: .seconds(1))
                    .accessToken(receivedAt: World.start - 60, inPlaceOf: token),
            ] {
                #expect(refreshed.source == token.source)
                #expect(await failure(of: refreshed, isService: false) == (isRight ? nil : .otherSource))
                #expect(await failure(of: refreshed, isService: true) == .otherSource)
            }
        }
        let service = World()
        _ = await service.call(service.service())
        let own = try #require(try await service.store.load())
        #expect(try await requested(.refresh("r0"), inPlaceOf: own).source == own.source)
        // A sign-in keeps nothing of the token before.
        let user = try await requested(.deviceCode("d"), inPlaceOf: own)
        #expect(await failure(of: user, isService: false) == nil)
        #expect(await failure(of: user, isService: true) == .otherSource)
    }

    @Test("two services with one store, at the same time, each send their own token or fail")
    func sharedStore() async {
        let world = World()
        let apps = ["0", "1"].map { world.app(OAuthClient($0)) { .clientCredentials } }
        await withTaskGroup { group in
            for number in 0..<40 {
                group.addTask {
                    let input = Input(url: World.api, headers: ["X-Client": "\(number % 2)"])
                    return await WebAPI.call(with: input, via: apps[number % 2])
                }
            }
            for await output in group {
                if output == .hasResponse(Fixture.ok) { continue }
                #expect(output.connectionError?.refusal(RefreshFailure.self) != nil, "\(output)")
            }
        }
        #expect(!world.sent.elements.isEmpty)
    }

    @Test("a saved token keeps its source in every encoding, and a stored one of an older version has none")
    func encoded() async throws {
        let source = World.source(World.client, ["resource": "r"])
        var token = AccessToken("t")
        token.source = source
        let data = try JSONEncoder().encode(token)
        #expect(try JSONDecoder().decode(AccessToken.self, from: data) == token)
        #expect(try JSONDecoder().decode(AccessToken.self, from: Data(#"{"value": "t"}"#.utf8)) == AccessToken("t"))
        #expect("\(source)" == "app at https://server.example.com:443/token")
        // A source of another version is none of these, and the token is still one.
        let endpoint = #""endpoint": "https://server.example.com:443/token""#
        for members in [#""endpoint": 7"#, #"\#(endpoint), "resources": "r""#, #"\#(endpoint), "details": {}"#] {
            let old = #"{"value": "t", "source": {\#(members), "client": "app", "isForClient": true}}"#
            let read = try JSONDecoder().decode(AccessToken.self, from: Data(old.utf8))
            #expect(read.source != nil && read.source != source && !source.gave(read), "\(old)")
            let (user, service) = (World(read), World(read))
            #expect(await user.failure(user.app()) == .otherSource)
            #expect(await service.failure(service.service()) == nil && service.sent.elements == ["Bearer t1"])
        }
        for text in ["HTTPS://Server.example.com/token", "https://server.example.com:443/token"] {
            let same = TokenSource(
                of: World.client,
                at: Fixture.url(text),
                ["resource": "r"],
                to: .origin(Fixture.url("https://api.example.com:443")),
                isForClient: true
            )
            #expect(same == source)
        }
    }

    @Test("of many first tokens, a store takes one, and no first token replaces a login", arguments: [true, false])
    func firstTokens(_ isFile: Bool) async throws {
        try await withFolder { folder in
            let store = isFile ? TokenStore.file(at: folder.appending(path: "token.json")) : .memory()
            let saved = try await withThrowingTaskGroup { group in
                for number in 0..<20 {
                    group.addTask { try await store.replace(nil, AccessToken("\(number)")) ? "\(number)" : nil }
                }
                return try await group.reduce(into: [String]()) { if let token = $1 { $0.append(token) } }
            }
            #expect(saved.count == 1)
            #expect(try await store.load()?.value == saved.first)
        }
    }

    @Test("only a request for a token that could not be sent is transient")
    func transient() {
        let cause = ConnectionError.Cause(domain: "test", code: 1, text: "")
        #expect(RefreshFailure.noResponse(.hostNotFound(cause)).isTransient)
        let response = Response(statusCode: .serviceUnavailable)
        for failure in [
            .noResponse(.timedOut(cause)), .noResponse(.cancelled), .noToken(response, reason: ""),
            .noToken(nil, reason: ""),
            .identityChanged, .otherSource, .tooOften(limit: 1, within: .zero), .storeFailed(debugInfo: ""),
        ] as [RefreshFailure] {
            #expect(!failure.isTransient, "\(failure)")
        }
    }

    @Test("an empty credential is refused before anything is sent")
    func emptyCredentials() async {
        let world = World()
        let type = OAuthTokenType.jwt
        for grant in [OAuthGrant.refresh(""), .deviceCode(""), .jwtBearer(""), .tokenExchange("", type)] {
            let token = World.client.token(by: grant, at: OAuth.tokenEndpoint)
            #expect(await token.fetch(via: world.server).connectionError?.name == "missingCredentials")
        }
        let exchange = OAuthGrant.tokenExchange("s", type)
        #expect(await World.client.token(by: exchange, at: OAuth.tokenEndpoint).fetch(via: world.server).left != nil)
        #expect(world.forms.elements.count == 1)
    }

    @Test("a service with another scope or for another origin has a token of its own")
    func otherScopes() async {
        let world = World()
        let other = Fixture.url("https://vault.example.com/")
        let apps = [
            (world.app(World.client, ["scope": "a"]) { .clientCredentials }, World.api),
            (world.app(World.client, ["scope": "b"]) { .clientCredentials }, World.api),
            (world.app(World.client, ["scope": "b"], to: .origin(other)) { .clientCredentials }, other),
        ]
        for (app, url) in apps { _ = await WebAPI.call(with: Input(url: url), via: app) }
        #expect(world.sent.elements == ["Bearer t1", "Bearer t2", "Bearer t3"])
    }

    @Test("a service never takes the token of a user for its own: it is neither sent, refreshed nor replaced")
    func userOfService() async throws {
        for isExpired in [true, false] {
            var user = AccessToken("user", refreshToken: "r", identity: "alice")
            if isExpired { user.expires = World.start }
            let world = World(user)
            #expect(await world.failure(world.service()) == .otherSource)
            #expect(world.sent.elements.isEmpty && world.forms.elements.isEmpty)
            #expect(try await world.store.load() == user)
        }
    }

    @Test("all attempts of a call belong to one identity")
    func attempts() async throws {
        let world = World(AccessToken("a", identity: "A"))
        let failing = Wrapper { input, next in
            let output = await next(input)
            // B signs in between two attempts.
            try? await world.store.save(AccessToken("b", identity: "B"))
            return output.response?.statusCode == .ok ? .status(.serviceUnavailable) : output
        }
        let retry = Wrapper.retry(RetryPolicy(backoff: Backoff { $0.number < 3 ? .zero : nil }))
        let oauth = Wrapper.oauth(World.client, at: OAuth.tokenEndpoint, in: world.store, to: .origin(World.api))
        let app = world.server.wrapped(by: retry, oauth, failing)
        #expect(await world.failure(app) == .identityChanged)
        #expect(world.sent.elements == ["Bearer a"])
        // The next call is B's.
        _ = await world.call(app)
        #expect(Set(world.sent.elements) == ["Bearer a", "Bearer b"])
    }

    @Test("a call whose token could not be refreshed is not sent with the token of another identity by a retry")
    func attemptsWithoutRequest() async throws {
        let world = World(AccessToken("a", refreshToken: "r1", expires: World.start, identity: "A"))
        world.answers.withLock { $0 = [.noResponse(.hostNotFound(.init(domain: "test", code: 1, text: "")))] }
        let login = Wrapper { [store = world.store] input, next in
            let output = await next(input)
            if output.connectionError != nil { try? await store.save(AccessToken("b", identity: "B")) }
            return output
        }
        let retry = Wrapper.retry(RetryPolicy(backoff: Backoff { $0.number < 3 ? .zero : nil }))
        let oauth = Wrapper.oauth(
            World.client,
            at: OAuth.tokenEndpoint,
            in: world.store,
            to: .origin(World.api),
            now: { World.start }
        )
        #expect(await world.failure(world.server.wrapped(by: retry, login, oauth)) == .identityChanged)
        #expect(world.sent.elements.isEmpty)
        // Nor without a token, after a logout.
        try await world.store.save(AccessToken("a", identity: "A"))
        let logout = Wrapper { [store = world.store] input, next in
            _ = await next(input)
            try? await store.save(nil)
            return .status(.serviceUnavailable)
        }
        #expect(await world.failure(world.server.wrapped(by: retry, oauth, logout)) == .identityChanged)
        #expect(world.sent.elements == ["Bearer a"])
    }

    @Test("what is known about a token is forgotten at a logout: the next user gets a token of its own")
    func forgotten() async throws {
        struct Full: Error {}
        let (stored, isFull) = (Locked<AccessToken?>(nil), Locked(true))
        let store = TokenStore(
            load: { stored.withLock(\.self) },
            save: { token in
                if isFull.withLock(\.self) { throw Full() }
                stored.withLock { $0 = token }
            }
        )
        let users = Recorder<Void>()
        let world = World()
        let app = world.server.wrapped(
            by: .oauth(World.client, at: OAuth.tokenEndpoint, in: store, to: .origin(World.api)) {
                users.append(())
                return .jwtBearer("user\(users.elements.count)")
            }
        )
        guard case .storeFailed? = await world.failure(app) else {
            Issue.record("a store that fails")
            return
        }
        isFull.withLock { $0 = false }
        try await store.save(nil)
        #expect(await world.call(app) == .hasResponse(Fixture.ok))
        #expect(world.forms.elements.map { $0[1] } == ["assertion=user1", "assertion=user2"])
        #expect(world.sent.elements == ["Bearer t2"])
    }

    @Test("a sign-in never has the stored token, and introspection only for a client without a proof")
    func signIns() async {
        let world = World(AccessToken("old"))
        let app = world.app(to: .anyOrigin)
        let endpoint = Fixture.url("https://api.example.com/other")
        _ = await OAuthClient.registration(["a": "b"], at: endpoint).fetch(via: app)
        _ = await World.client.deviceAuthorization(at: endpoint).fetch(via: app)
        _ = await World.client.revocation(of: "t", at: endpoint).fetch(via: app)
        _ = await OAuthServerMetadata.endpoint(of: "https://api.example.com").fetch(via: app)
        _ = await OAuthClient("app", .secretInForm("s")).introspection(of: "t", at: endpoint).fetch(via: app)
        #expect(world.sent.elements == Array(repeating: nil, count: 5))
        _ = await World.client.introspection(of: "t", at: endpoint).fetch(via: app)
        #expect(world.sent.elements.last == "Bearer old")
    }

    @Test("a refusal counts for the wrapper that asked alone: the server of another one may know the refresh token")
    func refusalOfAnother() async {
        let world = World(expired, World.error("invalid_grant"))
        let other = world.app(at: Fixture.url("https://staging.example.com/token"))
        #expect(await world.failure(other)?.needsSignIn == true)
        #expect(await world.call(world.app()) == .hasResponse(Fixture.ok))
    }

    @Test("only the token endpoint itself ends a session: neither a gateway nor another origin does")
    func otherSpeakers() async {
        for status in [HTTPStatus.serviceUnavailable, .badGateway, .tooManyRequests] {
            let world = World(expired, World.error("invalid_grant", status))
            #expect(await world.failure(world.app())?.needsSignIn == false)
            #expect(await world.failure(World(expired, World.error("invalid_grant", status)).service()) != nil)
            #expect(await world.call(world.app()) == .hasResponse(Fixture.ok))
        }
        let elsewhere = Response(
            statusCode: .badRequest,
            payload: Data(#"{"error": "invalid_grant"}"#.utf8),
            redirections: [
                Redirection(from: OAuth.tokenEndpoint, statusCode: .found, to: Fixture.url("https://evil.example.com/"))
            ]
        )
        let world = World(expired, .hasResponse(elsewhere))
        #expect(await world.failure(world.app())?.needsSignIn == false)
        #expect(await world.call(world.app()) == .hasResponse(Fixture.ok))
    }

    @Test("a refresh token alone is enough, as after the move from another library")
    func refreshTokenAlone() async {
        for isService in [false, true] {
            let world = World(AccessToken("", refreshToken: "r1"))
            #expect(await world.call(isService ? world.service() : world.app()) == .hasResponse(Fixture.ok))
            #expect(world.sent.elements == ["Bearer t1"])
            #expect(world.forms.elements.map(\.first) == ["grant_type=refresh_token"])
        }
    }

    @Test("a token without a type counts as a bearer token, and one with a lifetime of 0 has no known expiry")
    func lenient() async throws {
        let world = World(expired, .json(#"{"access_token": "t", "refresh_token": "r2", "expires_in": 0}"#))
        #expect(await world.call(world.app()) == .hasResponse(Fixture.ok))
        let saved = try await world.store.load()
        #expect(saved?.refreshToken == "r2" && saved?.expires == nil)
        let dpop = World(expired, .json(#"{"access_token": "t"}"#))
        #expect(await dpop.failure(dpop.app(World.client, [:], .dpop)) != nil)
    }

    @Test("wrappers that are made anew for each call ask a server that has refused a refresh token once")
    func madeAnew() async {
        let world = World(expired, World.error("invalid_grant"))
        for _ in 0..<10 { #expect(await world.failure(world.app())?.needsSignIn == true) }
        #expect(world.forms.elements.count == 1)
        // The same pair from a new sign-in, since the refusal was wrong.
        try? await world.store.save(AccessToken("old", refreshToken: "r1", expires: World.start - 1))
        #expect(await world.call(world.app()) == .hasResponse(Fixture.ok))
    }

    // Other origins.

    @Test(
        "a request to another origin gets no token, and causes no request for one; a scope without an origin is an error"
    )
    func scope() async {
        let world = World(expired)
        let app = world.service()
        let output = await WebAPI.call(with: Input(url: Fixture.url("https://other.example.com/")), via: app)
        #expect(output == .hasResponse(Fixture.ok) && world.sent.elements == [nil] && world.forms.elements.isEmpty)
        let lost = world.app(to: .origin(Fixture.url("/relative")))
        #expect(await world.call(lost).connectionError?.name == "missingCredentials")
    }

    @Test("DPoP is asked for, and a bearer token in its place is refused")
    func dpop() async {
        let world = World(expired, World.token("t"), World.token("t", type: "dpop"))
        let app = world.app(World.client, [:], .dpop)
        #expect(await world.failure(app)?.needsSignIn == false)
        #expect(await world.call(app) == .hasResponse(Fixture.ok))
        #expect(world.sent.elements == ["DPoP t"])
    }

    @Test("a dry run shows the stored token, and no other one's")
    func dryRun() async throws {
        let world = World(expired)
        let run = await world.app().dryRun(Endpoint.text(.get("https://api.example.com/")))
        #expect(run.request?.headers["Authorization"] == "Bearer old")
        var other = expired
        other.source = World.source(OAuthClient("x"), [:])
        try await world.store.save(other)
        #expect(await world.service().dryRun(Endpoint.text(.get("https://api.example.com/"))).request == nil)
        #expect(world.forms.elements.isEmpty)
    }
}
