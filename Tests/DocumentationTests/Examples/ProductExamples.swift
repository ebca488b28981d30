import Foundation
import GitHubAPI
import QiitaAPI
import StartSmall
import StartSmallStreams
import StartSmallCaching
import StartSmallCookies
import StartSmallResilience
import StartSmallTesting
import TestSupport
import Testing

/// The Swift blocks of Sources/Examples/GitHubAPI/GitHubAPI.docc/GitHubAPI.md and Sources/Examples/QiitaAPI/QiitaAPI.docc/QiitaAPI.md, in
/// order.
struct APIExamples {
    private let shown = Recorder<String>()
    private let token = "t0k3n"

    private func show(_ text: String) { shown.append(text) }

    @Test("the repositories of a list are fetched page by page", .parity("D14"))
    func list() async {
        let connector = Connector.stub(sequence: [
            .json(
                #"[{"id": 1, "name": "one", "private": true, "fork": false, "owner": {"id": 1, "login": "octocat"}}]"#,
                headers: ["Link": #"<https://api.github.com/user/repos?page=2>; rel="next""#]
            ),
            .json(#"{"message": "Bad credentials"}"#, status: .unauthorized),
        ])

        let list = GitHubRepository.list(visibility: .private)
            .authorized(by: .basic(user: "octocat", password: token))

        for await errorOrRepository in list.pages().items(via: connector) {
            switch errorOrRepository {
            case .right(let repository): show(repository.name)
            case .left(let failure): show("\(failure)")
            }
        }

        #expect(shown.elements.count == 2)
        #expect(shown.elements.first == "one")
        #expect(shown.elements.last?.hasPrefix("page 2: problem: Bad credentials") == true)
    }

    @Test("a listener observes how many calls are left")
    func limits() async {
        let show = self.shown.append
        let stub = Connector.stub(
            .text(
                "Design for failure.",
                headers: ["X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59", "X-RateLimit-Reset": "1372700873"]
            )
        )

        let limits = Listener { event in
            guard case .received(let response) = event else { return }
            if let limit = response.rateLimits(now: Date())?.requests { show("\(limit.remaining) calls are left") }
        }

        _ = await GitHubZen.endpoint.fetch(via: stub.wrapped(by: .listen(to: limits)))
        #expect(shown.elements == ["59 calls are left"])
    }

    @Test("an article is posted and then deleted", .parity("C8"))
    func article() async throws {
        let sent = Recorder<Input>()
        let posted = #"""
            {"id": "c686397e4a0f4f11683d", "title": "Start small", "body": "# First", "private": false,
             "tags": [{"name": "Swift", "versions": []}], "url": "https://qiita.com/items/c686397e4a0f4f11683d",
             "created_at": "2000-01-01T00:00:00Z", "updated_at": "2000-01-01T00:00:00Z"}
            """#
        let stub = Connector.stub(
            routes: [
                "POST /api/v2/items": .json(posted, status: .created),
                "DELETE /api/v2/items/c686397e4a0f4f11683d": .status(.noContent),
            ],
            recording: sent
        )
        let server = try #require(URL(string: "https://qiita.com"))

        let qiita = stub.wrapped(by: .bearer(token, to: .origin(server)))
        let draft = QiitaArticle.Draft(title: "Start small", body: "# First", tags: [QiitaArticle.Tag("Swift")])

        let article = try await QiitaArticle.post(draft).value(via: qiita)
        try await QiitaArticle.delete(id: article.id).value(via: qiita)

        #expect(sent.elements.map { $0.headers["Authorization"] } == ["Bearer t0k3n", "Bearer t0k3n"])
    }
}

/// The Swift blocks of Sources/Products/StartSmallCaching/StartSmallCaching.docc/StartSmallCaching.md, in order.
struct CachingExamples {
    private let sent = Recorder<Input>()
    private let news = Input(url: Fixtures.news)
    private var stub: Connector {
        .stub(.text("news", headers: ["Cache-Control": "max-age=60", "Date": HTTPDate.text(Date())]), recording: sent)
    }

    private enum Fixtures {
        static let news = URL(string: "https://api.example.com/news")!
    }

    @Test("a fresh response is not requested again, unless the request asks for that")
    func memory() async {
        let engine = stub
        let store = CacheStore.memory()
        let app = Connector.standard(over: engine.wrapped(by: .cache(in: store)))

        let first = await WebAPI.call(with: news, via: app)
        let second = await WebAPI.call(with: news, via: app)
        print(first.response?.cacheStatus ?? "")  // StartSmall; fwd=uri-miss; ttl=60; stored
        print(second.response?.isFromCache ?? false)  // true
        #expect(first.response?.cacheStatus?.hasPrefix("StartSmall; fwd=uri-miss") == true)
        #expect(second.response?.isFromCache == true && sent.elements.count == 1)

        let newest = Endpoint.text(.get("https://api.example.com/news", headers: ["Cache-Control": "no-cache"]))
        let refreshed = await newest.fetch(via: app)
        #expect(refreshed == .right("news") && sent.elements.count == 2)
    }

    @Test("an app stores the responses of one resource only")
    func oneResource() async throws {
        let (engine, store) = (stub, CacheStore.memory())

        let onlyNews = Wrapper.headers { input in
            input.url.path().hasPrefix("/news") ? [:] : ["Cache-Control": "no-store"]
        }
        let selective = engine.wrapped(by: onlyNews, .cache(in: store))

        let other = Input(url: try #require(URL(string: "https://api.example.com/weather")))
        for _ in 1...2 {
            _ = await WebAPI.call(with: news, via: selective)
            _ = await WebAPI.call(with: other, via: selective)
        }
        #expect(sent.elements.map { $0.url.path() } == ["/news", "/weather", "/weather"])
        let write = news.with { $0.methodAndPayload = .delete(payload: nil) }
        for input in [write, news] { _ = await WebAPI.call(with: input, via: selective) }
        #expect(sent.elements.count == 5 && selective.check() == [])
    }

    @Test("identities do not share responses")
    func identities() async {
        let store = CacheStore.memory()
        for token in ["one", "two"] {
            let connector = stub.wrapped(by: .bearer(token), .cache(in: store))
            #expect(await WebAPI.call(with: news, via: connector).response != nil)
        }
        #expect(sent.elements.count == 2)
    }

    @Test("a directory keeps responses for the next connector, with the options of the app")
    func directory() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for tenant in ["blue", "blue", "green"] {
            let store = CacheStore.directory(folder, limit: 20_000_000)
            let tolerant = stub.wrapped(by: .cache(in: store, options: CacheOptions(staleIfError: .seconds(86_400))))
            #expect(await WebAPI.call(with: news, via: tolerant).response != nil)

            let options = CacheOptions(identity: { RequestIdentity($0.headers, alsoNaming: ["X-Tenant"]) })
            let connector = stub.wrapped(by: .cache(in: store, options: options))
            _ = await WebAPI.call(with: news.with { $0.headers["X-Tenant"] = tenant }, via: connector)
        }
        #expect(sent.elements.count == 3)
    }
}

/// The Swift blocks of Sources/Products/StartSmallCookies/StartSmallCookies.docc/StartSmallCookies.md, in order.
struct CookiesExamples {
    private static let url = URL(string: "https://www.example.com/")!

    @Test("a cookie of a response is sent with the next request, and a jar can be read and edited")
    func session() async throws {
        let sent = Recorder<Input>()
        let engine = Connector.stub(.text("hello", headers: ["Set-Cookie": "id=1; Secure"]), recording: sent)
        let jar = CookieJar()
        let app = Connector.standard(over: engine.wrapped(by: .cookies(in: jar)))

        for _ in 1...2 { #expect(await WebAPI.call(with: Input(url: Self.url), via: app).response != nil) }
        #expect(sent.elements.map { $0.headers["Cookie"] } == [nil, "id=1"])

        let url = Self.url
        let names = jar.cookies(for: url).map(\.name)
        try jar.set(Cookie(name: "theme", value: "dark", domain: "www.example.com"))
        #expect(names == ["id"] && jar.cookies(for: url).count == 2)

        jar.removeAll()
        #expect(jar.cookies.isEmpty)
    }

    @Test("a jar is saved in a file, or as a snapshot")
    func save() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let location = folder.appending(path: "cookies.json")
        let jar = CookieJar()
        try jar.receive("id=1; Max-Age=60; Secure", from: Self.url)

        let file = CookieFile(at: location)
        try file.load(into: jar)
        try file.save(jar)

        let saved = try JSONEncoder().encode(jar.snapshot())
        let restored = CookieJar(try JSONDecoder().decode(CookieSnapshot.self, from: saved))
        #expect(restored.cookies.map(\.name) == ["id"])
    }

    @Test("an app can have its own list of public suffixes")
    func suffixes() throws {
        let suffixes: Set = ["com", "co.uk"]
        let list = PublicSuffixList { domain in suffixes.contains(domain) }
        let jar = CookieJar(policy: CookiePolicy(publicSuffixes: list))
        try jar.receive("id=1; Domain=example.com", from: Self.url)
        #expect(throws: CookieRejection.publicSuffix) { try jar.receive("id=1; Domain=com", from: Self.url) }
    }
}

/// The Swift blocks of Sources/Products/StartSmallResilience/StartSmallResilience.docc/StartSmallResilience.md, in order.
struct ResilienceExamples {
    private let sent = Recorder<Input>()
    private let input = Input(url: URL(string: "https://api.example.com/")!)

    private func call(_ connector: Connector) async -> Output { await WebAPI.call(with: input, via: connector) }

    @Test("all wrappers together pass a call on, and their states are shared by key")
    func together() async {
        let (engine, mirror) = (Connector.stub(.text("ok"), recording: sent), Connector.stub(.text("mirror")))
        let app = engine.wrapped(
            by: .fallback(to: mirror),
            .timeout(.seconds(10)),
            .retry(),
            .hedge(after: .percentile(95)),
            .rateLimit(),
            .limitConcurrency(.adaptive()),
            .circuitBreaker(),
            .timeout(.seconds(3))
        )
        #expect(await call(app) == .text("ok"))
        #expect(app.check() == [])

        let byTenant = CallKey { $0.headers["X-Tenant"] ?? "" }
        let limited = engine.wrapped(by: .rateLimit(.requests(10, per: .seconds(1)), sharedBy: byTenant))
        #expect(await call(limited) == .text("ok"))
        #expect(sent.elements.count == 2)
    }

    @Test("failures in a row open a circuit")
    func circuit() async {
        let engine = Connector.stub(.status(.serviceUnavailable), recording: sent)
        let inARow = CircuitBreakerPolicy(trip: .consecutiveFailures(5), openFor: .seconds(10))
        let careful = engine.wrapped(by: .circuitBreaker(inARow))
        for _ in 0..<9 { _ = await call(careful) }
        #expect(sent.elements.count == 5)
    }

    @Test("the examples of limits, hedging and fallback pass a call on")
    func others() async {
        let engine = Connector.stub(.text("ok"), recording: sent)
        let polite = engine.wrapped(by: .rateLimit(.requests(100, per: .seconds(60), burst: 10), upTo: .seconds(30)))
        let four = engine.wrapped(by: .limitConcurrency(4, waiting: 100))
        let adaptive = engine.wrapped(by: .limitConcurrency(.adaptive(in: 2...50, slowerThan: .seconds(1))))
        let hedged = engine.wrapped(by: .hedge(after: .fixed(.milliseconds(300)), budget: .share(percent: 5)))
        let budget = RetryBudget()
        let covered = engine.wrapped(
            by: .retry(budget: budget),
            .hedge(after: .percentile(95), budget: .shared(with: budget))
        )
        for connector in [polite, four, adaptive, hedged, covered] { #expect(await call(connector) == .text("ok")) }
    }

    @Test("the tokens of calls count, as many as the response says that a call has used")
    func tokens() async {
        let engine = Connector.stub(.text("ok", headers: ["X-Total-Tokens": "30000"]), recording: sent)
        let cost = TokenCost.tokens(30_000, per: .seconds(60)) { input in
            (input.methodAndPayload.body?.count ?? 0) / 4
        } used: { response in
            response.headers["X-Total-Tokens"].flatMap(Int.init)
        }
        let models = engine.wrapped(by: .rateLimit(.requests(50, per: .seconds(60)), cost: cost))
        #expect(await call(models).response?.statusCode == .ok)
        let busy = models.wrapped(by: .timeout(.seconds(1)))
        #expect(await call(busy).connectionError?.refusal(RateLimited.self) != nil)
        #expect(sent.elements.count == 1)
    }

    @Test("a response stands in for a service that is down")
    func fallback() async {
        let engine = Connector.stub(.status(.serviceUnavailable))
        let always = engine.wrapped(by: .fallback(to: Response(statusCode: .ok, payload: Data("[]".utf8))))
        #expect(await call(always).response?.payload == Data("[]".utf8))
    }
}
