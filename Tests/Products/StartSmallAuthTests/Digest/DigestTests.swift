import Foundation
import StartSmall
import StartSmallSupport
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallAuth

struct DigestTests {
    private static let url = URL(string: "https://api.example.com/dir/index.html")!

    /// Returns a connector with the credentials of the server, unless it has another password.
    private static func app(
        _ server: DigestServer,
        password: String = "Circle of Life",
        allowsMD5: Bool = false,
        to scope: CredentialScope = .origin(url)
    ) -> Connector {
        server.connector.wrapped(
            by: .digest(user: server.user, password: password, to: scope, allowsMD5: allowsMD5)
        )
    }

    private static func status(_ app: Connector, _ input: Input = Input(url: url)) async -> HTTPStatus? {
        await WebAPI.call(with: input, via: app).response?.statusCode
    }

    @Test("the first call is sent twice, and each later one once")
    func counts() async {
        let server = DigestServer()
        let app = Self.app(server)

        for _ in 0..<3 { #expect(await Self.status(app) == .ok) }

        #expect(server.requests.elements.count == 4)
        #expect(server.requests.elements[0].headers["Authorization"] == nil)
        #expect(server.violations.elements == [])
        let counts = server.requests.elements.dropFirst().map { $0.headers["Authorization"]?.contains("nc=0000000") }
        #expect(counts == [true, true, true])
    }

    @Test(
        "each algorithm and each quality of protection is answered, for names in any letters",
        arguments: ["MD5", "MD5-sess", "SHA-256", "SHA-256-sess"],
        ["auth", "auth-int", "auth,auth-int"]
    )
    func forms(algorithm: String, qop: String) async {
        for (user, userhash) in [("Mufasa", false), ("J\u{E4}s\u{F8}n \"Doe\"", false), ("J\u{E4}s\u{F8}n Doe", true)] {
            var server = DigestServer()
            (server.user, server.userhash, server.algorithm, server.qop) = (user, userhash, algorithm, qop)
            server.nextNonce = { $0 == 2 ? "n1" : nil }
            let app = Self.app(server, allowsMD5: true)
            let post = Input(url: Self.url).with {
                $0.methodAndPayload = .post(payload: Payload(.data(Data("{}".utf8)), mediaType: .json))
            }

            #expect(await Self.status(app, post) == .ok)
            #expect(await Self.status(app) == .ok)
            #expect(server.violations.elements == [])
            #expect(server.requests.elements.count == 3)
        }
    }

    @Test("MD5 alone is a 401 of one request, without the option")
    func md5() async {
        var server = DigestServer()
        server.algorithm = "MD5"

        #expect(await Self.status(Self.app(server)) == .unauthorized)
        #expect(server.requests.elements.count == 1)
    }

    @Test(
        "a wrong password is a 401, after two requests, or one if the nonce is known",
        arguments: ["auth", "auth-int"]
    )
    func wrongPassword(qop: String) async {
        var server = DigestServer()
        server.qop = qop
        let app = Self.app(server, password: "wrong")

        #expect(await Self.status(app) == .unauthorized)
        #expect(server.requests.elements.count == 2)
        #expect(await Self.status(app) == .unauthorized)
        #expect(server.requests.elements.count == 3)
        #expect(server.violations.elements == [])
    }

    @Test(
        "a server that always gives another nonce, stale or not, is asked twice in each call",
        arguments: [true, false]
    )
    func alwaysStale(isStale: Bool) async {
        var server = DigestServer()
        server.nonce = { ("n\($0)", isStale) }
        server.isGood = { _, _ in false }
        let app = Self.app(server)

        for calls in 1...3 {
            #expect(await Self.status(app) == .unauthorized)
            #expect(server.requests.elements.count == 2 * calls)
        }
        #expect(server.violations.elements == [])
    }

    @Test("a server that says stale with the same nonce is asked twice")
    func staleWithTheSameNonce() async {
        var server = DigestServer()
        server.nonce = { _ in ("n0", true) }
        server.isGood = { _, _ in false }

        #expect(await Self.status(Self.app(server)) == .unauthorized)
        #expect(server.requests.elements.count == 2)
    }

    @Test("whenever a nonce becomes stale, the call succeeds with one more request", arguments: 1...6)
    func stale(uses: Int) async {
        var server = DigestServer()
        server.nonce = { ("n\($0)", $0 > 0) }
        server.isGood = { $1 <= uses }
        let app = Self.app(server)

        for _ in 0..<12 { #expect(await Self.status(app) == .ok) }

        #expect(server.violations.elements == [])
        #expect(server.requests.elements.count == 12 + server.challenges)
        #expect(server.challenges == (11 + uses) / uses)
    }

    @Test("the next nonce is used at once, so that nonces for one request cost no 401")
    func nextNonce() async {
        var server = DigestServer()
        let given = Recorder<Int>()
        server.nextNonce = { uses in
            given.append(uses)
            return "next\(given.elements.count)"
        }
        server.isGood = { $1 <= 1 }
        let app = Self.app(server)

        for _ in 0..<5 { #expect(await Self.status(app) == .ok) }

        #expect(server.requests.elements.count == 6)
        #expect(server.violations.elements == [])
    }

    @Test("concurrent calls never use a count twice, and all succeed", arguments: [1, 3, 1_000])
    func concurrency(nonces: Int) async {
        var server = DigestServer()
        server.nonce = { ("n\($0 % nonces)", false) }
        server.algorithm = "SHA-256-sess"
        let app = Self.app(server)

        let statuses = await withTaskGroup { group in
            for _ in 0..<200 { group.addTask { await Self.status(app) } }
            return await group.reduce(into: []) { $0.append($1) }
        }

        #expect(statuses.allSatisfy { $0 == .ok })
        #expect(server.violations.elements == [])
        #expect(server.requests.elements.count == 200 + server.challenges)
    }

    /// URLs, queries of the request, and the target on the wire.
    static let targets: [(String, [URLQueryItem])] = [
        ("https://api.example.com", []), ("https://api.example.com?a=b", []),
        ("https://api.example.com:443/a/../b/./", []),
        ("HTTPS://API.example.com/a%2Fb;c=d", []), ("https://api.example.com/?q=a%20b#fragment", []),
        ("https://api.example.com/a?x", [URLQueryItem(name: "y", value: "z")]),
    ]

    @Test("the uri is the target that is sent", arguments: targets)
    func target(url: String, queries: [URLQueryItem]) async throws {
        let server = DigestServer()
        let input = Input(url: try #require(URL(string: url)), queries: queries)

        #expect(await Self.status(Self.app(server), input) == .ok)
        #expect(server.violations.elements == [])
    }

    @Test("after a redirect within the origin, method and uri are those of the redirected request")
    func redirect() async {
        let server = DigestServer()
        let engine = Connector { input in
            if input.url.path() != "/old" || input.headers["Authorization"] == nil { return server.answer(input) }
            return .hasResponse(Response(statusCode: .seeOther, headers: ["Location": "/new"]))
        }
        let app = engine.wrapped(
            by: .digest(user: server.user, password: server.password, to: .origin(Self.url)),
            .redirect()
        )
        let get = Input(url: URL(string: "https://api.example.com/old")!)

        #expect(await Self.status(app, get) == .ok)
        #expect(server.violations.elements == [])
        #expect(server.requests.elements.map { $0.url.path() } == ["/old", "/new"])
    }

    @Test("a challenge of another origin is not answered, and no credentials are sent there", arguments: [true, false])
    func otherOrigin(scoped: Bool) async throws {
        let (other, seen) = (URL(string: "https://evil.example/")!, Recorder<String?>())
        let server = DigestServer()
        let engine = Connector { input in
            if input.url.host() == "evil.example" {
                seen.append(input.headers["Authorization"])
                return server.answer(input.with { $0.headers["Authorization"] = nil })
            }
            return .hasResponse(Response(statusCode: .found, headers: ["Location": other.absoluteString]))
        }
        let scope: CredentialScope = scoped ? .origin(Self.url) : .anyOrigin
        let app = engine.wrapped(by: .digest(user: "Mufasa", password: "p", to: scope), .redirect())

        #expect(await Self.status(app) == .unauthorized)
        #expect(seen.elements == [nil])
        #expect(await Self.status(app, Input(url: other)) == .unauthorized)
        #expect(seen.elements.count == (scoped ? 2 : 3))
    }

    @Test("requests with credentials of their own, in a field or in the URL, pass unchanged")
    func ownCredentials() async throws {
        let sent = Recorder<Input>()
        let rejection = Response(
            statusCode: .unauthorized,
            headers: ["WWW-Authenticate": DigestChallengeTests.fields[0].0[0]]
        )
        let app = Connector.stub(.hasResponse(rejection), recording: sent)
            .wrapped(by: .digest(user: "u", password: "p", to: .origin(Self.url)))
        let own = Input(url: Self.url, headers: ["Authorization": "Digest own"])
        let inURL = Input(url: try #require(URL(string: "https://a:b@api.example.com/")))

        #expect(await Self.status(app, own) == .unauthorized)
        #expect(await Self.status(app, inURL) == .unauthorized)
        #expect(sent.elements.map { $0.headers["Authorization"] } == ["Digest own", nil])
    }

    @Test("a payload that can be produced once is sent once, and its 401 returned")
    func producedOnce() async {
        let server = DigestServer()
        let read = Recorder<Data>()
        let engine = Connector { input in
            if case .stream(let stream)? = input.methodAndPayload.payload?.content {
                try? await stream.produce { read.append($0) }
            }
            return server.answer(input)
        }
        let app = engine.wrapped(by: .digest(user: server.user, password: server.password, to: .origin(Self.url)))
        let stream = PayloadStream(replayable: false) { try await $0.write(Data("a".utf8)) }
        let post = Input(url: Self.url).with {
            $0.methodAndPayload = .post(payload: Payload(.stream(stream), mediaType: nil))
        }

        #expect(await Self.status(app, post) == .unauthorized)
        #expect(read.elements.count == 1)
        // Once the nonce is known, a stream can be sent.
        #expect(await Self.status(app) == .ok)
        let again = PayloadStream(replayable: false) { try await $0.write(Data("a".utf8)) }
        let other = post.with { $0.methodAndPayload = .post(payload: Payload(.stream(again), mediaType: nil)) }
        #expect(await Self.status(app, other) == .ok)
    }

    @Test("a payload that is not in memory can't be sent to a server that wants its digest, with and without a nonce")
    func unhashable() async {
        var server = DigestServer()
        server.qop = "auth-int"
        let app = Self.app(server)
        let file = Payload(.file(URL(fileURLWithPath: "/etc/hostname")), mediaType: nil)
        let post = Input(url: Self.url).with { $0.methodAndPayload = .post(payload: file) }

        for response: HTTPStatus? in [.unauthorized, nil] {
            let error = await WebAPI.call(with: post, via: app).connectionError
            #expect(error?.refusal(UnhashablePayload.self) != nil && error?.description.contains("auth-int") == true)
            #expect(error?.response?.statusCode == response)
        }
        #expect(server.requests.elements.count == 1)

        server.qop = "auth-int,auth"
        #expect(await Self.status(Self.app(server), post) == .ok)
    }

    @Test("a dry run shows the request, and takes no count")
    func dryRun() async {
        let server = DigestServer()
        let app = Self.app(server)

        #expect(await app.dryRun(Input(url: Self.url)).request?.headers["Authorization"] == nil)
        #expect(server.requests.elements.isEmpty)
        #expect(await Self.status(app) == .ok)
        #expect(
            await app.dryRun(Input(url: Self.url)).request?.headers["Authorization"]?.contains("nc=00000001") == true
        )
        #expect(await Self.status(app) == .ok)
        #expect(server.requests.elements.last?.headers["Authorization"]?.contains("nc=00000002") == true)
    }

    @Test("the nonces of the client are random bits, one for each challenge")
    func clientNonces() async {
        let server = DigestServer()
        let app = server.connector.wrapped(
            by: .digest(user: server.user, password: server.password, to: .origin(Self.url), random: { 0xAB })
        )

        #expect(await Self.status(app) == .ok)
        #expect(server.requests.elements.last?.headers["Authorization"]?.contains(#"cnonce="ab-ab""#) == true)
    }

    @Test("a cache inside tells users and passwords apart")
    func identities() async {
        let seen = Recorder<String?>()
        func app(_ user: String, _ password: String) -> Connector {
            DigestServer().connector.wrapped(
                by: .digest(user: user, password: password, to: .origin(Self.url)),
                Wrapper { input, next in
                    seen.append(input.headers["Authorization"])
                    return await next(input)
                }
            )
        }
        for (user, password) in [("a", "b:c"), ("a:b", "c"), ("a", "b"), ("a", "b")] {
            _ = await Self.status(app(user, password))
        }

        #expect(Set(seen.elements).count == 3)
        #expect(seen.elements[2] == seen.elements[3])
    }

    @Test("neither the password nor a response of Digest is in an event or a description")
    func hidden() async {
        let (log, lines) = (EventLog(), Recorder<String>())
        let server = DigestServer()
        let app = server.connector.wrapped(
            by: .listen(to: log.listener),
            .log(.headers) { lines.append($0) },
            .digest(user: server.user, password: server.password, to: .origin(Self.url)),
            .log(.headers) { lines.append($0) }
        )

        _ = await Self.status(app)
        let field = server.requests.elements.last?.headers["Authorization"] ?? ""
        let response = DigestServer.parameters(field)?["response"] ?? "none"
        let texts = "\(log.events) \(server.requests.elements) \(lines.elements)"
        #expect(response.count == 64)
        #expect(!texts.contains(response))
        #expect(!texts.contains(server.password))
        #expect(lines.elements.count > 1)
        // Its `rspauth` is of the password, too.
        #expect(Redaction.standard.hides("Authentication-Info"))
    }

    @Test("over a socket, both requests arrive, and the second one is accepted")
    func overSocket() async throws {
        let server = DigestServer()
        try await LoopbackServer.serving(server.connector) { loopback in
            let app = Connector.patient.wrapped(
                by: .digest(user: server.user, password: server.password, to: .origin(loopback.url))
            )
            let url = loopback.url.appending(path: "a/../b")

            for _ in 0..<2 { #expect(await Self.status(app, Input(url: url)) == .ok) }
        }
        #expect(server.violations.elements == [])
        #expect(server.requests.elements.count == 3)
    }
}
